"""Users' files, read through the door: with the user's permissions, in bounded pieces."""
