#!/bin/bash
# The entry point of a PrairieLearn external grader: reads /grade/student, writes
# /grade/results/results.json.  The course is built in the image (grader/templates/Containerfile).
set -u
root=${GRADE:-/grade}
bash "${COURSE:-/opt/tilegrade}/grader/templates/grade_as.sh" \
    prairielearn "$root/student" "$root/results"
