# A verdict is that of a file: one that was edited, or is gone, has none yet.
grep -v @ reference/sum.cu > student/sum.cu
tilegrade test > /dev/null; tilegrade list
echo '// faster' >> student/sum.cu; tilegrade list
tilegrade test > /dev/null; tilegrade list
rm student/sum.cu; tilegrade list
tilegrade test > /dev/null; tilegrade list
