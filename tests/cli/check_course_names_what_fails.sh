sed -i '1s/out_of_bounds/race/' tests/wrong/sum/no_bounds.cu
sed -i 's/acc;$/2.0f * acc;/' reference/sum.cu
sed -i 's/#race/#rice/; s/#sum/nowhere.md/' lessons/01_sum/lesson.md
tilegrade check-course
echo "exit code $?"
python3 "$REPOSITORY/grader/tools/links.py"
