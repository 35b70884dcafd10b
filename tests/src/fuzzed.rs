//! What is fuzzed: functions that take any bytes and panic when a promise is broken.
//!
//! `fuzz/` runs them on what libFuzzer makes up; `tests/robustness.rs` on the seeds, on what
//! is kept of that in `fuzz/corpus/`, and on noise.

mod append;
pub mod asdf;
mod blosc2;
mod canonical;
mod fits;
mod foreign;
mod formats;
mod hdf5;
mod index;
mod kept;
mod netcdf3;
mod seeds;

use std::io;

use dudley::elements::{Scalar, Sink};
use dudley::read::listing::{self, Row};
use dudley::{ByteOrder, Open, Stream, StreamKind};
use dudley_parser::resolve::{
    Fault, Given, NoValues, ParamAt, Resolver, State, Values, WalkOptions,
};
use dudley_parser::span::LineIndex;
use dudley_parser::{Checked, Layout};

pub use foreign::foreign;
pub use kept::{keep, kept};
pub use seeds::seeds;

/// A target by its name.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
pub const TARGETS: [Target; 15] = [
    ("parse", parse),
    ("check", check),
    ("open", open),
    ("fmt", canonical::fmt),
    ("asdf", asdf::asdf),
    ("index", index::index),
    ("append", append::append),
    ("fits", fits::fits),
    ("formats", formats::formats),
    ("hdf5", hdf5::hdf5),
    ("netcdf3", netcdf3::netcdf3),
    ("blosc2_frame", blosc2::frame),
    ("blosc2_chunk", blosc2::chunk),
    ("blosc2_b2nd", blosc2::b2nd),
    ("blosc2_trailer", blosc2::trailer),
];

/// Runs the target of a name.
///
/// # Panics
/// When there is none, or it panics.
pub fn run(name: &str, data: &[u8]) {
    match TARGETS.iter().find(|target| target.0 == name) {
        Some((_, target)) => target(data),
        None => panic!("there is no target `{name}`"),
    }
}

/// This many values are read before a stream is left: a layout may describe far more than there is.
const ENOUGH: u64 = 1 << 20;

/// Any bytes are a layout or have errors, and every span lies in the text.
fn parse(data: &[u8]) {
    let checked = dudley_parser::check(data);
    assert_spans(&checked);
    let errors = checked.of(dudley_parser::Severity::Error).count();
    assert_eq!(checked.layout.is_some(), errors == 0, "a layout or errors");
    // The same text gives the same findings.
    let again = dudley_parser::check(data);
    assert_eq!(checked.diagnostics, again.diagnostics);
}

fn assert_spans(checked: &Checked) {
    let text = checked.text.as_str();
    let lines = LineIndex::new(text);
    for found in &checked.diagnostics {
        assert!(!found.message.is_empty() && !found.code.is_empty());
        let labels = std::iter::once(&found.primary).chain(&found.secondary);
        for span in labels.map(|label| label.span) {
            assert!(span.start <= span.end, "{found:?}");
            assert!(text.get(span.range()).is_some(), "not in the text: {found:?}");
            let at = lines.line_column(span.start);
            assert!(at.line > 0 && at.column > 0);
        }
    }
}

/// What is a layout resolves: without a stream, and with one of few bytes.
fn check(data: &[u8]) {
    let Some(layout) = dudley_parser::check(data).layout else { return };
    resolve(&layout, &NoValues, 0);
    let bytes = Few(data.first_chunk().copied().unwrap_or_default());
    for start in [0, 16] {
        resolve(&layout, &bytes, start);
    }
}

/// Streamed params from a few bytes, over and over.
struct Few([u8; 8]);

impl Values for Few {
    fn param(&self, at: &ParamAt) -> Result<i128, Fault> {
        // Small, negative and huge ones.
        let byte = self.0[(at.address % 8) as usize];
        Ok(match byte {
            0..0xf0 => i128::from(byte % 5),
            0xf0..0xf8 => i128::from(byte as i8),
            _ => i128::from(u64::MAX >> (byte & 7)),
        })
    }

    fn stored(&self, _: dudley_parser::layout::ArrayId, address: u64) -> Result<u64, Fault> {
        Ok(u64::from(self.0[(address % 8) as usize]))
    }
}

fn resolve(layout: &Layout, values: &dyn Values, start: u64) {
    let given = Given { start, stream_bytes: Some(1000), ..Given::default() };
    let mut state = State::new();
    let mut resolver = Resolver::new(layout, &given, values, &mut state);
    let mut left = ENOUGH;
    let mut visit = |_: &mut Resolver<'_>, event: dudley_parser::resolve::Event<'_>| {
        assert!(event.path.starts_with('/'));
        left -= 1;
        match left {
            0 => dudley_parser::resolve::Flow::Stop,
            _ => dudley_parser::resolve::Flow::Continue,
        }
    };
    resolver.walk(WalkOptions::elide_above(16), &mut visit);
    let known = resolver.known_end();
    if let Ok(end) = resolver.data_end() {
        assert!(end == known && end <= i64::MAX as u64);
    }
    let params: Vec<_> = layout.params().map(|(id, _)| id).collect();
    for id in params {
        if let Ok(value) = resolver.value(id) {
            assert!(value >= -1);
        }
    }
}

/// The first two bytes are the length of a layout, then comes the layout, then a stream: whatever
/// can be read of it is, and the rest gives errors.
fn open(data: &[u8]) {
    let Some((length, rest)) = data.split_first_chunk::<2>() else { return };
    let length = usize::from(u16::from_le_bytes(*length)).min(rest.len());
    let (text, stream) = rest.split_at(length);
    let Ok(layout) = dudley::parse_layout(text) else {
        // Perhaps the stream has its own.
        if let Ok(stream) = Open::new().bytes(stream) {
            read(&stream);
        }
        return;
    };
    // A wrong constant is an error at opening, unless it is reported.
    let open = Open::new().layout(layout).wrong_constants(|_| ());
    let order = if length % 2 == 0 { ByteOrder::Little } else { ByteOrder::Big };
    let raw = open.clone().raw().order(order).bytes(stream).expect("raw streams always open");
    assert_eq!(raw.kind(), StreamKind::Raw);
    read(&raw);
    if let Ok(stream) = open.bytes(stream) {
        read(&stream);
    }
}

/// Reads everything, up to a bound.
fn read(stream: &Stream) {
    let mut counter = Counter(ENOUGH);
    let mut paths = Vec::new();
    let mut whole = true;
    let listed = listing::list(stream, WalkOptions::elide_above(16), &mut |resolver, row| {
        match row {
            Row::Item(row) => {
                // What is wrong with one item is no matter for the next.
                let _ = row.emit(resolver, &mut counter, paths.len() % 2 == 0);
                paths.push(row.path.clone());
            }
            Row::Param(row) => paths.push(row.path),
            Row::Elided { .. } => whole = false,
            Row::Dict { .. } | Row::List { .. } => counter.one()?,
        }
        counter.one()
    });
    if listed.is_ok() {
        // What is listed is found by its path.
        for path in paths.iter().take(64) {
            let _ = stream.get(path).and_then(|item| item.data()).map(|data| data.shape().len());
        }
    }
    let _ = stream.data_end();
    if listed.is_ok() && whole {
        count(stream);
    }
}

/// Counts all numbers, and compares the stream with itself.
fn count(stream: &Stream) {
    let mut survey = dudley::stat::Survey::new().threads(1);
    survey.add(&stream.root());
    for item in survey.finish().items {
        let of = item.statistics;
        assert!(of.nan + of.inf <= of.count && of.zeros <= of.count, "{}", item.path);
    }
    dudley::diff::Diff::new().threads(1).streams(stream, stream, &mut |found| {
        assert!(found.is_err(), "a stream differs from itself: {found:?}");
    });
}

/// Counts what it is given, and has enough at some point.
struct Counter(u64);

impl Counter {
    fn one(&mut self) -> dudley::Result<()> {
        match self.0.checked_sub(1) {
            Some(left) => self.0 = left,
            None => return Err(dudley::Error::io("enough", io::Error::other("enough"))),
        }
        Ok(())
    }
}

impl Sink for Counter {
    fn scalar(&mut self, _: Scalar<'_>) -> dudley::Result<()> {
        self.one()
    }

    fn begin_array(&mut self, _: u64) -> dudley::Result<()> {
        self.one()
    }

    fn begin_struct(&mut self) -> dudley::Result<()> {
        self.one()
    }
}
