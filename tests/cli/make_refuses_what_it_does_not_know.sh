# A misspelt variable would grade another folder in silence. A make that calls this one may pass its
# own.
make -s -C "$REPOSITORY" help SUBMISION=anna 2>&1 | sed 's/^Makefile:[0-9]*/Makefile/'
make -s -C "$REPOSITORY" help ex=sum 2>&1 | sed 's/^Makefile:[0-9]*/Makefile/'
make -s -C "$REPOSITORY" help SUBMISSION= 2>&1 | sed 's/^Makefile:[0-9]*/Makefile/'
MAKELEVEL=1 make -s -C "$REPOSITORY" help SUBMISION=anna | grep -c '^  grade '
make -s -C "$REPOSITORY" help SUBMISSION=anna CC=gcc TMPDIR=/tmp | grep -c '^  grade '
# An option that a command does not take reaches the program, which refuses it.
make -n -C "$REPOSITORY" grade SIZE=1 SUBMISSION="anna o'brien" | grep -o -- '--submission=.*'
make -n -C "$REPOSITORY" check-course SANDBOX=unsafe | grep -o -- '--sandbox=.*'
