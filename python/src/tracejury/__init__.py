"""Tracejury: an OpenTelemetry collector that judges AI agents."""
