tilegrade handout --out given
grep -v @ reference/sum.cu > given/student/sum.cu
cd given
tilegrade grade --device emu --seed 1
echo "exit code $?"
grep -E '"(complete|speed_complete|points|points_max|global_load_sectors)"' build/grade/result.json
echo "damaged numbers"
cp lessons/01_sum/reference.json whole.json
sed -i 's/"global_load_sectors":/"global_load_sectors":9/' lessons/01_sum/reference.json
tilegrade grade --device emu --seed 1
echo "exit code $?"
echo "numbers of fewer sizes"
sed 's/^\[counted\]/&\n96 = 0.95 0.30/' -i lessons/01_sum/exercise.ini
cp whole.json lessons/01_sum/reference.json
tilegrade grade --device emu --seed 1
echo "exit code $?"
echo "no numbers"
rm lessons/01_sum/reference.json
tilegrade grade --device emu --seed 1
