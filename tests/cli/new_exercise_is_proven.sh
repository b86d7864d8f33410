tilegrade new product && tilegrade handout --out given && tilegrade check-course product
echo "exit code $?"
sed -i 's/FILL IN: //' lessons/02_product/*
sed 's/sum/product/' reference/sum.cu > reference/product.cu
echo '// expect: wrong_result  (the last product is missing)' > tests/wrong/product/one_mistake.cu
sed -e 's/sum/product/' -e '/@/d' -e 's/k < K/k < K - 1/' reference/sum.cu \
    >> tests/wrong/product/one_mistake.cu
tilegrade stubs product && tilegrade check-course product &&
    python3 "$REPOSITORY/grader/tools/links.py" product && tilegrade list
# The linker reads a bare `add` as the hexadecimal number ad, with d for its base.
tilegrade new --kind=kernel add && tilegrade stubs add &&
    tilegrade check-course add && tilegrade list
sed -i 's/2 \* x/2 * z/' lessons/03_add/expected.c
tilegrade check-course add
echo "exit code $?"
sed -i 's/2 \* z/2 * x/' lessons/03_add/expected.c
tilegrade new --kind=products other
echo "exit code $?"
tilegrade handout --out given_add >handout.log && ls given_add/lessons/03_add
cp reference/add.cu given_add/student/ && tilegrade test --root given_add -q -e add
