"""The two-player round: solved, packed, asked, cut into a book, solved again below."""
