rm student/sum.cu && mkdir student/sum.cu
tilegrade test
