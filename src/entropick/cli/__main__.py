"""``python -m entropick.cli`` is the command ``entropick``."""

from . import main

main()
