# Makes the submission: a folder where a file belongs.
import os

os.mkdir("sum.cu")
