"""``python -m logdocket``."""

from logdocket.cli import main

main()
