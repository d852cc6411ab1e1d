"""Benchmarks, each against a peer or a limit: `./dev bench NAME --json FILE`; docs/reference/benchmarks.md."""
