for i in 1 2 3 4; do tilegrade hint sum; done
