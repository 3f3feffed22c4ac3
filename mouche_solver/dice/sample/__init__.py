"""Big tables by sampling."""
