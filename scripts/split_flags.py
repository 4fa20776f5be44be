#!/usr/bin/python3
"""Splits what stands in `flags` of the GitHub action into words, each ended by a zero byte.

Reads standard input. Blanks and line breaks separate words. Quotes, backslashes, and comments from `#` at the begin
of a word to the end of its line, are as in a shell; nothing is expanded.
"""

import re
import shlex
import sys

WORD = re.compile(r"""[#][^\n]* | (?: [^\s'"\\] | \\. | '[^']*' | "(?: [^"\\] | \\. )*" )+""", re.DOTALL | re.VERBOSE)


def words_of(text):
    rest = text.replace("\\\n", "").strip()
    while rest:
        word = WORD.match(rest)
        after = rest[word.end() :] if word else rest
        if not word or not after[:1].strip() == "":
            sys.exit(f"flags: a quote is opened and not closed: {after.splitlines()[0]}")
        if not word[0].startswith("#"):
            yield from shlex.split(word[0])
        rest = after.strip()


sys.stdout.write("".join(word + "\0" for word in words_of(sys.stdin.read())))
