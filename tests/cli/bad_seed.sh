tilegrade grade --seed 12xy
