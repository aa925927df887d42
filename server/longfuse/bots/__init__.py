"""Computer players: they answer prompts, and know no rule book."""
