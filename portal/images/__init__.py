"""Container images, users' own and the site's: pulled from a registry, or registered as files."""
