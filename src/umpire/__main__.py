"""`python -m umpire` is the command line."""

from umpire.cli import main

main()
