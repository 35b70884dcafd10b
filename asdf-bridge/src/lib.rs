//! ASDF, FINF and Blosc2 files for the Dudley engine.
//!
//! [`asdf`] reads and writes ASDF and FINF files, [`blosc2`] frames, chunks and arrays of Blosc2. [`filter`] has their
//! filters for layouts.

use dudley::model::{Candidate, Claim};

pub mod asdf;
pub mod blosc2;
pub mod filter;

/// The formats of this crate, for [`dudley::model::Formats`].
///
/// ```
/// use dudley::Open;
/// use dudley::model::{Formats, Kind};
///
/// let formats = Formats::builtin().with(asdf_bridge::formats());
/// let bytes = b"#ASDF 1.0.0\n--- {run: {t: 0.5}}\n...\n".to_vec();
/// let file = formats.source("a.asdf", bytes, &Open::new())?;
/// let t = file.get("/run/t")?;
/// assert_eq!((file.describe(), t.kind(), t.value()?), ("an ASDF file", Kind::Value, dudley::Value::Float(0.5)));
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn formats() -> Vec<Box<dyn dudley::model::Format>> {
    vec![
        Box::new(asdf::dataset::Trees(Recognised::Asdf)),
        Box::new(asdf::dataset::Trees(Recognised::Finf)),
        Box::new(blosc2::dataset::Frames),
        Box::new(blosc2::dataset::Chunks),
    ]
}

/// A format that is not a Dudley stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recognised {
    /// ASDF: a YAML tree, then binary blocks.
    Asdf,
    /// FINF, ASDF's predecessor.
    Finf,
    /// A contiguous Blosc2 frame.
    Blosc2Frame,
}

impl Recognised {
    /// The format of a file that begins with these bytes (64 are enough); `None` if it is no such file. One byte of the
    /// first line may be wrong, if the next line tells; and the bytes may be all of a file that ends within its first
    /// line.
    pub(crate) fn recognise(head: &[u8]) -> Option<Recognised> {
        // A byte order mark does not belong there, and is there sometimes.
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let versioned = |mark: &[u8]| {
            text.strip_prefix(mark).and_then(<[u8]>::first).is_some_and(u8::is_ascii_digit)
        };
        // Some months of 2014 wrote `%ASDF`.
        if versioned(b"#ASDF ") || versioned(b"%ASDF ") {
            Some(Recognised::Asdf)
        } else if versioned(b"%FINF ") {
            Some(Recognised::Finf)
        } else if head.get(2..10) == Some(b"b2frame\0") {
            Some(Recognised::Blosc2Frame)
        } else {
            // Wrong bytes are a finding, and do not stop a reader; so is the end of the file within the line.
            let wrong = asdf::WrongBytes::of(text).map(|wrong| wrong.line);
            let line = wrong.or_else(|| asdf::cut_off(text))?;
            Some(if line.starts_with("%FINF") { Recognised::Finf } else { Recognised::Asdf })
        }
    }

    /// How sure it is that something is of this format.
    fn claim(self, candidate: &Candidate) -> dudley::Result<Option<Claim>> {
        let found = Recognised::recognise(candidate.head()?);
        Ok((found == Some(self)).then_some(Claim::Signature))
    }

    /// The format with its article, for messages.
    pub(crate) const fn describe(self) -> &'static str {
        match self {
            Recognised::Asdf => "an ASDF file",
            Recognised::Finf => "a FINF file",
            Recognised::Blosc2Frame => "a Blosc2 frame",
        }
    }
}
