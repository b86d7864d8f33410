unset LC_ALL
tilegrade list
TILEGRADE_LANGUAGE=zh tilegrade list
LANGUAGE=zh_CN:en tilegrade list
LANG=zh_CN.UTF-8 tilegrade list
LC_ALL=C LANGUAGE=zh tilegrade list
TILEGRADE_LANGUAGE=en LANG=zh_CN.UTF-8 tilegrade list
tilegrade --language zh list
tilegrade --language=zh --root . list
TILEGRADE_LANGUAGE=zh tilegrade list --language=en
