cp tests/wrong/sum/no_bounds.cu student/sum.cu
tilegrade test --exercise sum
