void two_streams(const number *x, number *y, int N) {
    EACH(i, N) {
        y[i] = x[i] * x[i] + x[i];
    }
}
