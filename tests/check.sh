#!/bin/bash
# check.sh [SUITE…]: runs the tests of the grader and ends with one true line, `N passed, N failed`.
#
# A suite says how many of its tests passed in its own words (Check's, Python's, or "N passed, N
# failed"); this script adds up.  A suite that says nothing, or fails without saying what, counts
# as one failure: silence is never success. SUITE is the name of a suite or the start of one: unit,
# unit/emu/race, emu, cli, course, attacks, report, tools,
# portability. BUILD names the build folder (default:
# build).
set -u
cd "$(dirname "$0")/.." || exit 3
BUILD=${BUILD:-build}
logs=$BUILD/check
mkdir -p "$logs" || exit 3
passed=0 failed=0 skipped=0
failures=()

# Prints "passed failed skipped" as a log tells them.
count() {
    awk '
        /^[0-9]+%: Checks: / {  # Check: 100%: Checks: 12, Failures: 0, Errors: 0
            gsub(/[^0-9 ]/, "")
            split($0, n, " ")
            bad += n[3] + n[4]
            good += n[2] - n[3] - n[4]
            told = 1
        }
        /^Ran [0-9]+ tests? in / { ran += $2; told = 1 }     # Python
        /^(FAILED|OK)( \(|$)/ {
            line = $0
            while (match(line, /(failures|errors|skipped)=[0-9]+/)) {
                split(substr(line, RSTART, RLENGTH), part, "=")
                if (part[1] == "skipped") skip += part[2]; else bad += part[2]
                ran -= part[2]
                line = substr(line, RSTART + RLENGTH)
            }
        }
        /^emulator: [0-9]+ kernels, [0-9]+ failed/ {
            good += $2 - $4
            bad += $4
            told = 1
        }
        /^[0-9]+ passed, [0-9]+ failed/ {
            good += $1
            bad += $3
            if ($6 ~ /^skipped/) skip += $5
            told = 1
        }
        END { print good + ran + 0, bad + 0, skip + 0, told + 0 }' "$1"
}

suite() {
    local name=$1 log code good bad skip told
    shift
    if [ ${#wanted[@]} -gt 0 ]; then
        local asked=
        for prefix in "${wanted[@]}"; do
            case $name in "$prefix"*) asked=1 ;; esac
        done
        [ -n "$asked" ] || return 0
    fi
    log=$logs/${name//\//-}.log
    "$@" >"$log" 2>&1 </dev/null
    code=$?
    read -r good bad skip told < <(count "$log")
    if [ "$told" = 0 ] || { [ "$code" != 0 ] && [ "$bad" = 0 ]; }; then
        bad=$((bad + 1))
    fi
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + skip))
    printf '%-32s %4d passed' "$name" "$good"
    [ "$skip" = 0 ] || printf ', %d skipped' "$skip"
    if [ "$bad" != 0 ]; then
        printf ', %d FAILED (exit code %d; all of it: %s)\n' "$bad" "$code" "$log"
        grep -vE '^(ok|100%)|^Running suite' "$log" | tail -n 40 | sed 's/^/    /'
        failures+=("$name")
    else
        printf '\n'
    fi
}

python_tests() { /usr/bin/python3 -m unittest discover -s "$1" -p 'test_*.py'; }

wanted=("$@")
unset LANGUAGE TILEGRADE_LANGUAGE  # a developer may have another language
export LC_ALL=C.UTF-8 NO_COLOR=1 CK_VERBOSITY=normal PYTHONDONTWRITEBYTECODE=1
for program in "$BUILD"/tests/unit/*/test_*; do
    case $program in *.d) continue ;; esac
    name=${program#"$BUILD"/tests/}  # unit/judge/test_oracle
    [ -f "tests/$name.c" ] || continue  # of a test that is gone
    suite "${name/test_/}" "$program"
done
suite emu /usr/bin/python3 tests/emu/run.py "$BUILD"
suite kinds /usr/bin/python3 tests/emu/kinds.py "$BUILD"
suite table /usr/bin/python3 tests/emu/table.py "$BUILD" --check
suite portability /usr/bin/python3 tests/emu/portability.py "$BUILD"
suite cli bash tests/cli/run.sh
suite course "$BUILD/tilegrade" check-course
suite attacks /usr/bin/python3 tests/attacks/run.py "$BUILD"
for folder in tests/*/; do
    if ls "$folder"test_*.py >/dev/null 2>&1; then
        suite "$(basename "$folder")" python_tests "$folder"
    fi
done

if [ $((passed + failed)) = 0 ]; then
    echo "no suite is called ${wanted[*]}"
    exit 2
fi
[ ${#failures[@]} = 0 ] || printf 'failed: %s\n' "${failures[*]}"
if [ "$skipped" = 0 ]; then
    printf '%d passed, %d failed\n' "$passed" "$failed"
else
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
fi
[ "$failed" = 0 ]
