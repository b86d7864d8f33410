# Names of exercises may follow the goal; a word that is neither is refused before anything runs.
course=(-s -C "$REPOSITORY")
for words in "test tiled" "hint 2" "reset student/tiled.cu naive" "practice bug 7"; do
    make -n "${course[@]}" $words | grep -o -- '--from-make.*'
done
for words in tset chek "clean tiled" 2 "test tiled EX=naive" "list a:b"; do
    make "${course[@]}" $words 2>&1 | grep -v '^make' | sed 's/^Makefile:[0-9]*/Makefile/'
done
make -s -C "$REPOSITORY/student" -n hint tiled | grep -o -- 'hint --from-make.*'
make -f "$REPOSITORY/Makefile" test 2>&1 | grep -o 'run make in.*'
