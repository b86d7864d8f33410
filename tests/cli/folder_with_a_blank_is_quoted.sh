mkdir "Ann's work" && sed 's/acc;$/2.0f * acc;/' reference/sum.cu > "Ann's work/sum.cu"
tilegrade test --submission "Ann's work" | grep 'make test'
tilegrade test --submission student | grep 'make test'
