"""From Lark's tree to ours: every node with its span, literals read, strings unescaped."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, cast

from lark import Token, Tree

from topolang.diagnostics import DiagnosticError, Sink, SourceFile, Span
from topolang.syntax import ast, literals
from topolang.syntax.limits import nested_expression

# one more level costs every later stage a few frames of Python's stack
EXPRESSION_DEPTH: Final = 128

Node = Tree[Token]


class Builder:
    """Build nodes of one file; mistakes in literals go to ``sink``."""

    def __init__(self, source: SourceFile, sink: Sink) -> None:
        self._source = source
        self._sink = sink
        self._depth = 0
        self._statements: dict[str, Callable[[Node], ast.Item]] = {
            "import_": self._import,
            "container": self._container,
            "kind": self._kind,
            "fabric": self._fabric,
            "instance": self._instance,
            "attribute": self._attribute,
            "let": self._let,
            "port": self._port,
            "connect": self._connect,
            "place": self._place,
            "check": self._check,
            "for_": self._for,
        }
        self._expressions: dict[str, Callable[[Node], ast.Expr]] = {
            "int": self._int,
            "decimal": self._decimal,
            "amount": self._amount,
            "string": lambda tree: self._string(cast(Token, tree.children[0])),
            "boolean": lambda tree: ast.Bool(tree.children[0] in ("true", "on"), span=self._span(tree)),
            "endpoint": self._path,
            "call": self._call,
            "list": lambda tree: ast.ListExpr(tuple(map(self._expr, tree.children)), span=self._span(tree)),
            "group": lambda tree: self._expr(tree.children[0]),
            "range": self._range,
            "binary": self._binary,
            "unary": self._unary,
        }

    def file(self, tree: Node) -> tuple[ast.Item, ...]:
        """Return the statements of a file."""
        return self._items(tree.children[1:])

    def value(self, tree: Node) -> ast.Expr | None:
        """Return a single expression; None after a mistake."""
        before = len(self._sink)
        try:
            expr = self._expr(tree.children[0])
        except DiagnosticError as fault:
            self._sink.add(fault.diagnostic)
        return expr if len(self._sink) == before else None

    # ------------------------------------------------------------ helpers

    def _span(self, tree: Any) -> Span:
        if isinstance(tree, Token):
            return Span(self._source, cast(int, tree.start_pos), cast(int, tree.end_pos))
        return Span(self._source, tree.meta.start_pos, tree.meta.end_pos)

    def _head(self, tree: Node) -> Span:
        """Return the span of a statement up to its body, the last child."""
        children: list[Any] = tree.children
        if children[-1] is None:
            return self._span(tree)
        last = next(child for child in reversed(children[:-1]) if child is not None)
        return Span(self._source, tree.meta.start_pos, self._span(last).end)

    def _name(self, token: Any) -> ast.Name:
        return ast.Name(str(token), span=self._span(token))

    def _names(self, tree: Any) -> tuple[ast.Name, ...]:
        return tuple(map(self._name, tree.children))

    def _string(self, token: Token) -> ast.Str:
        return ast.Str(literals.string(self._span(token), self._sink), span=self._span(token))

    def _items(self, children: list[Any]) -> tuple[ast.Item, ...]:
        items = []
        for child in children:
            try:
                item = self._statements[child.data](child)
            except DiagnosticError as fault:
                self._sink.add(fault.diagnostic)
                self._depth = 0
                continue
            # a block whose header could not be read was given an empty name
            if not (isinstance(item, ast.Instance) and not item.name.text):
                items.append(item)
        return tuple(items)

    def _body(self, tree: Any) -> tuple[ast.Item, ...]:
        return self._items(tree.children) if tree is not None else ()

    def _maybe(self, tree: Any) -> ast.Expr | None:
        return self._expr(tree) if tree is not None else None

    # ------------------------------------------------------------ statements

    def _import(self, tree: Node) -> ast.Import:
        what, alias = tree.children
        name = self._name(alias) if alias is not None else None
        if isinstance(what, Token):
            return ast.Import((), self._string(what), name, span=self._span(tree))
        return ast.Import(self._names(what), None, name, span=self._span(tree))

    def _container(self, tree: Node) -> ast.Container:
        kind, name, params, body = tree.children
        return ast.Container(cast(Any, str(kind)), self._name(name), self._params(params), self._body(body), span=self._span(tree))

    def _params(self, tree: Any) -> tuple[ast.Param, ...]:
        return tuple(map(self._param, tree.children)) if tree is not None else ()

    def _param(self, tree: Node) -> ast.Param:
        name, type_, default, allowed = cast(list[Any], tree.children)
        return ast.Param(
            self._name(name),
            self._name(type_.children[0]),
            type_.data == "list_type",
            self._maybe(default),
            self._maybe(allowed),
            span=self._span(tree),
        )

    def _kind(self, tree: Node) -> ast.Kind:
        subject, name, params = tree.children
        return ast.Kind(self._name(subject), self._name(name) if name is not None else None, self._params(params), span=self._span(tree))

    def _fabric(self, tree: Node) -> ast.Fabric:
        name, kind, body = tree.children
        return ast.Fabric(self._name(name), self._name(kind), self._body(body), span=self._span(tree))

    def _instance(self, tree: Node) -> ast.Instance:
        name, dims, part, arguments, condition, body = tree.children
        return ast.Instance(
            self._name(name),
            self._dims(dims),
            self._names(part),
            self._arguments(arguments),
            self._maybe(condition),
            self._body(body),
            head=self._head(tree),
            span=self._span(tree),
        )

    def _attribute(self, tree: Node) -> ast.Attribute:
        name, value = tree.children
        return ast.Attribute(self._name(name), self._expr(value), span=self._span(tree))

    def _let(self, tree: Node) -> ast.Let:
        name, value = tree.children
        return ast.Let(self._name(name), self._expr(value), span=self._span(tree))

    def _port(self, tree: Node) -> ast.Port:
        name, dims, value, split, body = cast(list[Any], tree.children)
        count, as_name = split.children if split is not None else (None, None)
        return ast.Port(
            self._name(name),
            self._dims(dims),
            self._expr(value),
            self._maybe(count),
            self._name(as_name) if as_name is not None else None,
            self._body(body),
            span=self._span(tree),
        )

    def _dims(self, tree: Any) -> tuple[ast.Dimension, ...]:
        if tree is None:
            return ()
        pairs = [(dim, *dim.children) for dim in tree.children]
        return tuple(
            ast.Dimension(self._name(name) if name is not None else None, self._expr(range_), span=self._span(dim)) for dim, name, range_ in pairs
        )

    def _connect(self, tree: Node) -> ast.Connect:
        a, z, multiplicity, where, body = cast(list[Any], tree.children)
        times = None
        if multiplicity is not None:
            count = self._expr(multiplicity.children[0]) if multiplicity.children else None
            times = ast.Multiplicity(cast(Any, str(multiplicity.data)), count, span=self._span(multiplicity))
        return ast.Connect(self._path(a), self._path(z), times, self._maybe(where), self._body(body), head=self._head(tree), span=self._span(tree))

    def _place(self, tree: Node) -> ast.Place:
        kind, target, body = cast(list[Any], tree.children)
        return ast.Place(cast(Any, str(kind)), self._path(target), self._body(body), span=self._span(tree))

    def _check(self, tree: Node) -> ast.Check:
        kind, claim, reason = cast(list[Any], tree.children)
        return ast.Check(cast(Any, str(kind)), self._expr(claim), self._string(reason) if reason is not None else None, span=self._span(tree))

    def _for(self, tree: Node) -> ast.For:
        name, values, body = tree.children
        return ast.For(self._name(name), self._expr(values), self._body(body), span=self._span(tree))

    # ------------------------------------------------------------ expressions

    def _expr(self, tree: Any) -> ast.Expr:
        if self._depth >= EXPRESSION_DEPTH:
            raise DiagnosticError(nested_expression(self._span(tree), EXPRESSION_DEPTH))
        self._depth += 1
        expr = self._expressions[tree.data](tree)
        self._depth -= 1
        return expr

    def _int(self, tree: Node) -> ast.Int:
        return ast.Int(int(literals.number(self._span(tree), self._sink)), span=self._span(tree))

    def _decimal(self, tree: Node) -> ast.Decimal:
        return ast.Decimal(Fraction(literals.number(self._span(tree), self._sink)), span=self._span(tree))

    def _amount(self, tree: Node) -> ast.Amount:
        return ast.Amount(literals.quantity(self._span(tree), self._sink), span=self._span(tree))

    def _range(self, tree: Node) -> ast.RangeExpr:
        first, last, step = tree.children
        return ast.RangeExpr(self._expr(first), self._expr(last), self._maybe(step), span=self._span(tree))

    def _binary(self, tree: Node) -> ast.Binary:
        left, op, right = tree.children
        return ast.Binary(cast(Any, str(op)), self._expr(left), self._expr(right), op_span=self._span(op), span=self._span(tree))

    def _unary(self, tree: Node) -> ast.Unary:
        op, operand = tree.children
        return ast.Unary(cast(Any, str(op)), self._expr(operand), span=self._span(tree))

    def _call(self, tree: Node) -> ast.Call:
        name, arguments = tree.children
        return ast.Call(self._name(name), self._arguments(arguments), span=self._span(tree))

    def _arguments(self, tree: Any) -> tuple[ast.Argument, ...]:
        if tree is None:
            return ()
        pairs = [(argument, *argument.children) for argument in tree.children]
        return tuple(
            ast.Argument(self._name(name) if name is not None else None, self._expr(value), span=self._span(argument))
            for argument, name, value in pairs
        )

    def _path(self, tree: Any) -> ast.Path:
        return ast.Path(tuple(map(self._step, tree.children)), span=self._span(tree))

    def _step(self, tree: Any) -> ast.Step:
        name, selectors = tree.children
        found = tuple(map(self._selector, selectors.children)) if selectors is not None else ()
        return ast.Step(self._name(name), found, span=self._span(tree))

    def _selector(self, tree: Any) -> ast.Selector:
        span = self._span(tree)
        if tree.data == "bind":
            return ast.SelectBind(self._name(tree.children[0]), self._expr(tree.children[1]), span=span)
        if tree.data == "rename":
            return ast.SelectRename(self._name(tree.children[0]), self._name(tree.children[1]), span=span)
        return ast.SelectPosition(self._expr(tree.children[0]), span=span)
