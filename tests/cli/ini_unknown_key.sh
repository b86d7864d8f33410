sed -i 's/^tile/tyle/' lessons/01_sum/exercise.ini
tilegrade list
