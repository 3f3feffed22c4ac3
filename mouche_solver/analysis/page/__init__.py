"""What every page and figure shares."""
