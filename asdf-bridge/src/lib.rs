//! ASDF, FINF and Blosc2 files for the Dudley engine.
//!
//! [`asdf`] reads ASDF and FINF files, [`blosc2`] frames, chunks and arrays of Blosc2; [`filter`] has their
//! filters for layouts.

pub mod asdf;
pub mod blosc2;
pub mod filter;

/// A format that is not a Dudley stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// ASDF: a YAML tree, then binary blocks.
    Asdf,
    /// FINF, ASDF's predecessor.
    Finf,
    /// A contiguous Blosc2 frame.
    Blosc2Frame,
}

impl Format {
    /// The format of a file that begins with these bytes (64 are enough); none of them if it is none. One byte of the
    /// first line may be wrong, if the next line tells; and the bytes may be all of a file that ends within its first
    /// line.
    ///
    /// ```
    /// use asdf_bridge::Format;
    ///
    /// assert_eq!(Format::recognise(b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n"), Some(Format::Asdf));
    /// assert_eq!(Format::recognise(b"# a layout"), None);
    /// ```
    pub fn recognise(head: &[u8]) -> Option<Format> {
        // A byte order mark does not belong there, and is there sometimes.
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let versioned = |mark: &[u8]| {
            text.strip_prefix(mark).and_then(<[u8]>::first).is_some_and(u8::is_ascii_digit)
        };
        // Some months of 2014 wrote `%ASDF`.
        if versioned(b"#ASDF ") || versioned(b"%ASDF ") {
            Some(Format::Asdf)
        } else if versioned(b"%FINF ") {
            Some(Format::Finf)
        } else if head.get(2..10) == Some(b"b2frame\0") {
            Some(Format::Blosc2Frame)
        } else {
            // Wrong bytes are a finding, and in nobody's way; so is the end of the file within the line.
            let wrong = asdf::WrongBytes::of(text).map(|wrong| wrong.line);
            let line = wrong.or_else(|| asdf::cut_off(text))?;
            Some(if line.starts_with("%FINF") { Format::Finf } else { Format::Asdf })
        }
    }

    /// The format with its article, for messages.
    pub const fn describe(self) -> &'static str {
        match self {
            Format::Asdf => "an ASDF file",
            Format::Finf => "a FINF file",
            Format::Blosc2Frame => "a Blosc2 frame",
        }
    }
}
