//! Faults that the integers of an expression cause for any params, found where the expression is written, even in a
//! type without a use.

use super::Checker;
use super::values::diagnose;
use crate::ast::{Count as AstCount, CountKind, ExprToken, Name, Operator};
use crate::diagnostic::Diagnostic;
use crate::layout::ParamId;
use crate::layout::expr::{ExprFault, ExprOp, of_integers};
use crate::resolve::{ErrorKind, ResolveError};
use crate::span::Span;

impl Checker<'_> {
    /// Looks at an expression; `kind` says what a number would be that is below 0 or too large. A reader of data gets
    /// the error from the item that needs it (spec 4.5).
    pub(super) fn validate_expr(
        &mut self,
        count: &AstCount,
        span: Span,
        kind: impl FnOnce(Option<i64>) -> ErrorKind,
    ) {
        let CountKind::Expr(tokens) = &count.kind else { return };
        self.note_expr(count.span);
        if self.to_read() {
            return;
        }
        let any = ParamId(0);
        let ops = tokens.iter().map(|token| operation(token).unwrap_or(ExprOp::Param(any)));
        let wrong = match of_integers(ops) {
            Ok(None) => None,
            Ok(Some(value)) => (value < 0).then(|| kind(Some(value))),
            Err(ExprFault::TooLarge) => Some(kind(None)),
            Err(fault) => {
                let expr = self.text.get(count.span.range()).unwrap_or_default().to_owned();
                Some(ErrorKind::Division { expr, fault, params: Vec::new() })
            }
        };
        let found = wrong.and_then(|wrong| diagnose(&ResolveError::new(wrong, span)));
        self.diagnostics.extend(found);
    }

    pub(super) fn note_expr(&mut self, span: Span) {
        let message = "an expression of params and integers: an extension of the language";
        self.report(Diagnostic::note("ext-sum", span, message));
    }
}

/// One step of an expression; of a param, its name.
pub(super) fn operation(token: &ExprToken) -> Result<ExprOp, Name> {
    Ok(match *token {
        ExprToken::Int(value) => ExprOp::Int(value),
        ExprToken::Param(name) => return Err(name),
        ExprToken::Operator(Operator::Add) => ExprOp::Add,
        ExprToken::Operator(Operator::Subtract) => ExprOp::Subtract,
        ExprToken::Operator(Operator::Multiply) => ExprOp::Multiply,
        ExprToken::Operator(Operator::Divide) => ExprOp::Divide,
    })
}

#[cfg(test)]
mod tests {
    use crate::check::{check, check_to_read};

    #[test]
    fn what_integers_alone_decide_is_found_wherever_it_stands() {
        let places = [
            ("x = u1[§]", "dim-negative"),
            ("T {a = u1[§]}", "dim-negative"),
            ("T {a = {b = u1[2, §]}}", "dim-negative"),
            ("T {\"\" = u1[§]}", "dim-negative"),
            ("l = [u1[§]]*0", "dim-negative"),
            ("l = [/ x = u1[§]\n]*0", "dim-negative"),
            ("x = {a = u1[§]}[0]", "dim-negative"),
            ("l = [u1]*(§)", "repeat-negative"),
            ("l = [[u1]*(§)]*0", "repeat-negative"),
            ("l = [u1] l[(§)]", "repeat-negative"),
            ("x = u1 @(§)", "bad-address"),
            ("T {a = u1 @(§)}", "bad-address"),
            ("M : i4 @(§)", "bad-address"),
            ("T {M : i4 @(§)}", "bad-address"),
            ("x = u1[4] -> zlib[§]", "bad-stored"),
            ("T {a = u1[4] -> zlib[§]}", "bad-stored"),
        ];
        let faults = [
            ("4/0", "bad-division"),
            ("N/0", "bad-division"),
            ("N/(2-2)", "bad-division"),
            ("N*(3/2)", "bad-division"),
            ("7/2", "bad-division"),
            ("1-2", ""),
            ("-3+2", ""),
            ("9223372036854775807*2", ""),
            ("9223372036854775807+1", ""),
            ("N+(9223372036854775807+1)", ""),
            ("N*(9223372036854775807*2)", ""),
        ];
        for (place, negative) in places {
            for (fault, code) in faults {
                let text = format!("N : i4  {}", place.replace('§', fault));
                let checked = check(text.as_bytes());
                let codes: Vec<&str> = checked
                    .diagnostics
                    .iter()
                    .filter(|found| found.severity.is_error())
                    .map(|found| found.code)
                    .collect();
                assert_eq!(codes, [if code.is_empty() { negative } else { code }], "{text}");
                assert!(check_to_read(text.as_bytes()).layout.is_some(), "{text}");
            }
            for fine in ["N-4", "N/2", "2/N", "N*0", "0*N", "9223372036854775807+N-9", "4-2", "0"] {
                let text = format!("N : i4  {}", place.replace('§', fine));
                let checked = check(text.as_bytes());
                assert!(checked.layout.is_some(), "{text}: {:?}", checked.diagnostics);
            }
        }
    }
}
