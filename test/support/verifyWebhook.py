"""Verifies a webhook with the reference implementation of Standard Webhooks.

Reads JSON from stdin: {"secret": text, "headers": {name: value}, "payload": text}. Prints accepted or refused. Exits with 3 if
the package is not installed.
"""
import json
import sys

try:
    from standardwebhooks.webhooks import Webhook, WebhookVerificationError
except ImportError:
    sys.exit(3)

given = json.loads(sys.stdin.buffer.read())
try:
    Webhook(given["secret"]).verify(given["payload"], given["headers"])
    print("accepted")
except WebhookVerificationError:
    print("refused")
