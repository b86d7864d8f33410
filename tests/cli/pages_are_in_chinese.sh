# In Chinese, hints come from the Chinese page, and messages name Chinese pages; those that are
# missing are read in English.
cd lessons
sed 's/^## 1 .*/## 1 和/' 01_sum/hints.md >01_sum/hints.zh.md
touch 01_sum/lesson.zh.md
cd ..
export TILEGRADE_LANGUAGE=zh
tilegrade hint sum | head -n 1
tilegrade next | sed -n 2p
cp tests/wrong/sum/no_bounds.cu student/sum.cu
tilegrade test --exercise sum | grep '^  阅读'
touch lessons/verdicts.zh.md
tilegrade test --exercise sum | grep '^  阅读'
export TILEGRADE_LANGUAGE=en
tilegrade hint --hint 1 sum | head -n 1
