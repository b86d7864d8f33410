# Makes the submission: hand in a link to a file of the machine.
import os

os.symlink(os.environ["CANARY"], "sum.cu")
