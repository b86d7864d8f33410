cp reference/sum.cu student/sum.cu
tilegrade grade --out graded --seed abc --device emu > /dev/null
ls build/cache 2> /dev/null | wc -l
tilegrade test --out first --device emu > /dev/null
ls build/cache | wc -l
tilegrade test --out second --device emu > /dev/null
ls build/cache | wc -l
cmp first/result.json second/result.json && echo same
