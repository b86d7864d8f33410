# Nothing could be graded: the line and the reason are shown as for any verdict, and the exit code
# is 3, with no result.
sed 's/float acc = 0.0f;/float acc = 0.0f; asm("");/' reference/sum.cu >student/sum.cu
tilegrade test
echo "exit $?"
tilegrade grade --submission student --out out >text
echo "exit $?"
grep 'needs a GPU' text
ls out
