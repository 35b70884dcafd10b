//! Checks of numbers: sizes, addresses and repeats that the values of fixed params make illegal.
//!
//! The finished layout is resolved with no stream at hand, by the same code that readers use; what
//! depends on streamed params stays unknown and is no fault.

use super::Checker;
use crate::diagnostic::Diagnostic;
use crate::layout::expr::ExprOp;
use crate::layout::{Place, Step};
use crate::place::LIMIT;
use crate::resolve::{ErrorKind, Given, NoValues, ResolveError, Resolver, State};
use hashbrown::HashSet;

impl Checker<'_> {
    /// Resolves the layout as far as its text alone allows.
    pub(super) fn check_values(&mut self, start: u64) {
        let given = Given { start, ..Given::default() };
        let mut state = State::new();
        let mut resolver = Resolver::new(&self.layout, &given, &NoValues, &mut state);
        let mut found = Vec::new();
        // What integers alone decide is reported where they stand.
        let before = self.diagnostics.iter();
        let mut known: HashSet<_> = before.map(|it| (it.code, it.primary.span)).collect();
        let mut failures: Vec<ResolveError> =
            resolver.failures().iter().map(|(_, error)| error.clone()).collect();
        // Shapes of arrays whose own address only a stream knows.
        for step in self.layout.root() {
            let Step::Array(id) = *step else { continue };
            let array = &self.layout[id];
            if !matches!(array.place, Place::Next) {
                failures.extend(resolver.shape(array).err());
            }
        }
        for error in &failures {
            if let Some(diagnostic) = diagnose(error)
                && known.insert((diagnostic.code, diagnostic.primary.span))
            {
                found.push(diagnostic);
            }
        }
        let whatever_the_length = self.below_zero_whatever_the_length(start);
        for diagnostic in whatever_the_length.into_iter().chain(self.without_bytes(start)) {
            if known.insert((diagnostic.code, diagnostic.primary.span)) {
                found.push(diagnostic);
            }
        }
        let faulty = self.diagnostics.iter().any(|d| d.severity.is_error()) || !found.is_empty();
        self.diagnostics.extend(found);
        if !faulty {
            self.warn_overlaps(&given, &mut state);
        }
    }
}

impl Checker<'_> {
    /// Numbers made from the length of the stream (spec 4.7) that are below 0 in the shortest stream
    /// and in the longest: sums are linear, so they are in all. Of products and quotients nothing is known that way.
    fn below_zero_whatever_the_length(&self, start: u64) -> Vec<Diagnostic> {
        let is_linear = |ops: &Vec<ExprOp>| {
            !ops.iter().any(|op| matches!(op, ExprOp::Multiply | ExprOp::Divide))
        };
        let asks = self.layout.params.iter().any(|param| param.stream_bytes);
        if !asks || !self.layout.exprs.iter().all(is_linear) {
            return Vec::new();
        }
        let below_zero = |length: u64| {
            let given = Given { start, stream_bytes: Some(length), ..Given::default() };
            let mut state = State::new();
            let mut resolver = Resolver::new(&self.layout, &given, &NoValues, &mut state);
            let failures = resolver.failures().iter().filter(|(_, error)| is_below_zero(error));
            failures.filter_map(|(_, error)| diagnose(error)).collect::<Vec<_>>()
        };
        let longest = below_zero(LIMIT);
        let mut found = below_zero(start);
        found.retain(|one| longest.iter().any(|other| one.primary.span == other.primary.span));
        found
    }
}

impl Checker<'_> {
    /// What is to take all that the stream has left (spec 4.9) and takes no bytes, however many there are.
    fn without_bytes(&self, start: u64) -> Vec<Diagnostic> {
        if self.layout.takers().next().is_none() {
            return Vec::new();
        }
        let given =
            Given { start, stream_bytes: Some(start.saturating_add(1)), ..Given::default() };
        let mut state = State::new();
        let mut resolver = Resolver::new(&self.layout, &given, &NoValues, &mut state);
        let failures = resolver.failures().iter().map(|(_, error)| error);
        let failures = failures.filter(|error| matches!(error.kind(), ErrorKind::NoBytes(_)));
        failures.map(|error| Diagnostic::error("to-end", error.span(), error.to_string())).collect()
    }
}

fn is_below_zero(error: &ResolveError) -> bool {
    match error.kind() {
        ErrorKind::Dimension { value, .. }
        | ErrorKind::Repeat { value, .. }
        | ErrorKind::Stored { value, .. }
        | ErrorKind::Address { value, .. } => value.is_some_and(|value| value < 0),
        _ => false,
    }
}

/// What an error of the resolver says about the text; nothing if a value is merely not known, or
/// was reported where it stands.
pub(super) fn diagnose(error: &ResolveError) -> Option<Diagnostic> {
    let code = match error.kind() {
        ErrorKind::Dimension { .. } => "dim-negative",
        ErrorKind::Repeat { .. } => "repeat-negative",
        ErrorKind::Stored { .. } => "bad-stored",
        ErrorKind::Address { .. } => "bad-address",
        ErrorKind::Division { .. } => "bad-division",
        ErrorKind::SizeOverflow => "size-overflow",
        ErrorKind::AddressOverflow => "address-overflow",
        _ => return None,
    };
    let found = Diagnostic::error(code, error.span(), error.to_string());
    Some(match error.kind() {
        ErrorKind::Dimension { .. } => found.help("a dimension is 0 or more, or just -1"),
        ErrorKind::SizeOverflow | ErrorKind::AddressOverflow => {
            found.help(format!("no address of a stream is above {LIMIT}"))
        }
        _ => found,
    })
}

#[cfg(test)]
mod tests {
    use crate::check;

    #[test]
    fn the_length_of_the_stream_can_be_any() {
        let codes = |text: &str| -> Vec<&str> {
            let found = check(text.as_bytes()).diagnostics.into_iter();
            found.filter(|found| found.severity.is_error()).map(|found| found.code).collect()
        };
        for fine in
            ["x = u1[S-20]", "x = u1[20-S]", "x = u1[S--]", "l [u1]*S", "x = u1[2000] @S-2022"]
        {
            let found = codes(&format!("S : 0  #: stream_bytes\n{fine}"));
            assert!(found.is_empty(), "{fine}: {found:?}");
        }
        let wrong = [
            ("x = u1[10-S]", "dim-negative"),
            ("x = u1 @S-S-1", "bad-address"),
            ("y = f8[S]  x = u1[10-S]", "dim-negative"),
        ];
        for (item, code) in wrong {
            let found = codes(&format!("S : 0  #: stream_bytes\n{item}"));
            assert_eq!(found, [code], "{item}");
        }
    }

    #[test]
    fn shapes_are_looked_at_wherever_arrays_lie() {
        let codes = |text: &str| -> Vec<&str> {
            let found = check(text.as_bytes()).diagnostics.into_iter();
            found.filter(|found| found.severity.is_error()).map(|found| found.code).collect()
        };
        assert_eq!(codes("N : 1  L : i1  x = u2[N/2] @L+3"), ["bad-division"]);
        assert_eq!(codes("N : 1  L : i1  x = u2[N-2] @L+3  y = u2[N-2]"), ["dim-negative"; 2]);
        assert_eq!(codes("N : 1  L : i1  x = u2[L]  y = u2[N-2]"), ["dim-negative"]);
        assert_eq!(codes("N : 4  L : i1  x = u2[N/2] @L+3  y = u1[N/L]"), [""; 0]);
    }

    #[test]
    fn what_takes_the_rest_takes_bytes() {
        let codes = |text: &str| -> Vec<&str> {
            let text = format!("N : 0  #: to_end\n{text}");
            let found = check(text.as_bytes()).diagnostics.into_iter();
            found.filter(|found| found.severity.is_error()).map(|found| found.code).collect()
        };
        for fine in ["x = u1[N]", "h [u1]*N", "M : u1  x = u1[N, M]", "h [{n : u1  x = f8[n]}]*N"] {
            assert_eq!(codes(fine), [""; 0], "{fine}");
        }
        let wrong = [
            "x = {}[N]",
            "x = u1[N, 0]",
            "x = S1[N, 0]",
            "h [{}]*N",
            "h [u1[0]]*N",
            "h [/ a = u1[0]]*N",
        ];
        for wrong in wrong {
            assert_eq!(codes(wrong), ["to-end"], "{wrong}");
        }
    }
}
