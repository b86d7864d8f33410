# A wrong kernel that is caught at another line is caught for another reason.
sed -i '1s/ 11 / 12 /' tests/wrong/sum/no_bounds.cu
tilegrade check-course | grep -A1 no_bounds
sed -i '1s/ 12 / /' tests/wrong/sum/no_bounds.cu
tilegrade check-course | grep -A1 no_bounds
