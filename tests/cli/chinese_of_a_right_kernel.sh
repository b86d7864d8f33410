export LANG=zh_CN.UTF-8 LC_ALL=
tilegrade test --submission reference
tilegrade grade --submission reference --device emu --seed 1 --verbose
