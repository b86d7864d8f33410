void softmax(const number *x, number *y, int H, int W) {
    EACH(row, H) {
        const number *from = x + row * W;
        number most = from[0];
        for (int i = 1; i < W; ++i) {
            most = fmax(most, from[i]);
        }
        number sum = 0;
        for (int i = 0; i < W; ++i) {
            sum += exp(from[i] - most);
        }
        for (int i = 0; i < W; ++i) {
            y[row * W + i] = exp(from[i] - most) / sum;
        }
    }
}
