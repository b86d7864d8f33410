# What only a GPU can judge is named, and is no fault of the kernels that pass.
cp -r lessons/01_sum lessons/02_more
sed 's/_sum/_more/' reference/sum.cu >reference/more.cu
cp reference/sum.cu student/sum.cu
sed 's/float acc = 0.0f;/float acc = 0.0f; asm("");/' reference/more.cu >student/more.cu
tilegrade test | tail -n 1
echo "exit ${PIPESTATUS[0]}"
echo "int broken" >student/sum.cu
tilegrade test | tail -n 1
echo "exit ${PIPESTATUS[0]}"
