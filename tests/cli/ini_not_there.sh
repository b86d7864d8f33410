rm lessons/01_sum/exercise.ini
tilegrade list
