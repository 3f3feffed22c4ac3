"""Human-like players: what people do who reckon odds, and people who do not."""
