#!/bin/bash
# grade_as.sh FORMAT SUBMISSION OUT: grades SUBMISSION (a folder, .zip or .tar.gz) and renders the
# result as FORMAT (a module of grader/report) into OUT.
#
# A submission without a kernel file gets a result too, in which every exercise is missing:
# platforms show what was wrong only next to a score.
#
# Exit codes: 0 there is a grade, even a poor one; 3 there is none, and OUT holds no new file.
set -u
# Names are passed on unchanged, relative to the folder in which this script starts. The grader
# refuses names that are links, or lead through one, so nothing here may follow a link first.
format=$1 submission=$2 out=$3
course=$(realpath -- "$(dirname -- "${BASH_SOURCE[0]}")/../..") || exit 3
has_kernels() { compgen -G "$1/*.cu" >/dev/null; }
# Some platforms unpack a zip of a folder, and then the kernel files are one folder deeper.
if [ -d "$submission" ] && [ ! -L "$submission" ] && ! has_kernels "$submission"; then
    deeper=("$submission"/*/)
    inner=${deeper[0]%/}
    if [ ${#deeper[@]} = 1 ] && [ ! -L "$inner" ] && has_kernels "$inner"; then
        submission=$inner
    fi
fi
work=$(mktemp -d) || exit 3
trap 'rm -rf -- "$work"' EXIT
"$course/build/tilegrade" grade --root "$course" --submission "$submission" --out "$work" \
    --allow-empty ${DEVICE:+--device "$DEVICE"}
code=$?
if [ "$code" = 2 ]; then
    echo "tilegrade: no grade, as what was handed in could not be read: see above" >&2
    exit 3
elif [ "$code" -gt 1 ]; then
    echo "tilegrade: no grade (exit code $code); run it again, and tell the course staff" >&2
    exit 3
fi
report=$course/grader/report/report.py
python3 "$report" "$format" "$work/result.json" "$out" >"$work/log" || exit 3
