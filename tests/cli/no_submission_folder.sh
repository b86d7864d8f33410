tilegrade grade --submission nowhere
