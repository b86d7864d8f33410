cp tests/wrong/sum/no_bounds.cu student/sum.cu
for jobs in 1 2 4; do
    tilegrade grade --out out$jobs --seed abc --device emu --jobs $jobs > /dev/null
done
same out1/result.json out2/result.json && same out1/result.json out4/result.json && echo same
tilegrade grade --jobs 0
tilegrade test --jobs 4x
