# An assignment gives points for answers: the last one counts, a wrong line costs itself alone, a
# file that is not handed in costs its points, and a handout has no answers.
mkdir lessons/assignments
cat >lessons/01_sum/questions.md <<'PAGE'
# Questions on sums

The answers follow each question.

## Rows

C has 9 rows. How many blocks are above each other?

- [x] 2: 9 / 8, rounded up.
- [ ] 1: That leaves a row out.

## Sectors

How many requests for loads does your kernel make at 64?

- [x] 1 = `global_load_requests`: Of the kernel's own counts.
- [ ] *: Count.

## The check

Why is `row < M` there?

- [ ] it makes the kernel faster: It does not.
- [x] the last blocks reach beyond C: Their threads
  must not store.
PAGE
sed 's/^## Rows/## 行/' lessons/01_sum/questions.md >lessons/01_sum/questions.zh.md
printf 'title = Homework\n[exercises]\nsum =\n[questions]\nsum = 4\n' >lessons/assignments/hw.ini
echo hw >lessons/assignments/default
cp reference/sum.cu student
grade() {
    tilegrade grade --out out --device emu | sed -n '/^  answers/,/^  points/p'
    echo "exit ${PIPESTATUS[0]}"
}
grade
printf '[sum]\n1 = 7\n1 = 2\n1 = two\n2 = %d\n3 = a, b\nnothing\n' \
    "$(sed -n 's/.*"global_load_requests": \([0-9]*\).*/\1/p' out/result.json | head -n 1)" \
    >student/answers.ini
grade
grep -A 7 '"section"' out/result.json | grep -E 'title|given|line|right|points"'
printf '3 = B)\n' >>student/answers.ini
sed -i '/nothing\|two\|a, b/d' student/answers.ini
grade
tilegrade regrade --result out/result.json | tail -n 2
sed -i 's/sum = 4/sum = 8/' lessons/assignments/hw.ini
tilegrade regrade --result out/result.json | tail -n 3
(cd student && python3 -m zipfile -c ../s.zip sum.cu answers.ini)
tilegrade grade --submission s.zip --out out --device emu --quiet
mkdir only && cp student/answers.ini only
tilegrade grade --submission only --out out --device emu --quiet
# A kernel with a bug: line, cause, and the repair of it, which is no other kernel.
bug=lessons/assignments/bugs/short_sum
mkdir -p $bug
sed '/@/d; s/k < K/k < K - 1/' reference/sum.cu >$bug/sum.cu
cat >$bug/questions.md <<'PAGE'
# Short

It is wrong.

## Which line?

- [x] 10: A term is left out.
- [ ] *: Count the terms.

## Why?

- [ ] race: No.
- [x] wrong_result: Yes.
PAGE
printf '[bugs]\nshort_sum = 6\n' >>lessons/assignments/hw.ini
printf '[short_sum]\n1 = 10\n2 = b\n' >>student/answers.ini
for from in "$bug/sum.cu" "reference/sum.cu" "student/short.cu"; do
    [ -e "$from" ] || sed '/@/d; s/acc/sum/; s/row/i/; s/col/j/' reference/sum.cu >"$from"
    [ "$from" = student/short.cu ] && seq -f '// %g' 11 >>"$from"
    cp "$from" student/short_sum.cu
    grade
done
grep -A 3 'short_sum' out/result.json | grep -A 1 '"title": "the'
rm student/short.cu
sed 's/K - 1/K/' $bug/sum.cu >student/short_sum.cu
grade
tilegrade submit
tilegrade handout --out given
cd given
cat lessons/01_sum/questions.md student/answers.ini
cp ../student/* student
grade
python3 $REPOSITORY/grader/report/practice/quiz.py . sum
