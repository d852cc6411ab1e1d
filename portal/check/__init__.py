"""`portal check`: examines a site and reports what is missing and what to do. `run` does it."""
