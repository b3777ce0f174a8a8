"""Integrations with the tools people already use: servers, guards for language models, plug-ins."""
