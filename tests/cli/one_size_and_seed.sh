cp tests/wrong/sum/no_bounds.cu student/sum.cu
tilegrade test --exercise sum --size 9x10x11 --seed 00ff
