# A name that students choose is text: make runs no command in it, typed or from the environment.
bad='x$(shell touch PWNED)y${shell touch PWNED}`touch PWNED`'
all=()
names=(EX SIZE SEED DEVICE JOBS SANDBOX SUBMISSION OUT CARD RESULT FORMAT XML FROM SIZES
    ASSIGNMENT SUBMISSIONS ROSTER LAYOUT ENGINE SLURM T TAP V SECONDS)
for name in "${names[@]}"; do
    all+=("$name=$bad")
done
course=(-C "$REPOSITORY")
targets=(test grade class report regrade check-course handout pack practice bench)
make -s -n "${course[@]}" "${targets[@]}" "${all[@]}" >commands 2>&1
env "${all[@]}" make -s -n "${course[@]}" "${targets[@]}" >>commands 2>&1
grep -c -- "'OUT=x\$(shell touch PWNED)" commands
make -s -n "${course[@]}" grade "SUBMISSION=$bad" "OUT=$bad" | grep -o -- "'SUBM.*"
make -s -n "${course[@]}" hint "$bad" 2>&1 | grep -o -- "--from-make.*"
# The programs that make starts get the names in their environment too.
make -s "${course[@]}" report "RESULT=$bad" "OUT=$bad" 2>&1 | grep -o 'x.*y[^:]*'
env "RESULT=$bad" make -s "${course[@]}" report 2>&1 | grep -o 'x.*y[^:]*'
ls "$REPOSITORY"/*PWNED* PWNED 2>/dev/null
# Near miss: a folder with such a name is graded, by the line that make would run.
folder='x$(shell exit 1), $5 # $$(HOME)'
mkdir "$folder"
make -s -n "${course[@]}" grade EX=naive "SUBMISSION=$PWD/$folder" "OUT=$PWD/out" QUIET=1 |
    grep '^build/tilegrade ' >line
(cd "$REPOSITORY" && bash "$OLDPWD/line") 2>&1 | grep -o 'nothing to grade here'
