"""The `portal` commands of users and administrators. They use the portal's own API."""
