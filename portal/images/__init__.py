"""Container images: users' own and the site's, got from a registry or registered; each is an environment when ready."""
