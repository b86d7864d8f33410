head -c 60000000 /dev/zero | tr '\0' ' ' > student/sum.cu
tilegrade test
