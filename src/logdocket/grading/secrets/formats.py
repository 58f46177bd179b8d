"""Secrets that are known by their format, whatever stands around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.basic_auth import BasicAuthDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.jwt import JwtTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.npm import NpmDetector
from detect_secrets.plugins.openai import OpenAIDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector

__all__ = ["IN_ADDRESS", "PRIVATE_KEY", "formatted", "private_keys"]


class ModelKeyDetector(RegexBasedDetector):
    """Keys of models' APIs by the prefixes that their vendors document."""

    secret_type = "Model API Key"
    denylist = tuple(
        re.compile(rf"(?<![\w+/-]){pattern}")
        for pattern in (
            r"sk-(?:ant|proj|svcacct|admin|or)-[\w-]{20,200}",  # Anthropic, OpenAI, OpenRouter
            r"sk-[A-Za-z0-9]{20,100}(?![\w-])",  # OpenAI, DeepSeek and many that follow them
            r"AIza[\w-]{35}(?![\w-])",  # Google
            r"(?:gsk|hf|r8)_[A-Za-z0-9]{24,100}(?!\w)",  # Groq, Hugging Face, Replicate
            r"(?:xai|pplx|nvapi)-[\w-]{32,100}",  # xAI, Perplexity, NVIDIA
            r"github_pat_\w{40,100}",
        )
    )


_DETECTORS: Final[tuple[tuple[str, RegexBasedDetector], ...]] = (
    ("", ModelKeyDetector()),
    ("T3BlbkFJ", OpenAIDetector()),
    ("", AWSKeyDetector()),
    ("AccountKey", AzureStorageKeyDetector()),
    ("://", BasicAuthDetector()),
    ("", DiscordBotTokenDetector()),
    ("gh", GitHubTokenDetector()),
    ("", GitLabTokenDetector()),
    ("eyJ", JwtTokenDetector()),
    ("-us", MailchimpDetector()),
    ("_authToken", NpmDetector()),
    ("pypi-", PypiTokenDetector()),
    ("SG.", SendGridDetector()),
    ("", SlackDetector()),
    ("sq0csp-", SquareOAuthDetector()),
    ("k_live_", StripeDetector()),
    (":", TelegramBotTokenDetector()),
    ("", TwilioKeyDetector()),
)
"""Each with what all of its secrets hold: few lines do, and looking for that is quick.

Left out are those that take any long word, a public address or a digest for a secret.
"""

IN_ADDRESS: Final[str] = BasicAuthDetector.secret_type
"""The kind of a password in an address, which may be any word."""
_SHORTEST: Final = 16
PRIVATE_KEY: Final = "Private Key"
_ARMOUR: Final = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
    # The armour's own headers, and what a program writes between two lines of a text.
    r"[^-]{0,200}?[A-Za-z0-9+/]{40}"
)


def formatted(line: str) -> Iterator[tuple[str, str]]:
    """The kind and the text of whatever in ``line`` has the format of a secret."""
    for hint, detector in _DETECTORS:
        if hint in line and any(detector.analyze_string(line)):
            for pattern in detector.denylist:
                yield from ((detector.secret_type, _value(m)) for m in pattern.finditer(line))


def _value(found: re.Match[str]) -> str:
    """What was found, without the name or the address around it where the pattern tells both."""
    longest = max((group or "" for group in found.groups()), key=len, default="")
    return longest if len(longest) >= _SHORTEST or found[0].startswith("://") else found[0]


def private_keys(text: str) -> Iterator[int]:
    """The lines, from 1, at which a private key begins; its mere heading is none."""
    if "PRIVATE KEY" in text:
        for found in _ARMOUR.finditer(text):
            yield text.count("\n", 0, found.start()) + 1
