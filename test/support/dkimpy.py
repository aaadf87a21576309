"""Verifies DKIM signatures with dkimpy.

Reads JSON from stdin: {"records": {name: text}, "messages": [base64, ...]}. Writes JSON: the results of each message, one for
each of its signatures: true, or the reason why it is not valid.
"""
import base64
import json
import re
import sys

import dkim
import nacl  # noqa: F401 (dkimpy verifies Ed25519 with it)


def results_of(message, records):
    def text_of(name, timeout=5):
        return records.get(name.decode("ascii").rstrip("."), "").encode("ascii")

    header = message.split(b"\r\n\r\n", 1)[0]
    count = len(re.findall(rb"^dkim-signature[ \t]*:", header, re.MULTILINE | re.IGNORECASE))
    return [result_of(message, index, text_of) for index in range(count)]


def result_of(message, index, text_of):
    try:
        return dkim.DKIM(message).verify(idx=index, dnsfunc=text_of) or "the signature does not match"
    except Exception as thrown:
        return f"{type(thrown).__name__}: {thrown}"


given = json.load(sys.stdin)
json.dump([results_of(base64.b64decode(one), given["records"]) for one in given["messages"]], sys.stdout)
