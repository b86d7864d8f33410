#!/bin/bash
# say.sh CATALOGUE FORMAT [VALUE...]: prints a text, in Chinese if CATALOGUE is grader/texts/zh.po.
#
# For texts that are needed before anything is built or installed.  Such a text has one line.
set -u
catalogue=$1 format=$2
shift 2
if [ -n "$catalogue" ]; then
    # Single texts are one line each there (--no-wrap), with \" and \\ as the only escapes.
    spoken=$(FORMAT="$format" awk '
        function text(line) {
            sub(/^msg[a-z]* "/, "", line); sub(/"$/, "", line)
            gsub(/\\"/, "\"", line); gsub(/\\\\/, "\\", line)
            return line
        }
        /^msgid "/ {found = text($0) == ENVIRON["FORMAT"]}
        /^msgstr "/ && found {print text($0); exit}' "$catalogue")
    format=${spoken:-$format}
fi
# shellcheck disable=SC2059  # the format is one of ours, in either language
printf "$format\n" "$@"
