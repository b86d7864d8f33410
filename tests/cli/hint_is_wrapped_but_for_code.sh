long="A sentence that is longer than a line of a terminal, and goes on"
code="\`\`\`\n$long with code\n\`\`\`"
sed -i "s/^Which products?/$long\n$long.\n\n$code\n$long.\n* $long, in a list/" \
    lessons/01_sum/hints.md
tilegrade hint --exercise sum
