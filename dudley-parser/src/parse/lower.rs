//! From the pairs of the grammar to the syntax tree: tokens, counts, types, arrays. Items are in `items.rs`, lists in `lists.rs`.
//!
//! The grammar lets some mistakes pass that are easy to name; they are reported here. Spans come
//! from tokens, because a pair of the grammar may have white space at its end.

use super::number;
use crate::ast::{
    Array, Count, CountKind, Dtype, ExprToken, Filter, FilterArg, FilterValue, Int, Name, Operator,
    Pack, Place, Prefix, Struct,
};
use crate::diagnostic::Diagnostic;
use crate::grammar::Rule;
use crate::layout::dtype::ByteOrder;
use crate::names::Names;
use crate::scan::skip_trivia;
use crate::span::Span;
use pest::iterators::{Pair, Pairs};
use std::borrow::Cow;
use std::iter::Peekable;

/// What a pair holds. Of comments there is nothing in it: the scan has found them already.
pub(super) type Inner<'p> = Peekable<Pairs<'p, Rule>>;

/// What a pair holds.
pub(super) fn inside(pair: Pair<'_, Rule>) -> Inner<'_> {
    pair.into_inner().peekable()
}

/// Makes the tree; holds what all parts of it add to.
pub(super) struct Lower<'p> {
    text: &'p str,
    /// Where the stretch that the grammar saw begins in the text.
    pub(super) base: u32,
    pub(super) names: Names,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// An error was reported in the item at hand.
    pub(super) poisoned: bool,
}

impl<'p> Lower<'p> {
    pub(super) fn new(text: &'p str, diagnostics: Vec<Diagnostic>) -> Self {
        Self { text, base: 0, names: Names::default(), diagnostics, poisoned: false }
    }

    /// All of a pair, white space at its end included.
    pub(super) fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        Span::new(self.base + span.start() as u32, self.base + span.end() as u32)
    }

    /// The first `length` bytes of a pair: a mark.
    pub(super) fn mark(&self, pair: &Pair<'_, Rule>, length: u32) -> Span {
        let start = self.span(pair).start;
        Span::new(start, start + length)
    }

    pub(super) fn name(&mut self, pair: &Pair<'_, Rule>) -> Name {
        let span = self.span(pair);
        self.name_at(span)
    }

    /// The name that stands at `span`, if it is one.
    pub(super) fn name_in(&mut self, span: Span) -> Option<Name> {
        let text = &self.text[span.range()];
        let first = *text.as_bytes().first()?;
        let quoted = matches!(first, b'"' | b'\'');
        let closed = text.len() > 1 && text.as_bytes().last() == Some(&first);
        (first.is_ascii_alphabetic() || first == b'_' || (quoted && closed))
            .then(|| self.name_at(span))
    }

    fn name_at(&mut self, span: Span) -> Name {
        let text = self.text;
        let written = &text[span.range()];
        if !written.starts_with(['"', '\'']) {
            return Name { symbol: self.names.intern(written), span };
        }
        let plain = self.unquoted(span);
        Name { symbol: self.names.intern(&plain), span }
    }

    /// What a quoted name or text at `span` means.
    fn unquoted(&mut self, span: Span) -> Cow<'p, str> {
        let text = self.text;
        let inside = text.get(span.start as usize + 1..span.end as usize - 1).unwrap_or_default();
        if !inside.contains('\\') {
            return Cow::Borrowed(inside);
        }
        let mut faults = Vec::new();
        let plain = unescape(inside, span.start + 1, &mut faults);
        for fault in faults {
            if fault.severity.is_error() {
                self.error(fault)
            } else {
                // Legal, so the item around it is as good as any.
                self.diagnostics.push(fault)
            }
        }
        Cow::Owned(plain)
    }

    pub(super) fn int(&mut self, pair: &Pair<'_, Rule>) -> Int {
        let span = self.span(pair);
        let value = number::integer(pair.as_str(), span).unwrap_or_else(|error| {
            self.error(error);
            0
        });
        Int { value, span }
    }

    /// `%n` of a type or an item: the `%` and the number.
    pub(super) fn align(&mut self, pair: Pair<'p, Rule>) -> Option<(Span, Int)> {
        let mark = self.mark(&pair, 1);
        let int = inside(pair).next()?;
        Some((mark, self.int(&int)))
    }

    fn place(&mut self, pair: Pair<'p, Rule>) -> Option<Place> {
        if pair.as_rule() == Rule::align {
            let (mark, align) = self.align(pair)?;
            return Some(Place::Align { align, span: mark.to(align.span) });
        }
        let mark = self.mark(&pair, 1);
        let mut inner = inside(pair);
        let address = self.count(&mut inner)?;
        if let CountKind::Param { suffix_span: Some(signs), .. } = address.kind {
            let message = "an address has no suffixes; a sum has a number or a param here";
            self.error(Diagnostic::error("bad-suffix", signs, message));
        }
        let span = mark.to(address.span);
        Some(Place::At { address, span })
    }

    /// All places that follow; the first counts.
    pub(super) fn places(&mut self, inner: &mut Inner<'p>) -> Option<Place> {
        let mut first: Option<Place> = None;
        while let Some(pair) =
            inner.next_if(|pair| matches!(pair.as_rule(), Rule::address | Rule::align))
        {
            let mark = self.mark(&pair, 1);
            let place = self.place(pair);
            if let Some(first) = &first {
                let message = "an item has one place, and this is a second one";
                let error = Diagnostic::error("two-places", mark, message);
                self.error(error.also(first.span(), "the first"));
            } else {
                first = place;
            }
        }
        first
    }

    /// `dtype shape? filter? place?`
    pub(super) fn array(&mut self, inner: &mut Inner<'p>) -> Option<Array> {
        let dtype = self.dtype(inner)?;
        let mut span = dtype.span();
        let mut shape = Vec::new();
        let shape_pair = inner.next_if(|pair| pair.as_rule() == Rule::shape);
        let shape_span = shape_pair.as_ref().map(|pair| self.span(pair));
        if let Some(pair) = shape_pair {
            shape = self.shape(pair);
        }
        let filter = inner.next_if(|pair| pair.as_rule() == Rule::filter);
        let filter = filter.and_then(|pair| self.filter(pair)).map(Box::new);
        let place = self.places(inner);
        for part in
            [shape_span, filter.as_ref().map(|filter| filter.span), place.as_ref().map(Place::span)]
        {
            span = part.map_or(span, |part| span.to(part));
        }
        Some(Array { dtype, shape, shape_span, filter, place, span })
    }

    fn dtype(&mut self, inner: &mut Inner<'p>) -> Option<Dtype> {
        let first = inner.next()?;
        match first.as_rule() {
            Rule::name => Some(Dtype::Named { prefix: None, name: self.name(&first) }),
            Rule::prefix => {
                let prefix = match order(first.as_str()) {
                    Some(order) => Prefix::Order(order),
                    None => Prefix::Stream,
                };
                let name = self.name(&inner.next()?);
                Some(Dtype::Named { prefix: Some((prefix, self.span(&first))), name })
            }
            _ => Some(Dtype::Struct(Box::new(self.struct_of(first, inner)))),
        }
    }

    /// The struct of a `body`, with the `struct_align` behind it.
    pub(super) fn struct_of(&mut self, body: Pair<'p, Rule>, inner: &mut Inner<'p>) -> Struct {
        let mut span = self.span(&body);
        let open = self.mark(&body, 1);
        let close = Span::new(span.end - 1, span.end);
        let pack = self.pack_of(&body);
        let members = self.members(body);
        let align = inner.next_if(|pair| pair.as_rule() == Rule::struct_align);
        let align = align.and_then(|pair| self.align(pair)).map(|(_, align)| align);
        if let Some(align) = align {
            span = span.to(align.span);
        }
        Struct { span, open, close, members, pack, align }
    }

    /// The packing of a struct. By itself, since structs in structs are lowered by recursion: what it needs would be on
    /// the stack for each of them.
    fn pack_of(&mut self, body: &Pair<'p, Rule>) -> Option<Pack> {
        let first = inside(body.clone()).next().filter(|pair| pair.as_rule() == Rule::pack);
        first.and_then(|pair| self.pack(pair))
    }

    pub(super) fn pack(&mut self, pair: Pair<'p, Rule>) -> Option<Pack> {
        let sign = self.mark(&pair, 1);
        let align = self.int(&inside(pair).next()?);
        Some(Pack { sign, align })
    }

    fn shape(&mut self, pair: Pair<'p, Rule>) -> Vec<Count> {
        let span = self.span(&pair);
        let mut dims = Vec::new();
        let mut inner = inside(pair);
        while let Some(dim) = self.count(&mut inner) {
            dims.push(dim);
        }
        if dims.is_empty() {
            let error =
                Diagnostic::error("empty-shape", span, "a shape has at least one dimension");
            self.error(error.help("a scalar is declared without brackets"));
        }
        dims
    }

    fn filter(&mut self, pair: Pair<'p, Rule>) -> Option<Filter> {
        let mut span = self.mark(&pair, 2);
        let mut inner = inside(pair);
        let name = self.name(&inner.next()?);
        span = span.to(name.span);
        let mut filter = Filter { span, name, args: Vec::new(), stored: None };
        for part in inner {
            let is_args = part.as_rule() == Rule::args;
            let whole = self.span(&part);
            if is_args {
                // Trivia may follow the `)`, and its comments may hold another one: the end of the
                // arguments is found from the last of them.
                filter.args = inside(part).filter_map(|arg| self.argument(arg)).collect();
                let last = filter.args.last().map_or(whole.start + 1, |arg| arg.span.end);
                filter.span.end = skip_trivia(self.text.as_bytes(), last as usize) as u32 + 1;
            } else {
                filter.stored = self.count(&mut inside(part));
                filter.span.end = whole.end;
            }
        }
        Some(filter)
    }

    fn argument(&mut self, pair: Pair<'p, Rule>) -> Option<FilterArg> {
        let span = self.span(&pair);
        let text = pair.as_str();
        if pair.as_rule() == Rule::name {
            if text.starts_with(['"', '\'']) {
                return Some(FilterArg {
                    span,
                    value: FilterValue::Text(self.unquoted(span).into()),
                });
            }
            let message = format!("expected a number or a quoted text, found the name `{text}`");
            self.error(
                Diagnostic::error("bad-attr", span, message).help(format!("write \"{text}\"")),
            );
            return Some(FilterArg { span, value: FilterValue::Text(text.into()) });
        }
        if number::is_integer(text) {
            return Some(FilterArg { span, value: FilterValue::Int(self.int(&pair).value) });
        }
        let value = number::float(text).unwrap_or_else(|| {
            let message = format!("`{}` is not a number", number::shorten(text));
            self.error(Diagnostic::error("bad-number", span, message));
            0.0
        });
        Some(FilterArg { span, value: FilterValue::Float(value) })
    }

    /// An integer, a name or a group with what follows it: signs, or the rest of an expression.
    pub(super) fn count(&mut self, inner: &mut Inner<'p>) -> Option<Count> {
        let first = inner.next()?;
        let tail = inner.next_if(|pair| is_tail(pair.as_rule()));
        let has_operands = |tail: &Pair<'p, Rule>| inside(tail.clone()).next().is_some();
        if first.as_rule() == Rule::group || tail.as_ref().is_some_and(has_operands) {
            let start = self.span(&first).start;
            let (tokens, end) = self.expr(first, tail);
            return Some(Count { span: Span::new(start, end), kind: CountKind::Expr(tokens) });
        }
        let span = self.span(&first);
        let operand = match first.as_rule() {
            Rule::name => Operand::Param(self.name(&first)),
            _ => Operand::Int(self.int(&first).value),
        };
        let signs = match tail {
            Some(tail) => {
                let tail = self.span(&tail);
                self.operators(tail.start, tail.end)
            }
            None => Vec::new(),
        };
        Some(self.suffix(operand, span, &signs))
    }

    /// A first operand and what follows it, in postfix order, and where it ends. Operators are what stands between the
    /// operands. Groups nest no deeper than the scan lets brackets.
    fn expr(
        &mut self,
        first: Pair<'p, Rule>,
        tail: Option<Pair<'p, Rule>>,
    ) -> (Vec<ExprToken>, u32) {
        let mut end = self.span(&first).end;
        let mut tokens = self.operand(first);
        let Some(tail) = tail else { return (tokens, end) };
        let whole = self.span(&tail);
        let mut waiting: Vec<Operator> = Vec::new();
        let mut at = whole.start;
        for pair in inside(tail) {
            let span = self.span(&pair);
            let operators = self.operators(at, span.start);
            if let Some(second) = operators.get(1) {
                let message = "two operators in a row: an operand has one in front of it";
                self.error(Diagnostic::error("bad-suffix", second.1, message));
            }
            let operator = operators.first().map_or(Operator::Add, |&(operator, _)| operator);
            while let Some(last) = waiting.pop_if(|last| !is_product(operator) || is_product(*last))
            {
                tokens.push(ExprToken::Operator(last));
            }
            waiting.push(operator);
            tokens.extend(self.operand(pair));
            (at, end) = (span.end, span.end);
        }
        tokens.extend(waiting.into_iter().rev().map(ExprToken::Operator));
        if let Some(&(_, operator)) = self.operators(at, whole.end).first() {
            let message = "expected a param or an integer behind this operator";
            let help = "a suffix belongs to a single param, not to an expression";
            self.error(Diagnostic::error("bad-suffix", operator, message).help(help));
        }
        (tokens, end)
    }

    fn operand(&mut self, pair: Pair<'p, Rule>) -> Vec<ExprToken> {
        match pair.as_rule() {
            Rule::name => vec![ExprToken::Param(self.name(&pair))],
            Rule::group => {
                let mut within = inside(pair);
                let Some(first) = within.next() else { return vec![ExprToken::Int(0)] };
                let tail = within.next_if(|pair| is_tail(pair.as_rule()));
                self.expr(first, tail).0
            }
            _ => vec![ExprToken::Int(self.int(&pair).value)],
        }
    }

    fn suffix(&mut self, operand: Operand, span: Span, signs: &[(Operator, Span)]) -> Count {
        let (Some(&(sign_of_first, first)), Some(&(_, last))) = (signs.first(), signs.last())
        else {
            let kind = match operand {
                Operand::Int(value) => CountKind::Int(value),
                Operand::Param(name) => CountKind::Param { name, suffix: 0, suffix_span: None },
            };
            return Count { span, kind };
        };
        let product = signs.iter().find(|sign| is_product(sign.0));
        if let Some(&(_, other)) = product {
            let message = "expected a param or an integer behind this operator";
            self.error(Diagnostic::error("bad-suffix", other, message));
        } else if let Some(&(_, other)) = signs.iter().find(|sign| sign.0 != sign_of_first) {
            let message = "suffixes are all `+` or all `-`";
            self.error(
                Diagnostic::error("bad-suffix", other, message).also(first, "the first one"),
            );
        }
        let kind = match operand {
            Operand::Param(name) => {
                let count = i32::try_from(signs.len()).unwrap_or(i32::MAX);
                let suffix = if sign_of_first == Operator::Subtract { -count } else { count };
                CountKind::Param { name, suffix, suffix_span: Some(first.to(last)) }
            }
            Operand::Int(value) => {
                if product.is_none() {
                    let message = "an integer has no suffixes, only a param has";
                    self.error(Diagnostic::error("bad-suffix", first, message));
                }
                CountKind::Int(value)
            }
        };
        Count { span: span.to(last), kind }
    }

    /// A name with the signs that stand in `signs`.
    pub(super) fn with_suffix(&mut self, count: Count, signs: Span) -> Count {
        let CountKind::Param { name, .. } = count.kind else { return count };
        let signs = self.operators(signs.start, signs.end);
        self.suffix(Operand::Param(name), name.span, &signs)
    }

    /// The operators between two offsets, and where each is.
    fn operators(&self, from: u32, to: u32) -> Vec<(Operator, Span)> {
        let bytes = &self.text.as_bytes()[..to as usize];
        let mut signs = Vec::new();
        let mut at = skip_trivia(bytes, from as usize);
        while let Some(&sign) = bytes.get(at) {
            let operator = match sign {
                b'+' => Operator::Add,
                b'-' => Operator::Subtract,
                b'*' => Operator::Multiply,
                // The grammar has no others there.
                _ => Operator::Divide,
            };
            signs.push((operator, Span::new(at as u32, at as u32 + 1)));
            at = skip_trivia(bytes, at + 1);
        }
        signs
    }

    /// Where the next token after `at` begins, and its first byte.
    pub(super) fn token_after(&self, at: u32) -> Option<(Span, u8)> {
        let at = skip_trivia(self.text.as_bytes(), at as usize);
        let byte = *self.text.as_bytes().get(at)?;
        Some((Span::new(at as u32, at as u32 + 1), byte))
    }
}

fn is_tail(rule: Rule) -> bool {
    matches!(rule, Rule::terms | Rule::touching_terms | Rule::suffix | Rule::signs)
}

fn is_product(operator: Operator) -> bool {
    matches!(operator, Operator::Multiply | Operator::Divide)
}

/// What a count is, if it is no expression.
#[derive(Clone, Copy)]
enum Operand {
    Int(i64),
    Param(Name),
}

/// The order that `<` or `>` says.
pub(super) fn order(sign: &str) -> Option<ByteOrder> {
    match sign.as_bytes().first() {
        Some(b'<') => Some(ByteOrder::Little),
        Some(b'>') => Some(ByteOrder::Big),
        _ => None,
    }
}

/// A quoted text without its escapes; `inside` begins at `base` in the layout.
pub(crate) fn unescape(inside: &str, base: u32, faults: &mut Vec<Diagnostic>) -> String {
    let mut plain = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some((before, escape)) = rest.split_once('\\') {
        plain.push_str(before);
        let at = base + (inside.len() - escape.len() - 1) as u32;
        let letter = escape.chars().next();
        let mut length = letter.map_or(0, char::len_utf8);
        let known = match letter {
            Some('n') => Some('\n'),
            Some('t') => Some('\t'),
            Some('r') => Some('\r'),
            Some(same @ ('\\' | '"' | '\'')) => Some(same),
            Some('u') => {
                let (scalar, end) = scalar(escape);
                length = end;
                scalar
            }
            _ => None,
        };
        let span = Span::new(at, at + 1 + length as u32);
        if known.is_some() && matches!(letter, Some('n' | 't' | 'r' | 'u')) {
            let message =
                format!("the escape `\\{}`: an extension of the language", &escape[..length]);
            faults.push(Diagnostic::note("ext-escape", span, message));
        }
        match known {
            Some(character) => plain.push(character),
            None => {
                let message = format!("`\\{}` is not an escape", &escape[..length]);
                let help = "escapes are \\\\ \\\" \\' \\n \\t \\r and \\u{…} with 1 to 6 hex digits, not 0";
                faults.push(Diagnostic::error("bad-escape", span, message).help(help));
                plain.push_str(&escape[..length]);
            }
        }
        rest = &escape[length..];
    }
    plain.push_str(rest);
    plain
}

/// The character of `u{…}`, if it is one, and how long that is.
fn scalar(escape: &str) -> (Option<char>, usize) {
    let Some((digits, _)) = escape.strip_prefix("u{").and_then(|rest| rest.split_once('}')) else {
        return (None, 1);
    };
    let fits =
        (1..=6).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let code = fits.then(|| u32::from_str_radix(digits, 16).ok()).flatten();
    (code.and_then(char::from_u32).filter(|&scalar| scalar != '\0'), digits.len() + 3)
}
