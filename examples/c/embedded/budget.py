"""Compares figures with budget.toml: every figure has a budget and is within it, and every budget has a figure.

usage: budget.py FIGURES, a file with lines `group<TAB>name<TAB>number`."""

import sys
import tomllib
from pathlib import Path


def main():
    budget = tomllib.loads((Path(__file__).parent / "budget.toml").read_text())
    wrong = []
    seen = set()
    for line in Path(sys.argv[1]).read_text().splitlines():
        group, name, number = line.split("\t")
        figure = int(number)
        seen.add((group, name))
        limit = budget.get(group, {}).get(name)
        print(f"{group}, {name}: {figure}")
        if limit is None:
            wrong.append(f"{group}, {name}: {figure} has no budget")
        elif figure > limit:
            wrong.append(f"{group}, {name}: {figure} exceeds the budget of {limit}")
    for group, limits in budget.items():
        for name in limits:
            if (group, name) not in seen:
                wrong.append(f"{group}, {name}: there is a budget, but no measurement")
    for message in wrong:
        print(f"error: {message}", file=sys.stderr)
    sys.exit(1 if wrong else 0)


main()
