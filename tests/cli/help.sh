tilegrade --help
