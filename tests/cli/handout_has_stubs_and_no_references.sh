tilegrade handout --out given
(cd given && find . -type f | sort)
cmp given/lessons/01_sum/stub.cu given/student/sum.cu
cd given && tilegrade test --device emu | head -n 1
