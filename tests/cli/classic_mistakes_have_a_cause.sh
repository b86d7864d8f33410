# What beginners do most often, in words that name it.
for path in naive/semicolon_after_if naive/parameters_in_another_order tiled/tile_not_shared \
    tiled/sum_in_an_int tiled/block_smaller_than_tile tiled/sum_begins_in_each_tile \
    register_tiled/rows_of_a_by_one; do
    exercise=${path%/*}
    folder=${path#*/}
    mkdir "$folder"
    cp "$REPOSITORY/tests/wrong/$path.cu" "$folder/$exercise.cu"
    echo "== $folder"
    tilegrade --root "$REPOSITORY" test --exercise "$exercise" --submission "$folder" \
        --out "$folder" | sed -n '/^  read/q; /^  the compiler warns/q; 2,$p'
done
