"""What holds for every test."""

import os
import sys

# Where the environment forbids bytecode, each of the hundred processes that tests start would compile anew all
# that it imports, which takes longer than the tests.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
