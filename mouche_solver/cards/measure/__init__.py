"""What a strategy gains and loses: tournaments, census, responses."""
