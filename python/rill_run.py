#!/usr/bin/env python3
"""The module rill.run under its earlier name, for scripts that have this folder in sys.path."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from rill.run import Mesh, Pose, RunError, RunFolder, Table, main, read_ply, summary  # noqa: E402,F401

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
