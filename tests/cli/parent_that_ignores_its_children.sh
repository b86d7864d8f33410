# whoever started the program may have said that the ends of children are of no interest to it
cp tests/wrong/sum/no_bounds.cu student/sum.cu
env --ignore-signal=CHLD tilegrade grade --out out --device emu > log
echo "exit code $?"
grep -c "no bounds\|out of bounds" log
