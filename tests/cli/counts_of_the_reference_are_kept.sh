# A grade is the same but for its time, with kept numbers that are whole, damaged, forged or old.
cp reference/sum.cu student/sum.cu
kept=build/counts/sum.json
graded() {
    tilegrade grade --out "$1" --seed abc --device emu > /dev/null
    same first/result.json "$1/result.json" && echo "$1: same"
}
tilegrade grade --out first --seed abc --device emu > /dev/null
grep -o '"size":[^]]*]' $kept | sort | uniq -c
cp $kept whole.json
graded kept
cmp $kept whole.json && echo "the file stays as it is"
truncate -s 1000 $kept
graded damaged
cmp $kept whole.json && echo "the file is made again"
# Numbers of another reference, with a digest that is right.
sed -i 's/acc = 0.0f;/acc = 0.0f; \/\/ other/' reference/sum.cu
tilegrade grade --out other --seed abc --device emu > /dev/null
cmp -s $kept whole.json || echo "another reference has another file"
sed -i 's/ \/\/ other//' reference/sum.cu
graded back
cmp $kept whole.json && echo "the file is made again"
sed -i 's/"global_load_sectors":/"global_load_sectors":9/' $kept
graded forged
rm -r build/counts && touch build/counts
graded not_kept
# No layer holds the kernel, so it could write there.
rm build/counts
tilegrade grade --out unsafe --seed abc --device emu --sandbox unsafe > /dev/null
ls build/counts
