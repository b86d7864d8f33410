sed -i 's/^64 =/96 =/' lessons/01_sum/exercise.ini
sed '/\/\/@/d; s/^    int row/    if (M == 96) { __trap(); }\n&/' reference/sum.cu > student/sum.cu
tilegrade grade --device emu --seed 1
