"""The hkk rule book: rule 127 in full, and a playable game around it."""
