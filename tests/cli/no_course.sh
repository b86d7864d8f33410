cd / && tilegrade list --root /tmp
