"""Decision-time search: deals guessed from what a player has seen, every choice played through."""
