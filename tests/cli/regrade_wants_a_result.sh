tilegrade regrade
echo '{"schema": "other"}' >other.json
tilegrade regrade --result other.json
echo '{' >broken.json
tilegrade regrade --result broken.json
sed 's/"sum"/"gone"/' >gone.json <<'JSON'
{"schema": "tilegrade/result/v1", "exercises": [{"name": "sum", "verdict": "pass"}]}
JSON
tilegrade regrade --result gone.json
