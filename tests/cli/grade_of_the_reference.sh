tilegrade grade --submission reference --out out --device emu --seed 1
code=$?
ls out
exit $code
