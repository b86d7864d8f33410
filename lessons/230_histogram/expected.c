void histogram(const uint8_t *keys, int *counts, int N) {
    for (int bin = 0; bin < 256; ++bin) {
        counts[bin] = 0;
    }
    for (int i = 0; i < N; ++i) {
        ++counts[keys[i]];
    }
}
