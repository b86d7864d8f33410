course=$REPOSITORY/${BUILD:-build}/tests/course
[ -x "$course" ] || { echo "skip: build/tests/course is not built"; exit; }
TAP=nowhere/log "$course" tilegrade
ls build 2>&1
