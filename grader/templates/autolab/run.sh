#!/bin/bash
# run.sh HANDIN: grades in Autolab's machine.  Its last line is the scores; without a grade
# there is no such line, and Autolab says that the autograder failed.
set -eu
course=$(realpath -- "$(dirname -- "${BASH_SOURCE[0]}")/../../..")
out=$(mktemp -d)
trap 'rm -rf -- "$out"' EXIT
[ -x "$course/build/tilegrade" ] || make -s -C "$course" all >&2
bash "$course/grader/templates/grade_as.sh" autolab "$1" "$out"
cat "$out/autolab.txt"
