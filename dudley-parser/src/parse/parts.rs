//! A text in parts that are parsed at once, each by a thread, and put together as if one had done it.

use super::{Lower, MAX_DIAGNOSTICS, Run, Whole};
use crate::ast::{Item, renumber};
use crate::diagnostic::Diagnostic;
use crate::names::Names;
use crate::span::Span;
use std::sync::OnceLock;
use std::thread::{Builder, ScopedJoinHandle, available_parallelism, scope};

/// A thread gets at least this many stretches of about 64 KiB: to start it for less does not pay.
const LEAST: usize = 3;

/// At most this many threads: what follows the parsing is done by one.
const MAX_THREADS: usize = 8;

/// Bytes of stack of a thread: as much as programs usually begin with.
const STACK: usize = 8 << 20;

/// What a part gave.
pub(super) struct Part {
    pub(super) items: Vec<Item>,
    pub(super) names: Names,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// How many threads there are to parse by.
pub(super) fn threads() -> usize {
    // The system reads files to tell.
    static THREADS: OnceLock<usize> = OnceLock::new();
    let count = || available_parallelism().map_or(1, |threads| threads.get().min(MAX_THREADS));
    *THREADS.get_or_init(count)
}

/// Parses the stretches of a text by at most this many threads; `run` has what came before them.
pub(super) fn parse<'t>(
    run: Run<'t>,
    whole: &'t Whole<'t>,
    stretches: &[Span],
    threads: usize,
) -> Part {
    let threads = threads.min(stretches.len() / LEAST).max(1);
    let mut parts = stretches.chunks(stretches.len().div_ceil(threads).max(1));
    let own = parts.next().unwrap_or_default();
    scope(|scope| {
        let others: Vec<(&[Span], Option<ScopedJoinHandle<'_, Part>>)> = parts
            .map(|part| {
                let parse = move || Run::new(whole, Vec::new()).stretches(part);
                (part, Builder::new().stack_size(STACK).spawn_scoped(scope, parse).ok())
            })
            .collect();
        let mut made = run.stretches(own);
        for (part, thread) in others {
            let next = match thread.map(ScopedJoinHandle::join) {
                Some(Ok(next)) => next,
                Some(Err(panic)) => std::panic::resume_unwind(panic),
                // There was no thread to be had.
                None => Run::new(whole, Vec::new()).stretches(part),
            };
            made.append(next);
        }
        made
    })
}

impl Run<'_> {
    fn stretches(mut self, stretches: &[Span]) -> Part {
        for stretch in stretches {
            self.stretch(stretch.start, stretch.end);
        }
        let Run { items, lower: Lower { names, diagnostics, .. }, .. } = self;
        Part { items, names, diagnostics }
    }
}

impl Part {
    /// Adds what stands behind: names get the numbers that they would have got here.
    fn append(&mut self, mut next: Part) {
        let names = &mut self.names;
        let symbols = next.names.symbols().map(|symbol| names.intern(next.names.get(symbol)));
        renumber(&mut next.items, &symbols.collect::<Vec<_>>());
        self.items.append(&mut next.items);
        // No more errors than one would have kept.
        for found in next.diagnostics {
            if self.diagnostics.len() < MAX_DIAGNOSTICS || !found.severity.is_error() {
                self.diagnostics.push(found);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::parse_by;

    /// Items of all kinds, with names that occur once and names that occur everywhere; every `odd`th of them
    /// with an error.
    fn text(bytes: usize, odd: usize) -> String {
        let mut text = String::from("< {time = f8}  ## a summary\nN : i4  T {x = f8[N]}\n");
        for at in 0.. {
            if text.len() > bytes {
                break;
            }
            let wrong = if at % odd == odd - 1 { "?" } else { "" };
            text += &format!(
                "d{at}/ n{at} : 3 P : i8\n  \"a {at}\" = T[n{at}+, P-] -> zlib [P] %8 {wrong}\n  \
                 l = [f8[P], [/ q = i4 @P+4]*N, {{v{at} = u1 'w' = f4[N-2]}}]*n{at}\n  l [n{at}]\n/\n"
            );
        }
        text
    }

    #[test]
    fn parts_come_to_what_one_thread_finds() {
        // Of the last more errors are found than are kept.
        let texts = [text(450_000, usize::MAX), text(450_000, 300), "x = f8 ?\n".repeat(45_000)];
        for (at, text) in texts.iter().enumerate() {
            let one = parse_by(text.as_bytes(), 1);
            for threads in [2, 3] {
                let found = parse_by(text.as_bytes(), threads);
                let (ast, own) = (&found.ast, &one.ast);
                assert_eq!(format!("{:?}", ast.items), format!("{:?}", own.items));
                let same = |symbol| ast.names.get(symbol) == own.names.get(symbol);
                assert!(ast.names.len() == own.names.len() && own.names.symbols().all(same));
                assert_eq!(format!("{:?}", found.diagnostics), format!("{:?}", one.diagnostics));
            }
            assert_eq!(one.diagnostics.is_empty(), at == 0);
        }
    }
}
