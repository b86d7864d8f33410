# Each has one mistake that makes no illegal access: what was never read, never written, or written
# twice.  The last two read everything: one loses a product, one is right but does its work twice.
for kernel in tiles_rounded_down partial_tile_of_a partial_tile_of_b grid_too_short \
    grid_too_narrow sum_never_stored blocks_split_k last_product_missing blocks_overlap; do
    mkdir "$kernel"
    cp "$REPOSITORY/build/wrong/tiled/$kernel.cu" "$kernel/tiled.cu"
    tilegrade --root "$REPOSITORY" test --exercise tiled --submission "$kernel" --out "$kernel" \
        >"$kernel/text"
    sed -n '2,4p' "$kernel/text"
done
