"""What the web app loads first: the site's description, the options of a form, the event stream."""
