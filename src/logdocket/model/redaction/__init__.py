"""What of a line may leave this machine: the line with placeholders where secrets stood."""

from logdocket.model.redaction.redact import Redacted, redact

__all__ = ["Redacted", "redact"]
