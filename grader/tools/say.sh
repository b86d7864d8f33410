#!/bin/bash
# say.sh CATALOGUE FORMAT [VALUE...]: prints a text, in Chinese if CATALOGUE is grader/texts/zh.po.
# say.sh CATALOGUE -: prints each line of the input, with what is after a tab as such a text.
#
# For texts that are needed before anything is built or installed.  Such a text has one line.
set -u
catalogue=$1 format=$2
shift 2

# Single texts are one line each in the catalogue (--no-wrap), with \" and \\ as the only escapes.
spoken() {
    awk '
        function text(line) {
            sub(/^msg[a-z]* "/, "", line); sub(/"$/, "", line)
            gsub(/\\"/, "\"", line); gsub(/\\\\/, "\\", line)
            return line
        }
        catalogue && /^msgid "/ {english = text($0)}
        catalogue && /^msgstr "./ {chinese[english] = text($0)}
        !catalogue {
            tab = index($0, "\t")
            english = substr($0, tab + 1)
            print substr($0, 1, tab - 1) (english in chinese ? chinese[english] : english)
        }' catalogue=1 ${catalogue:+"$catalogue"} catalogue=0 -
}

if [ "$format" = - ]; then
    spoken
    exit
fi
[ -z "$catalogue" ] || format=$(spoken <<<"$format")
# shellcheck disable=SC2059  # the format is one of ours, in either language
printf "$format\n" "$@"
