cp tests/wrong/sum/no_bounds.cu student/sum.cu
tilegrade grade --device emu --seed 1
