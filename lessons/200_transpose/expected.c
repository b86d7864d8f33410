void transpose(const number *x, number *y, int H, int W) {
    EACH(row, H) {
        EACH(col, W) {
            y[col * H + row] = x[row * W + col];
        }
    }
}
