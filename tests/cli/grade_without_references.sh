tilegrade handout --out given
grep -v @ reference/sum.cu > given/student/sum.cu
cd given
tilegrade grade --device emu --seed 1
echo "exit code $?"
grep -E '"(complete|speed_complete|points|points_max|global_load_sectors)"' build/grade/result.json
