void convolution(const number *image, const number *filter, number *out, int H, int W) {
    EACH(row, H) {
        EACH(col, W) {
            number sum = 0;
            for (int r = 0; r < 5; ++r) {
                for (int c = 0; c < 5; ++c) {
                    const int y = row + r - 2;
                    const int x = col + c - 2;
                    if (y >= 0 && y < H && x >= 0 && x < W) {
                        sum += filter[r * 5 + c] * image[y * W + x];
                    }
                }
            }
            out[row * W + col] = sum;
        }
    }
}
