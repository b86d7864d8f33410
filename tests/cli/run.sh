#!/bin/bash
# run.sh [NAME…]: runs the command-line tests.  NAME.sh is a script for bash; NAME.out is what it
# must print, both streams together, with the exit code as the last line.
#
# Each runs in a fresh copy of tests/cli/course, with `tilegrade` as a command, $REPOSITORY as the
# real course, and the folder itself printed as ROOT.  A script that prints "skip: why" alone was
# skipped.  UPDATE=1 writes the .out files anew.
set -u
here=$(cd "$(dirname "$0")" && pwd)
export REPOSITORY=${here%/tests/cli}
build=$REPOSITORY/${BUILD:-build}
# No GPU, also where there is one: what is printed must not depend on the machine.
export PATH=$build:$PATH NO_COLOR=1 LC_ALL=C.UTF-8 CUDA_VISIBLE_DEVICES=
# As when it is run by hand: a make above must not reach the makes of the tests.
unset MAKEFLAGS MFLAGS MAKELEVEL LANGUAGE TILEGRADE_LANGUAGE
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

# The grader's parts lie beside the program, so that its place does not matter to a copy of the
# course.
run_one() {
    local name=$1 folder=$work/$1
    cp -r "$here/course" "$folder" || return 3
    (cd "$folder" && bash "$here/$name.sh" 2>&1 </dev/null; echo "exit $?") |
        sed -e "s|$folder|ROOT|g" -e "s|$REPOSITORY|REPOSITORY|g" -e 's/[[:space:]]*$//' \
            >"$work/$name.got"
    # which layers hold is the machine's affair
    local from="^  (sandbox: |沙箱：)" to="^  (written: |已写出：)"
    sed -i -E "/$from/,/$to/{/$to/!d}" "$work/$name.got"
    chmod -R u+rwX "$folder"
    rm -rf "$folder"
}

for script in "$here"/*.sh; do
    name=$(basename "$script" .sh)
    [ "$name" != run ] || continue
    if [ $# -gt 0 ]; then
        case " $* " in *" $name "*) ;; *) continue ;; esac
    fi
    run_one "$name"
    if grep -q '^skip: ' "$work/$name.got"; then
        echo "skipped $name: $(grep '^skip: ' "$work/$name.got")"
        skipped=$((skipped + 1))
    elif [ -n "${UPDATE:-}" ]; then
        cp "$work/$name.got" "$here/$name.out"
    elif diff -u "$here/$name.out" "$work/$name.got" >"$work/diff"; then
        echo "ok $name"
        passed=$((passed + 1))
    else
        echo "FAIL $name"
        cat "$work/diff"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
