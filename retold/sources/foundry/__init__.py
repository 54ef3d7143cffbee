"""Chat logs of Foundry VTT."""
