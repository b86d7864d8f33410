rm -r reference
tilegrade grade --device emu
