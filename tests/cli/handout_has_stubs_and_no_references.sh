# Nor has it a kernel with a bug that brings points.
mkdir -p lessons/assignments/bugs/graded
cp reference/sum.cu lessons/assignments/bugs/graded
tilegrade handout --out given
(cd given && find . -type f | sort)
cmp given/lessons/01_sum/stub.cu given/student/sum.cu
cd given && tilegrade test --device emu | head -n 1
