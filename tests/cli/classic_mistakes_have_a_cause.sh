# What beginners do most often, in words that name it.
for path in naive/semicolon_after_if naive/parameters_in_another_order tiled/tile_not_shared \
    tiled/sum_in_an_int tiled/block_smaller_than_tile tiled/sum_begins_in_each_tile \
    register_tiled/rows_of_a_by_one tensor_challenge/sums_of_the_tile_before; do
    exercise=${path%/*}
    folder=${path#*/}
    mkdir "$folder"
    cp "$REPOSITORY/build/wrong/$path.cu" "$folder/$exercise.cu"
    echo "== $folder"
    tilegrade --root "$REPOSITORY" test --exercise "$exercise" --submission "$folder" \
        --out "$folder" | sed -n '/^  read/q; /^  the compiler warns/q; 2,$p'
done
# Some of these sums do not start at 0 either, but hold no other element's value.
mkdir sums_from_1
sed 's/\(const int row = tile\)/wmma::fill_fragment(acc, tile > 3 ? 1.0f : 0.0f); \1/' \
    sums_of_the_tile_before/tensor_challenge.cu >sums_from_1/tensor_challenge.cu
echo "== sums_from_1"
tilegrade --root "$REPOSITORY" test --exercise tensor_challenge --submission sums_from_1 \
    --out sums_from_1 | sed -n '/^  read/q; 2,$p'
