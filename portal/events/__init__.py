"""The event bus, and the streams that carry its events to open pages."""
