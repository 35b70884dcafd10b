//! What numbers say: sizes, addresses and repeats that the values of fixed params make illegal.
//!
//! The finished layout is resolved with no stream at hand, by the same code that readers use; what
//! depends on streamed params stays unknown and is no fault.

use super::Checker;
use crate::diagnostic::Diagnostic;
use crate::place::LIMIT;
use crate::resolve::{ErrorKind, Given, NoValues, ResolveError, Resolver, State};
use hashbrown::HashSet;

/// Where the cursor of a native stream starts.
pub(super) const NATIVE_START: u64 = 16;

impl Checker<'_> {
    /// Resolves the layout as far as its text alone allows.
    pub(super) fn check_values(&mut self, start: u64) {
        let given = Given { start, ..Given::default() };
        let mut state = State::new();
        let mut resolver = Resolver::new(&self.layout, &given, &NoValues, &mut state);
        let mut found = Vec::new();
        let mut known = HashSet::new();
        for (_, error) in resolver.failures() {
            if let Some(diagnostic) = diagnose(error)
                && known.insert((diagnostic.code, diagnostic.primary.span))
            {
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

/// What an error of the resolver says about the text; nothing if a value is merely not known, or
/// was reported where it stands.
fn diagnose(error: &ResolveError) -> Option<Diagnostic> {
    let code = match error.kind() {
        ErrorKind::Dimension { .. } => "dim-negative",
        ErrorKind::Repeat { .. } => "repeat-negative",
        ErrorKind::Stored { .. } => "bad-stored",
        ErrorKind::Address { .. } => "bad-address",
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
