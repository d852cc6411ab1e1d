"""The idle policy: which sessions nobody uses, and the warnings, snoozes and ends that follow."""
