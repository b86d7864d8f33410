tilegrade hint
