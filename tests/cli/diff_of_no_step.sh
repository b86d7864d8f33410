tilegrade --root "$REPOSITORY" diff naive
