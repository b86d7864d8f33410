cp tests/wrong/sum/no_bounds.cu student/sum.cu
for i in 1 2 3; do
    tilegrade grade --out out$i --seed abc --device emu > /dev/null
done
same out1/result.json out2/result.json && same out1/result.json out3/result.json && echo same
