"""`python -m pincite`: the command, where no script of it is on the path."""

import sys

from pincite.interfaces.cli import main

if __name__ == "__main__":
    sys.exit(main())
