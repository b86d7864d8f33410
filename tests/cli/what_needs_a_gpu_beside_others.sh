# The points of a kernel that only a GPU can judge are open, so no exercise gives a full score that
# way.  The exit code is 1, unless the exercise says that it needs a GPU.
cp -r lessons/01_sum lessons/02_more
sed 's/_sum/_more/' reference/sum.cu >reference/more.cu
cp reference/sum.cu student/sum.cu
sed 's/float acc = 0.0f;/float acc = 0.0f; asm("");/' reference/more.cu >student/more.cu
graded() {
    tilegrade grade --device emu --seed 1 | grep -E '^  (sum|more|points) '
    echo "exit ${PIPESTATUS[0]}"
    grep -hoE '"points[a-z_]*": [0-9]+' build/grade/result.json | tr '\n' ' '
    echo
}
tilegrade test | grep 'device: emu'
echo "exit ${PIPESTATUS[0]}"
graded
sed -i 's/^tile = /device = gpu\n&/' lessons/02_more/exercise.ini
tilegrade test | grep 'device: emu'
echo "exit ${PIPESTATUS[0]}"
graded
tilegrade regrade
echo "== an older result has its own total"
sed -i -E '/"points_open"/d
/"verdict": "needs_gpu"/,/"points_max"/s/("points_max": )[0-9]+/\10/
0,/"points_max"/s/("points_max": )20000/\110000/' build/grade/result.json
tilegrade regrade
echo "== a wrong or untouched kernel of such an exercise is judged"
sed 's/acc;$/2.0f * acc;/' reference/more.cu >student/more.cu
tilegrade test | grep 'device: emu'
echo "exit ${PIPESTATUS[0]}"
grep -v '@' reference/more.cu >student/more.cu
echo "int broken" >student/sum.cu
tilegrade test | grep 'device: emu'
echo "exit ${PIPESTATUS[0]}"
sed -i 's/^tile = /device = cpu\n&/' lessons/01_sum/exercise.ini
tilegrade list
