cp tests/wrong/sum/no_bounds.cu student/sum.cu
tilegrade test --language zh
tilegrade grade --language=zh --device emu --seed 1
grep '"language"' build/grade/result.json
