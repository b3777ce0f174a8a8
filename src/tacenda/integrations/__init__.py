"""Where people already work: servers that other tools speak to, guards of language models, plug-ins."""
