"""Users' files, looked at through the door: with their rights and no others, in bounded pieces."""
