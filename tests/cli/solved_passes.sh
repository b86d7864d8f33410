grep -v @ reference/sum.cu > student/sum.cu
tilegrade test
code=$?
tilegrade list
exit $code
