tilegrade list --language klingon
echo "$?"
LANG=zh_CN.UTF-8 LC_ALL= tilegrade list --language klingon
echo "$?"
LANG=tlh_KX.UTF-8 LC_ALL= tilegrade list
echo "$?"
TILEGRADE_LANGUAGE=klingon tilegrade list
