void scan(const number *x, number *y, int N) {
    number sum = 0;
    for (int i = 0; i < N; ++i) {
        sum += x[i];
        y[i] = sum;
    }
}
