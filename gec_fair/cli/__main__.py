"""`python -m gec_fair.cli`."""

from gec_fair.cli import main

main()
