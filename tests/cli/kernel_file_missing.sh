rm student/sum.cu
tilegrade test
