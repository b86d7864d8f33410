# A misspelt variable would grade another folder in silence. A make that calls this one may pass its
# own.
course=(-s -C "$REPOSITORY")
for words in "help SUBMISION=anna" "grade SUBMISION=anna" "list ex=sum" "grade SUBMISSION=" \
    "list SIZE=3" "grade N=1"; do
    make "${course[@]}" $words 2>&1 | grep -v '^make' | sed 's/^Makefile:[0-9]*/Makefile/'
done
MAKELEVEL=1 make "${course[@]}" help SUBMISION=anna | grep -c 'make grade'
make "${course[@]}" help CC=gcc TMPDIR=/tmp | grep -c 'make grade'
# The same words without make.
tilegrade list EX=sum SIZE=3
tilegrade list ex=sum
tilegrade list EX=
tilegrade list EX=sum sum
tilegrade list EX=sum | cut -c 1-18
# Where make runs a command, its environment counts too, and nowhere else.
EX=nobody tilegrade list | cut -c 1-18
EX=nobody tilegrade list --from-make | cut -c 1-40
EX=nobody tilegrade list --from-make sum | cut -c 1-18
# An option that a command does not take reaches the program, which refuses it.
make -n -C "$REPOSITORY" grade SIZE=1 SUBMISSION="anna o'brien" | grep -o -- '--from-make.*'
