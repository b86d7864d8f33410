tilegrade tiles --card rtx3060
