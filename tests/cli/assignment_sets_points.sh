# An assignment gives an exercise other points; the result names it, and regrade finds it again.
mkdir lessons/assignments
cat >lessons/assignments/hw.ini <<'INI'
title = Homework
due = 2026-12-01T23:59:00+01:00
feedback = verdicts
[exercises]
sum = 40
INI
tilegrade grade --assignment hw --submission reference --out out --device emu --quiet
grep -A 6 '"assignment"' out/result.json
grep -cE '"(graded_at|seconds)"' out/result.json
tilegrade regrade --result out/result.json | tail -n 2
# The assignment of a handout or a package.
echo hw >lessons/assignments/default
tilegrade grade --submission reference --out out --device emu --quiet | tail -n 1
tilegrade grade --assignment hw2 --submission reference
sed -i s/sum/summ/ lessons/assignments/hw.ini
tilegrade list
