"""Few files of the service multiply or divide by months or years: the rest asks the package of charges."""

import ast
import re
from pathlib import Path

import pytest

import app.service

MOST = 40
_TIME = re.compile(r"(^|_)(months?|years?|quarters?|periods?|MONTHS_PER\w*|DAYS_IN_MONTH)($|_)")
_CONVERSIONS = {"Decimal", "Fraction", "float", "int", "abs", "max", "min", "round"}


def _counts_time(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=12):
            return True
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _TIME.search(name) is not None
        case ast.UnaryOp(operand=inner) | ast.Subscript(value=inner):
            return _counts_time(inner)
        case ast.BinOp(left=left, right=right):
            return _counts_time(left) or _counts_time(right)
        case ast.BoolOp(values=values):
            return any(map(_counts_time, values))
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=given):
            return any(map(_counts_time, given)) if name in _CONVERSIONS else bool(_TIME.search(name))
    return False


def _computes_with_time(path: Path) -> bool:
    return any(
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Mult | ast.Div | ast.FloorDiv | ast.Mod)
        and _counts_time(node)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    )


@pytest.mark.campaign
def test_few_files_compute_with_months() -> None:
    files = Path(app.service.__path__[0]).rglob("*.py")
    found = sorted(str(path) for path in files if _computes_with_time(path))
    assert len(found) <= MOST, found
