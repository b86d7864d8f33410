#!/bin/bash
# check.sh [SUITE…]: runs the tests of the grader.  Its last line, `N passed, N failed`, is true.
#
# A suite says how many of its tests passed in its own words (Check's, Python's, or "N passed, N
# failed"); this script adds up.  A suite that says nothing, or fails without saying what, counts
# as one failure: silence is never success.  A suite that skips says why, and how many each time:
# `skipped 12: no GPU here` or `skipped NAME: no GPU here`, or as Python does.
#
# SUITE is the name of a suite or the start of one: unit, unit/emu, emu, cli, course; or a suite and
# the start of a name in it: unit/judge/oracle, cli/hint, tools/lint.  Without one, all suites of a
# tier run: those for each push; with QUICK=1 those that take seconds; with ALL=1 all of them, of
# which every test takes part.  A tier fails if it takes more processor time than its budget.
#
# Suites run side by side, one on each core, the long ones first.  STATUS=1 runs nothing: it says
# how far the last run is, also while it goes on.  BUILD names the build folder (default: build),
# JOBS how many suites run at a time.
set -um  # -m: a suite is a process group of its own, which a signal from the keyboard can end
cd "$(dirname "$0")/.." || exit 3
BUILD=${BUILD:-build}
JOBS=${JOBS:-$(nproc)}
logs=$BUILD/check
state=$logs/state
wanted=("$@")
names=() commands=() lines=()
passed=0 failed=0 skipped=0 cpu=0
failures=() details=""
SEEN_TESTS=10 SEEN_LINES=30  # so many lines of so many failed tests of a suite, of others the first
begun=$EPOCHSECONDS
HEARTBEAT=15                 # seconds of silence before a line says what is going on

# Processor seconds that each tier may take, with room for a slower or a busy machine.
declare -A BUDGET=([quick]=60 [push]=1200 [nightly]=12000)
tier=push
[ -z "${QUICK-}" ] || tier=quick
[ -z "${ALL-}" ] || tier=nightly SETS=all
is_asked=${STATUS-}
unset QUICK ALL STATUS  # of a make that a suite starts
QUICK_SUITES=(lint format unit/{app,base,device,emu,exercise,judge,measure,sandbox})
NIGHTLY_SUITES=(sanitized portability)

in_tier() {
    case $tier in
    quick) [[ " ${QUICK_SUITES[*]} " == *" $1 "* ]] ;;
    push) [[ " ${NIGHTLY_SUITES[*]} " != *" $1 "* ]] ;;
    esac
}

# suite NAME COMMAND…: one more suite, if it is wanted, or a part of it, named by more words.
suite() {
    local name=$1 prefix parts=()
    shift
    if [ ${#wanted[@]} = 0 ] && in_tier "$name"; then
        names+=("$name") commands+=("${*@Q}")
    fi
    for prefix in "${wanted[@]}"; do
        if [[ $name == "$prefix"* ]]; then
            names+=("$name") commands+=("${*@Q}")
            return
        fi
        [[ $prefix != "$name"/* ]] || parts+=("${prefix#"$name"/}")
    done
    if [ ${#parts[@]} != 0 ]; then
        names+=("$name") commands+=("${*@Q} ${parts[*]@Q}")
    fi
}

log_of() { echo "$logs/${names[$1]//\//-}.log"; }

# Runs the suite of that number, as a background process.
begin() {
    local log
    log=$(log_of "$1")
    lines[$1]="running $SECONDS"
    {
        set +m
        TIMEFORMAT='%R %U %S'
        { time eval "${commands[$1]}" >"$log" 2>&1 </dev/null; } 2>"$log.seconds"
    } &
    number_of[$!]=$1
}

# Prints "passed failed skipped told" as read from a log, then a line for each reason to skip.
count() {
    awk '
        function skip(times, why) {
            reasons[why] += times
            given += times
        }
        /^[0-9]+%: Checks: / {  # Check: 100%: Checks: 12, Failures: 0, Errors: 0
            gsub(/[^0-9 ]/, "")
            split($0, n, " ")
            bad += n[3] + n[4]
            good += n[2] - n[3] - n[4]
            told = 1
        }
        /^Ran [0-9]+ tests? in / { ran += $2; told = 1 }     # Python
        /^setUpClass .* skipped / { ran++ }                  # no test, but counts as skipped
        /(^| )skipped [\047"].*[\047"]$/ {
            sub(/.*skipped ./, "")
            sub(/.$/, "")
            skip(1, $0)
        }
        /^(FAILED|OK)( \(|$)/ {
            line = $0
            while (match(line, /(failures|errors|skipped)=[0-9]+/)) {
                split(substr(line, RSTART, RLENGTH), part, "=")
                if (part[1] == "skipped") skipped += part[2]; else bad += part[2]
                ran -= part[2]
                line = substr(line, RSTART + RLENGTH)
            }
        }
        /^skipped [^ :]+: / {
            times = $2 + 0 ? $2 + 0 : 1
            sub(/^skipped [^:]*: /, "")
            skip(times, $0)
        }
        /^[0-9]+ passed, [0-9]+ failed/ {
            good += $1
            bad += $3
            if ($6 ~ /^skipped/) skipped += $5
            told = 1
        }
        END {
            if (skipped > given) skip(skipped - given, "no reason is given")
            print good + ran + 0, bad + 0, skipped + 0, told + 0
            sort = "sort -k2,2nr -k3"
            for (why in reasons) printf "    skipped %d: %s\n", reasons[why], why | sort
        }' "$1"
}

# seen LOG TOLD: what a log says of the tests that failed: the line that names each and those that
# follow.  If there is none, or the suite ended without a sum, the end of the log follows, without
# the tests that passed or were skipped.
seen() {
    local found
    found=$(awk -v lines=$SEEN_LINES -v tests=$SEEN_TESTS '
        /^ *((FAIL|ERROR)[: ]|[^ ]+:[0-9]+:[EF]:)/ { shown = ++count <= tests ? lines : 1 }
        /^(ok|skipped|Ran) |^=+$|^[0-9]+ passed, / { shown = 0 }
        shown > 0 && NF { print; shown-- }' "$1")
    [ -z "$found" ] || echo "$found"
    if [ -z "$found" ] || [ "$2" = 0 ]; then
        grep -vE '^(ok|100%|skipped .*:)|^Running suite| \.\.\. (ok|skipped .*)$' "$1" | tail -n 40
    fi
}

# Prints the line of a suite that has ended, with that number and exit code.
tell() {
    local log name=${names[$1]} code=$2 good bad skip told wall user system seconds reasons line
    log=$(log_of "$1")
    { read -r good bad skip told; reasons=$(cat); } < <(count "$log")
    read -r wall user system <"$log.seconds"
    seconds=$(awk "BEGIN { print $user + $system }")
    cpu=$(awk "BEGIN { print $cpu + $seconds }")
    if [ "$told" = 0 ] || [ $((good + bad + skip)) = 0 ] ||
        { [ "$code" != 0 ] && [ "$bad" = 0 ]; }; then
        bad=$((bad + 1))
    fi
    passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + skip))
    printf -v line '%5d passed, %4d skipped, %3d failed %7.1f s, of the processor %7.1f s' \
        "$good" "$skip" "$bad" "$wall" "$seconds"
    lines[$1]=$line
    printf '%-18s%s\n' "$name" "$line"
    [ -z "$reasons" ] || echo "$reasons"
    if [ "$bad" != 0 ]; then
        echo "    FAILED with exit code $code; all of it: $log"
        details+="$name:"$'\n'$(seen "$log" "$told" | sed 's/^/    /')$'\n'
        failures+=("$name")
    fi
}

# Writes how far the run is, for STATUS=1: a line for each suite.
state_write() {
    local i
    {
        echo "$tier $$ $1"
        for i in "${!names[@]}"; do
            echo "${names[$i]} ${lines[$i]-waiting}"
        done
    } >"$state.$$"
    mv "$state.$$" "$state"
}

# Prints what another run has written so.
state_print() {
    local tier pid how name line seconds=
    [ -f "$state" ] || { echo "no check has run here"; exit 1; }
    {
        read -r tier pid how
        if [[ $how == running* ]] && ! kill -0 "$pid" 2>/dev/null; then
            how="stopped before its end"
        elif [[ $how == running* ]]; then
            seconds=$((EPOCHSECONDS - ${how#running since }))
            how="running for $seconds s"
        fi
        echo "$tier: $how"
        while read -r name line; do
            case $line in
            running*) line="running for $((seconds - ${line#running })) s: $(last_line "$name")" ;;
            esac
            printf '%-18s%s\n' "$name" "$line"
        done
    } <"$state"
}

# The last line of the log of a suite that runs.
last_line() { tail -n 1 "$logs/${1//\//-}.log" 2>/dev/null | cut -c 1-60; }

# Says what is going on, after some seconds of silence.
heartbeat() {
    local i
    for i in "${number_of[@]}"; do
        echo "  ... ${names[$i]}: $(last_line "${names[$i]}")"
    done
}

# Suites that begin first, so that at the end no long one runs alone.  `class` mostly waits for a
# cluster, so it takes the place of no other suite.
FIRST=(class course sanitized attacks portability emu kinds cli grade faults)
WAITS=class

# Prints the numbers of the suites in the order in which they begin.
order() {
    local name i
    for name in "${FIRST[@]}"; do
        for i in "${!names[@]}"; do [ "${names[$i]}" != "$name" ] || echo "$i"; done
    done
    for i in "${!names[@]}"; do [[ " ${FIRST[*]} " == *" ${names[$i]} "* ]] || echo "$i"; done
}

# Runs all suites, JOBS at a time, and prints the line of each when it ends.
run_all() {
    local next=0 places=$JOBS begin_order code pid ticker groups
    declare -A number_of=()
    mapfile -t begin_order < <(order)
    trap 'groups=("${!number_of[@]}" "$ticker")
        kill -TERM -- "${groups[@]/#/-}"; exit 130' INT TERM
    sleep $HEARTBEAT &
    ticker=$!
    while [ "$next" -lt "${#names[@]}" ] || [ "${#number_of[@]}" != 0 ]; do
        while [ "$next" -lt "${#names[@]}" ] && [ "${#number_of[@]}" -lt "$places" ]; do
            begin "${begin_order[$next]}"
            [ "${names[${begin_order[$next]}]}" != "$WAITS" ] || places=$((places + 1))
            next=$((next + 1))
        done
        state_write "running since $begun"
        wait -n -p pid
        code=$?
        if [ "$pid" = "$ticker" ]; then
            heartbeat
            sleep $HEARTBEAT &
            ticker=$!
            continue
        fi
        [ "${names[${number_of[$pid]}]}" != "$WAITS" ] || places=$((places - 1))
        tell "${number_of[$pid]}" "$code"
        unset "number_of[$pid]"
    done
    kill "$ticker"
    wait "$ticker" 2>/dev/null
}

# A separate make, with none of the variables that were typed for this one.
own_make() { env -u MAKEFLAGS -u MAKELEVEL -u T make -s -j"$JOBS" "$@"; }

# The unit tests with sanitizers, as at each push with few random orders of summation.
sanitized() { EXPECTED_ORDERS=20 own_make unit SAN=address,undefined; }

# python_tests FOLDER [NAME…]: the files that are called test_*.py, or test_NAME*.py.
python_tests() {
    local names=("${@:2}") name
    for name in "${names[@]-}"; do
        /usr/bin/python3 -m unittest discover -v -s "$1" -p "test_$name*.py" || return
    done
}

if [ -n "$is_asked" ]; then
    state_print
    exit
fi
mkdir -p "$logs" || exit 3
# By these tests/drawn.py draws.
export SETS=${SETS-} SAMPLE=${SAMPLE:-$(git rev-parse --short=12 HEAD 2>/dev/null || echo none)}
[ "$tier" = nightly ] || export EXPECTED_ORDERS=${EXPECTED_ORDERS:-20}  # tests/unit/integration
unset LANGUAGE TILEGRADE_LANGUAGE  # a developer may have another language
export CK_TIMEOUT_MULTIPLIER=10  # sanitizers take their time, and so does a machine under load
export LC_ALL=C.UTF-8 NO_COLOR=1 CK_VERBOSITY=normal PYTHONDONTWRITEBYTECODE=1
for folder in tests/unit/*/; do
    name=$(basename "$folder")
    suite "unit/$name" "$BUILD/tests/unit-$name"
done
if [ "$BUILD" = build ]; then
    suite sanitized sanitized
    suite lint own_make lint
    suite format own_make format-check
fi
suite emu /usr/bin/python3 tests/emu/run.py "$BUILD"
suite hidden /usr/bin/python3 tests/hidden/run.py "$BUILD"
suite kinds /usr/bin/python3 tests/emu/kinds.py "$BUILD"
suite rounds /usr/bin/python3 tests/emu/rounds.py "$BUILD"
suite portability /usr/bin/python3 tests/emu/portability.py "$BUILD"
suite cli /usr/bin/python3 tests/cli/run.py
suite programs /usr/bin/python3 tests/programs/run.py
suite course /usr/bin/python3 tests/course/run.py "$BUILD"
suite attacks /usr/bin/python3 tests/attacks/run.py "$BUILD"
for folder in tests/*/; do
    if ls "$folder"test_*.py >/dev/null 2>&1; then
        suite "$(basename "$folder")" python_tests "$folder"
    fi
done

if [ ${#names[@]} = 0 ]; then
    echo "no suite is called ${wanted[*]}"
    exit 2
fi
run_all
printf '%d s in all, %.0f s of the processor\n' "$SECONDS" "$cpu"
if [ ${#wanted[@]} = 0 ] && [ "${cpu%.*}" -gt "${BUDGET[$tier]}" ]; then
    echo "that is more than the budget of this tier, ${BUDGET[$tier]} s: see tests/README.md"
    failed=$((failed + 1)) failures+=("the budget of processor time")
fi
if [ ${#failures[@]} != 0 ]; then
    printf '\n%s\n' "$details"
    [ "${SETS-}" = all ] || echo "the parts of suites were drawn by SAMPLE=$SAMPLE"
    printf 'failed: %s\n' "${failures[*]}"
fi
if [ "$skipped" = 0 ]; then
    printf '%d passed, %d failed\n' "$passed" "$failed"
else
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
fi
state_write "ended after $SECONDS s with $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
