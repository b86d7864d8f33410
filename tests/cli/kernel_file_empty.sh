: > student/sum.cu
tilegrade test
