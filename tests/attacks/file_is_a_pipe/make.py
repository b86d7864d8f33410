# Makes the submission: let the judge wait for ever.
import os

os.mkfifo("sum.cu")
