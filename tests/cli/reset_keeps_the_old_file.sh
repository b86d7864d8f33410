echo one > student/sum.cu; tilegrade reset sum
echo two > student/sum.cu; tilegrade reset sum
cat student/sum.cu.1 student/sum.cu.2
tilegrade test | head -n 1
tilegrade list
tilegrade reset sum
tilegrade list
rm student/sum.cu; tilegrade reset sum
