"""From a syntax tree to canonical source text: one statement a line, two blanks a level. Comments are not in the tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final

from topolang.syntax import ast
from topolang.units import Quantity

# how tightly an expression binds; an operand that binds less than its place asks for stands in parentheses
_OR, _AND, _NOT, _COMPARISON, _RANGE, _SUM, _PRODUCT, _MINUS, _ATOM = range(9)
_LEVEL: Final[dict[str, int]] = {
    "or": _OR,
    "and": _AND,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">=", "in"), _COMPARISON),
    **dict.fromkeys("+-", _SUM),
    **dict.fromkeys(("*", "/", "div", "mod"), _PRODUCT),
}
_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def print_file(file: ast.File) -> str:
    """Return the text of a file."""
    edition = [f"topolang {file.edition}"] if file.edition is not None else []
    return "".join(f"{line}\n" for line in (*edition, *_lines(file.items, "")))


def print_item(item: ast.Item) -> str:
    """Return the text of a statement, without a line break at its end."""
    return "\n".join(_statement(item, ""))


def print_expression(expr: ast.Expr) -> str:
    """Return the text of an expression, with the parentheses that it needs."""
    return _expr(expr, _OR)


# ---------------------------------------------------------------- statements


def _lines(items: Iterable[ast.Item], indent: str) -> Iterator[str]:
    for item in items:
        yield from _statement(item, indent)


def _statement(item: ast.Item, indent: str) -> Iterator[str]:
    head = f"{indent}{_head(item)}"
    body = getattr(item, "body", None)
    always = isinstance(item, (ast.Container, ast.Fabric, ast.Place, ast.For))
    if body:
        yield f"{head} {{"
        yield from _lines(body, f"{indent}  ")
        yield f"{indent}}}"
    else:
        yield f"{head} {{}}" if always else head


def _head(item: ast.Item) -> str:
    match item:
        case ast.Import():
            what = print_expression(item.file) if item.file is not None else _dotted(item.path)
            return f"import {what}{f' as {item.alias.text}' if item.alias else ''}"
        case ast.Container():
            return f"{item.kind} {item.name.text}{_params(item.params)}"
        case ast.Kind():
            return f"kind {item.subject.text}{f' {item.name.text}' if item.name else ''}{_params(item.params)}"
        case ast.Fabric():
            return f"fabric {item.name.text} : {item.kind.text}"
        case ast.Instance():
            arguments = f"({_arguments(item.arguments)})" if item.arguments else ""
            condition = f" if {print_expression(item.condition)}" if item.condition is not None else ""
            return f"{item.name.text}{_dims(item.dims)} : {_dotted(item.part)}{arguments}{condition}"
        case ast.Attribute():
            return f"{item.name.text} = {print_expression(item.value)}"
        case ast.Let():
            return f"let {item.name.text} = {print_expression(item.value)}"
        case ast.Port():
            name = item.split_name.text if item.split_name else ""
            split = f" split {_expr(item.split, _SUM)} as {name}" if item.split is not None else ""
            return f"port {item.name.text}{_dims(item.dims)} = {print_expression(item.value)}{split}"
        case ast.Connect():
            where = f" where {print_expression(item.where)}" if item.where is not None else ""
            return f"connect {_path(item.a)} -- {_path(item.z)}{_multiplicity(item.multiplicity)}{where}"
        case ast.Place():
            return f"{item.kind} {_path(item.target)}"
        case ast.Check():
            return f"{item.kind} {print_expression(item.claim)}{f' : {print_expression(item.reason)}' if item.reason else ''}"
        case ast.For():
            return f"for {item.name.text} in {_expr(item.values, _RANGE)}"


def _dotted(names: Iterable[ast.Name]) -> str:
    return ".".join(name.text for name in names)


def _params(params: tuple[ast.Param, ...]) -> str:
    return f"({', '.join(map(_param, params))})" if params else ""


def _param(param: ast.Param) -> str:
    default = f" = {_expr(param.default, _RANGE)}" if param.default is not None else ""
    allowed = f" in {_expr(param.allowed, _RANGE)}" if param.allowed is not None else ""
    return f"{param.name.text}: {'list of ' if param.listed else ''}{param.type.text}{default}{allowed}"


def _dims(dims: tuple[ast.Dimension, ...]) -> str:
    written = [f"{f'{dim.name.text}: ' if dim.name else ''}{_expr(dim.range, _RANGE)}" for dim in dims]
    return f"[{', '.join(written)}]" if written else ""


def _multiplicity(multiplicity: ast.Multiplicity | None) -> str:
    if multiplicity is None:
        return ""
    return f" {multiplicity.kind}{f' {_expr(multiplicity.count, _SUM)}' if multiplicity.count is not None else ''}"


# ---------------------------------------------------------------- expressions


def _expr(expr: ast.Expr, place: int) -> str:
    level, text = _written(expr)
    return text if level >= place else f"({text})"


def _written(expr: ast.Expr) -> tuple[int, str]:
    """Return how tightly an expression binds, and its text."""
    match expr:
        case ast.Int():
            return _ATOM, str(expr.value)
        case ast.Decimal():
            return _ATOM, _number(expr.value, point=True)
        case ast.Amount():
            return _ATOM, _quantity(expr.value)
        case ast.Str():
            return _ATOM, f'"{expr.value.translate(_ESCAPES)}"'
        case ast.Bool():
            return _ATOM, "true" if expr.value else "false"
        case ast.ListExpr():
            return _ATOM, f"[{', '.join(map(print_expression, expr.items))}]"
        case ast.RangeExpr():
            step = f" by {_expr(expr.step, _SUM)}" if expr.step is not None else ""
            return _RANGE, f"{_expr(expr.first, _SUM)}..{_expr(expr.last, _SUM)}{step}"
        case ast.Binary():
            level = _LEVEL[expr.op]
            # a comparison has ranges on both sides; the other operators take their like on the left
            left = _RANGE if level == _COMPARISON else level
            return level, f"{_expr(expr.left, left)} {expr.op} {_expr(expr.right, _RANGE if level == _COMPARISON else level + 1)}"
        case ast.Unary():
            return (_NOT, f"not {_expr(expr.operand, _NOT)}") if expr.op == "not" else (_MINUS, f"-{_expr(expr.operand, _ATOM)}")
        case ast.Call():
            return _ATOM, f"{expr.name.text}({_arguments(expr.arguments)})"
        case ast.Path():
            return _ATOM, _path(expr)


def _arguments(arguments: tuple[ast.Argument, ...]) -> str:
    return ", ".join(f"{f'{a.name.text} = ' if a.name else ''}{print_expression(a.value)}" for a in arguments)


def _path(path: ast.Path) -> str:
    return ".".join(f"{step.name.text}{f'[{_selectors(step.selectors)}]' if step.selectors else ''}" for step in path.steps)


def _selectors(selectors: tuple[ast.Selector, ...]) -> str:
    return ", ".join(map(_selector, selectors))


def _selector(selector: ast.Selector) -> str:
    match selector:
        case ast.SelectBind():
            return f"{selector.name.text} = {print_expression(selector.value)}"
        case ast.SelectRename():
            return f"{selector.name.text} as {selector.alias.text}"
        case ast.SelectPosition():
            return print_expression(selector.value)


def _number(value: Fraction, *, point: bool) -> str:
    """Return a decimal number exactly; raise ValueError if it has no end in decimals."""
    places = 1 if point else 0
    while (value * 10**places).denominator != 1:
        places += 1
        if places > 40:
            raise ValueError(f"{value} has no end in decimals")
    whole, rest = divmod(int(value * 10**places), 10**places)
    return f"{whole}.{rest:0{places}}" if places else str(whole)


def _quantity(value: Quantity) -> str:
    """Return an amount in the unit in which it was written, exactly."""
    if value.unit is None:
        return str(value)
    return f"{_number(Fraction(value.in_unit(value.unit)), point=False)}{value.unit}"
