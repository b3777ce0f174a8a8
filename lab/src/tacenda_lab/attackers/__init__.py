"""Further re-identification attackers."""
