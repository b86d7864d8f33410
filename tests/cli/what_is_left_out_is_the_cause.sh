# Each has one mistake that makes no illegal access: what was never read, never written, or
# written twice.  The last two read everything: one loses a product, one is right but does its work
# four times.
judged() {  # EXERCISE KERNEL
    mkdir "$2"
    cp "$REPOSITORY/build/wrong/$1/$2.cu" "$2/$1.cu"
    tilegrade --root "$REPOSITORY" test --exercise "$1" --submission "$2" --out "$2" >"$2/text"
    sed -n '2,4p' "$2/text"
}
for kernel in tiles_rounded_down partial_tile_of_a partial_tile_of_b grid_too_short \
    grid_too_narrow sum_never_stored blocks_split_k last_product_missing; do
    judged tiled "$kernel"
done
judged vector_add blocks_overlap
