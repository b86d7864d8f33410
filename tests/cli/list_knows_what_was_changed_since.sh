# A verdict belongs to the content of a file: a file that was edited or removed has none.
grep -v @ reference/sum.cu > student/sum.cu
tilegrade test > /dev/null; tilegrade list
echo '// faster' >> student/sum.cu; tilegrade list
tilegrade test > /dev/null; tilegrade list
rm student/sum.cu; tilegrade list
tilegrade test > /dev/null; tilegrade list
