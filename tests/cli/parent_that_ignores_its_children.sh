# the process that started the program may ignore SIGCHLD
cp tests/wrong/sum/no_bounds.cu student/sum.cu
env --ignore-signal=CHLD tilegrade grade --out out --device emu > log
echo "exit code $?"
grep -c "no bounds\|out of bounds" log
