tilegrade tiles --card rtx306
