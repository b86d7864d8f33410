# A result regrades to itself, to the last bit; then a threshold changes, then the file itself.
tilegrade grade --device emu --seed 7 --submission reference --out out >/dev/null
tilegrade regrade --result out/result.json
echo "code $?"
sed -i 's/^points = .*/points = 20/' lessons/01_sum/exercise.ini
tilegrade regrade --result out/result.json --out again
echo "code $?"
tilegrade regrade --result again/result.json | tail -n 2
sed 's/"ratio": 1.0/"ratio": 0.5/' again/result.json >forged.json
tilegrade regrade --result forged.json
echo "code $?"
sed 's/"basis": "counted"/"basis": "measured"/' again/result.json >cut.json
tilegrade regrade --result cut.json
