# A model answer is named when the kernel passes, and only if the assignment allows it.
tilegrade answer sum
grep -v '@' reference/sum.cu | sed 's/acc/total/g' >student/sum.cu
tilegrade answer sum
tilegrade test --exercise sum >/dev/null
tilegrade answer sum
echo >>student/sum.cu
tilegrade answer sum
tilegrade test --exercise sum >/dev/null
mkdir lessons/assignments
printf 'title = Homework\ndue = 2999-12-01T23:59:00Z\n[exercises]\nsum = 10\n' \
    >lessons/assignments/never.ini
sed '2ashow_reference = after_due' lessons/assignments/never.ini >lessons/assignments/later.ini
sed '2ashow_reference = always' lessons/assignments/never.ini >lessons/assignments/now.ini
for name in never later now; do tilegrade answer --assignment $name sum; done
rm -r reference
tilegrade answer sum
