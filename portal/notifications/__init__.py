"""Mail and webhooks that tell users about their sessions."""
