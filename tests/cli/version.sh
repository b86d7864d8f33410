tilegrade --version
