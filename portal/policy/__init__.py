"""What a user may request: defaults, limits and refusals. It depends on nothing outside."""
