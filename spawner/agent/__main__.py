"""Entry of the one-file agent: without arguments the agent, `serve-jupyter` the launcher of the Jupyter server."""

from __future__ import annotations

import sys


def main() -> int:
    if sys.argv[1:2] == ["serve-jupyter"]:
        from .serve import serve

        return serve(sys.argv[2:])
    from .session import run

    return run()


if __name__ == "__main__":
    sys.exit(main())
