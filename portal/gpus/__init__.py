"""What an agent reports of a GPU, and what is wrong with it in words."""
