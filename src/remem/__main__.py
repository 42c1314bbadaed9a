"""Runs `python -m remem` as the command `remem`."""

from remem.cli.entry import main

if __name__ == "__main__":
    main()
