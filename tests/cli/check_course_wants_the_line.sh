# A wrong kernel that is caught at another line is caught for another reason.
sed -i '1s/ 11 / 12 /' tests/wrong/sum/no_bounds.cu
tilegrade check-course | grep -A1 no_bounds
sed -i '1s/ 12 / /' tests/wrong/sum/no_bounds.cu
tilegrade check-course | grep -A1 no_bounds
# With `?`, WRITE=1 writes what was found; what is right stays, and so does the reason.
sed -i '1s/out_of_bounds/?/' tests/wrong/sum/no_bounds.cu
tilegrade check-course --write | grep -A1 -e no_bounds -e passed
head -1 tests/wrong/sum/no_bounds.cu
tilegrade check-course | tail -1
# WRITE=1 also records at which sizes it fails; at these alone it has the same verdict and line.
cat tests/wrong/sum/sizes.txt
tilegrade check-course --recorded | tail -1
sed -i 's/no_bounds .*/no_bounds 3/' tests/wrong/sum/sizes.txt
tilegrade check-course --recorded | grep -A1 no_bounds
echo other 4 4 >tests/wrong/sum/sizes.txt
tilegrade check-course
rm tests/wrong/sum/sizes.txt
# A patch has that first line too.
mkdir -p build/wrong/sum
mv tests/wrong/sum/no_bounds.cu build/wrong/sum/
sed -i '1s/.*/\/\/ expect: ?  (a patch)/' build/wrong/sum/no_bounds.cu
head -1 build/wrong/sum/no_bounds.cu >tests/wrong/sum/no_bounds.patch
tilegrade check-course --write | grep no_bounds
head -1 tests/wrong/sum/no_bounds.patch build/wrong/sum/no_bounds.cu
rm build/wrong/sum/no_bounds.cu
tilegrade check-course
