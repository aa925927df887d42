"""`python -m longfuse` is the command `longfuse`."""

import sys

from longfuse.cli import main

sys.exit(main())
