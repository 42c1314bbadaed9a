"""Runs `python -m remem` as the command `remem`."""

from remem.cli.entry_point import main

if __name__ == "__main__":
    main()
