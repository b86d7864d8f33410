# Only the lessons of the assignment are there, and one that has no exercise, but no kernels with a
# bug; no link is broken, and it needs no name.
mkdir lessons/000_machine
echo Hello >lessons/000_machine/lesson.md
cp -r lessons/01_sum lessons/020_more
sed s/matmul_sum/matmul_more/ reference/sum.cu >reference/more.cu
sed -i '1i before = sum' lessons/020_more/exercise.ini
mkdir -p lessons/assignments/bugs/graded lessons/bugs/01
cp reference/more.cu lessons/bugs/01
cp reference/more.cu lessons/assignments/bugs/graded
printf 'title = Part 2\n[exercises]\nmore = 30\n' >lessons/assignments/part2.ini
printf 'title = Part 1\n[exercises]\nsum =\n' >lessons/assignments/part1.ini
cat >lessons/README.md <<'PAGE'
Begin with [the `sum`](01_sum/lesson.md), then [more [of it]](020_more/lesson.md#x "Title").
[Verdicts](verdicts.md), [us](https://example.org/01_sum), `[a](01_sum/no.md)`, [x] (01_sum).
```
[a](01_sum/lesson.md)
```
[A link over
two lines](01_sum/hints.md)
PAGE
tilegrade handout --out given --assignment part2
cd given && find lessons student -type f | sort
cat lessons/README.md
tilegrade list
tilegrade test --exercise sum
