"""`python -m gec_fair` is `gec-fair`."""

from gec_fair.cli import main

main()
