#!/bin/bash
# grade_as.sh FORMAT SUBMISSION OUT: grades SUBMISSION (a folder, .zip or .tar.gz) and renders the
# result as FORMAT (a module of grader/report) into OUT.
#
# Exit codes: 0 there is a grade, also a poor one; 3 there is none, and OUT holds no new file.
set -u
format=$1 submission=$(realpath -- "$2") out=$(realpath -m -- "$3")
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." || exit 3
work=$(mktemp -d) || exit 3
trap 'rm -rf -- "$work"' EXIT
build/tilegrade grade --submission "$submission" --out "$work" ${DEVICE:+--device "$DEVICE"}
code=$?
if [ "$code" -gt 1 ]; then
    echo "tilegrade: no grade (exit code $code); run it again, and tell the course staff" >&2
    exit 3
fi
python3 grader/report/report.py "$format" "$work/result.json" "$out" >"$work/log" || exit 3
