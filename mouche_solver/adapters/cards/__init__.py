"""Card Mouche in OpenSpiel."""
