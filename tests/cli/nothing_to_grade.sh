# What is no submission gets no result, and a word about what it is.
mkdir -p class/anna class/ben essay none outer/hw
cp reference/sum.cu class/anna && cp reference/sum.cu class/ben && cp reference/sum.cu outer/hw
echo text >essay/essay.txt && cp reference/sum.cu essay/Sum.cu
for folder in class essay none outer; do
    tilegrade grade --quiet --submission $folder --out out
done
ls out 2>&1
# Where a platform shows nothing without a score, every exercise is missing.
tilegrade grade --quiet --submission essay --out out --allow-empty
