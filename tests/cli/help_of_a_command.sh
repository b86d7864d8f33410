tilegrade tiles --help
tilegrade tiles '-?' | cmp - <(tilegrade tiles --help)
tilegrade new --usage
tilegrade tiles -V -z
tilegrade tiles -z
