head -c 3000 /dev/zero > student/sum.cu
tilegrade test
