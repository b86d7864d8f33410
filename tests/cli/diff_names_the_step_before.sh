tilegrade --root "$REPOSITORY" diff tiled
