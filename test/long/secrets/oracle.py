"""Writes generated secrets that a public rule set of secret formats reports, one JSON object a line.

Usage: oracle.py GITLEAKS GITLEAKS_TOML COUNT SEED

Half of them are made from the expressions of gitleaks' rules and are reported by that program, half from the expressions
of detect-secrets' plugins and are reported by them. Rules that look at randomness alone (no name, no format) and at
addresses of machines are left out.
"""

import json
import random
import re
import string
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import re._constants as kind
import re._parser as parser

from detect_secrets.plugins import high_entropy_strings, ip_public, keyword
from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class

ALPHABET = string.ascii_letters + string.digits + "-_"


class Sampler:
    """Draws a text that an expression matches. Classes of anything are drawn from letters, digits, hyphen and underscore."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def sample(self, expression):
        return self._all(parser.parse(python_syntax(expression)), {}, False)

    def _all(self, items, groups, repeated):
        return "".join(self._one(op, value, groups, repeated) for op, value in items)

    def _one(self, op, value, groups, repeated):
        if op is kind.LITERAL:
            return chr(value)
        if op is kind.NOT_LITERAL:
            return self.random.choice([c for c in ALPHABET if ord(c) != value])
        if op is kind.ANY:
            # An unescaped dot in an address stands for itself.
            return self.random.choice(ALPHABET) if repeated else "."
        if op is kind.IN:
            return self.random.choice(self._members(value))
        if op is kind.BRANCH:
            return self._all(self.random.choice(value[1]), groups, repeated)
        if op is kind.SUBPATTERN:
            group, _, _, items = value
            text = self._all(items, groups, repeated)
            groups[group] = text
            return text
        if op is kind.GROUPREF:
            return groups.get(value, "")
        if op in (kind.MAX_REPEAT, kind.MIN_REPEAT, kind.POSSESSIVE_REPEAT):
            least, most, items = value
            most = least + 8 if most is parser.MAXREPEAT else min(most, max(least + 8, 48))
            times = self.random.randint(least, max(least, most))
            return "".join(self._all(items, groups, True) for _ in range(times))
        return ""

    def _members(self, items):
        chosen, negated = set(), False
        for op, value in items:
            if op is kind.NEGATE:
                negated = True
            elif op is kind.LITERAL:
                chosen.add(chr(value))
            elif op is kind.RANGE:
                chosen.update(chr(c) for c in range(value[0], value[1] + 1))
            elif op is kind.CATEGORY:
                chosen.update(self._category(value))
        if negated:
            return [c for c in ALPHABET if c not in chosen] or ["x"]
        usual = sorted(c for c in chosen if c in ALPHABET + " =:.'\"+/|;,<>()~%$@")
        return usual or sorted(chosen)

    def _category(self, value):
        if value is kind.CATEGORY_DIGIT:
            return string.digits
        if value is kind.CATEGORY_WORD:
            return string.ascii_letters + string.digits + "_"
        if value is kind.CATEGORY_SPACE:
            return " "
        return ALPHABET


def python_syntax(expression):
    """RE2 allows `(?i)` anywhere: from there to the end of its group."""
    expression = expression.replace(r"\z", r"\Z")
    while (at := expression.find("(?i)")) >= 0:
        depth, end, in_class = 0, at + 4, False
        while end < len(expression):
            c = expression[end]
            if c == "\\":
                end += 2
                continue
            if c == "[":
                in_class = True
            elif c == "]":
                in_class = False
            elif not in_class and c == "(":
                depth += 1
            elif not in_class and c == ")":
                if depth == 0:
                    break
                depth -= 1
            end += 1
        expression = f"{expression[:at]}(?i:{expression[at + 4 : end]}){expression[end:]}"
    return expression


def from_gitleaks(program, rules_file, count, seed):
    sampler = Sampler(seed)
    rules = tomllib.loads(Path(rules_file).read_text())["rules"]
    candidates = []
    for rule in rules:
        if "regex" not in rule:
            continue
        for _ in range(12):
            candidates.append((rule["id"], sampler.sample(rule["regex"])))
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for i, (_, text) in enumerate(candidates):
            Path(folder, f"{i:05}.txt").write_text(text + "\n")
        report = Path(folder, "report.json")
        subprocess.run(
            [program, "dir", folder, "--no-banner", "--exit-code", "0", "-l", "error", "-c", rules_file]
            + ["--report-format", "json", "--report-path", str(report)],
            check=True,
        )
        for finding in json.loads(report.read_text()):
            i = int(Path(finding["File"]).stem) if finding["File"].endswith(".txt") else -1
            if i >= 0 and candidates[i][0] == finding["RuleID"]:
                found.setdefault(finding["RuleID"], []).append((candidates[i][1], finding["Secret"]))
    missing = sorted({rule for rule, _ in candidates} - set(found))
    print(f"gitleaks: {len(found)} rules drawn from, none reported of {', '.join(missing) or 'none'}", file=sys.stderr)
    return evenly("gitleaks", found, count)


def from_detect_secrets(count, seed):
    sampler = Sampler(seed)
    left_out = (high_entropy_strings, ip_public)
    found = {}
    for name, plugin in get_mapping_from_secret_type_to_class().items():
        if plugin.__module__ in {module.__name__ for module in left_out}:
            continue
        if plugin.__module__ == keyword.__name__:
            found[name] = list(by_keyword(plugin(), sampler))
            continue
        drawn = found.setdefault(name, [])
        for _ in range(40):
            for expression in plugin.denylist:
                text = sampler.sample(expression.pattern)
                if plugin.__name__ == "PrivateKeyDetector":
                    text, body = in_armour(text, sampler)
                    assert list(plugin().analyze_string(text))
                    drawn.append((text, body))
                    continue
                secrets = [one for one in plugin().analyze_string(text) if one]
                drawn.extend((text, secret) for secret in secrets[:1])
    return evenly("detect-secrets", {name: drawn for name, drawn in found.items() if drawn}, count)


def in_armour(marker, sampler):
    """The plugin reports the first line of a private key: the key is made up here."""
    body = "\n".join("".join(sampler.random.choice(string.ascii_letters + string.digits + "+/") for _ in range(64)) for _ in range(6))
    if not marker.startswith("BEGIN"):
        return f"{marker}: ssh-rsa\nPrivate-Lines: 6\n{body}\n", body
    return f"-----{marker}-----\n{body}\n-----{marker.replace('BEGIN', 'END')}-----\n", body


def by_keyword(plugin, sampler):
    """Names of the plugin's list, with prefixes and in the spellings of programs and files; values of any characters."""
    spellings = ['{}="{}"', '{} = "{}"', '"{}": "{}"', "{}: '{}'", "{}={}", "export {}={}", "{} := \"{}\""]
    for word in keyword.DENYLIST:
        for _ in range(24):
            base = sampler.sample(word)
            prefix = sampler.random.choice(["", "db_", "MY_APP_", "openai_", "prod-", "spring.datasource."])
            name = prefix + sampler.random.choice([base, base.upper(), base.title().replace("_", "")])
            length = sampler.random.randint(8, 40)
            signs = sampler.random.choice(["", "", "!#*-_."])
            value = "".join(sampler.random.choice(string.ascii_letters + string.digits + signs) for _ in range(length))
            text = sampler.random.choice(spellings).format(name, value)
            secrets = plugin.analyze_line(filename="settings.env", line=text, line_number=1)
            if any(secret.secret_value == value for secret in secrets):
                yield text, value


def evenly(source, found, count):
    """As many of each rule as of every other, as far as there are."""
    chosen, turn = [], 0
    while len(chosen) < count:
        row = [(rule, drawn[turn]) for rule, drawn in sorted(found.items()) if turn < len(drawn)]
        if not row:
            break
        chosen += [
            {"source": source, "rule": rule, "text": text, "secret": secret} for rule, (text, secret) in row
        ]
        turn += 1
    return chosen[:count]


def main():
    program, rules, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    detected = from_detect_secrets(count // 2, seed)
    for vector in from_gitleaks(program, rules, count - len(detected), seed) + detected:
        print(json.dumps(vector))


if __name__ == "__main__":
    main()
