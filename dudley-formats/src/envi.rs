//! ENVI: a header in text, and an image in its own file.

use dudley::model::{Candidate, Claim, Describe, Described};
use dudley::verify::Finding;
use dudley::{ByteOrder, Result};
use dudley_parser::layout::text::Text;
use dudley_parser::layout::words::Said;

use crate::cursor::{Cursor, malformed};
use crate::fields::{Field, Fields};
use crate::{beside, headers};

/// Fields that say how the image is stored; all others become attributes.
const STORAGE: [&str; 9] = [
    "samples",
    "lines",
    "bands",
    "header offset",
    "data type",
    "interleave",
    "byte order",
    "description",
    "file compression",
];

/// The types of files whose data are a plain image.
const IMAGES: [&str; 5] = [
    "envi standard",
    "envi classification",
    "envi spectral library",
    "envi fft result",
    "envi dem",
];

/// The endings of image files. An image file may also have the name of the header without its ending.
const ENDINGS: [&str; 9] = ["", "img", "dat", "raw", "bin", "bsq", "bil", "bip", "IMG"];

/// The format.
pub(crate) struct Envi;

impl Describe for Envi {
    fn describe(&self) -> &'static str {
        "an ENVI header"
    }

    fn name(&self) -> &'static str {
        "envi"
    }

    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>> {
        let rest = candidate.head()?.strip_prefix(b"ENVI");
        let is = rest.is_some_and(|rest| rest.starts_with(b"\n") || rest.starts_with(b"\r\n"));
        Ok(is.then_some(Claim::Signature))
    }

    fn read(&self, candidate: &Candidate, _: &mut dyn FnMut(Finding)) -> Result<Described> {
        let header = read(Cursor::new(&candidate.bytes()?, ByteOrder::Little, 0))?;
        let code = header.number("data type", None)?;
        let (dtype, size) =
            dtype(code).ok_or_else(|| header.wrong("data type", "is no type of elements"))?;
        let order = match header.number("byte order", (size == 1).then_some(0))? {
            0 => ByteOrder::Little,
            1 => ByteOrder::Big,
            _ => return Err(header.wrong("byte order", "is neither 0 nor 1")),
        };
        if header.get("file type").is_some_and(|it| !IMAGES.contains(&&*words(it))) {
            return Err(header.wrong("file type", "is none of which the image is read"));
        }
        let is_one = header.number("bands", Some(1))? == 1;
        let interleave = if is_one {
            header.get("interleave").unwrap_or("bsq")
        } else {
            header.need("interleave")?
        };
        let dims = match &*interleave.to_ascii_lowercase() {
            "bsq" => ["bands", "lines", "samples"],
            "bil" => ["lines", "bands", "samples"],
            "bip" => ["lines", "samples", "bands"],
            _ => return Err(header.wrong("interleave", "is none of bsq, bil and bip")),
        };
        let shape = dims.map(|name| header.number(name, (name == "bands").then_some(1)));
        let shape: Vec<u64> = shape.into_iter().collect::<Result<_>>()?;
        if headers::bytes(&shape, size).is_none() {
            return Err(header.wrong("samples", "are more than any file has"));
        }
        for name in ["file compression", "major frame offsets", "minor frame offsets"] {
            let is_set = |value: &str| value.contains(|digit: char| matches!(digit, '1'..='9'));
            if header.get(name).is_some_and(is_set) {
                return Err(header.wrong(name, "is not read"));
            }
        }
        let start = header.number("header offset", Some(0))?;
        let mut said = Said::default();
        headers::dims(&mut said, dims.map(|name| name.trim_end_matches('s')));
        for Field { name, said: called, value, .. } in &header.all {
            let name = name.as_deref().unwrap_or_default();
            let is_plain = name == "file type" && words(value) == IMAGES[0];
            if !STORAGE.contains(&name) && !is_plain {
                let value = match value.strip_prefix('{').and_then(|value| value.strip_suffix('}'))
                {
                    Some(list) => list.split(',').map(|word| word.trim().to_owned()).collect(),
                    None => vec![value.clone()],
                };
                headers::named(&mut said, called, headers::words_value(&value));
            }
        }
        let mut about = Said::default();
        about.doc(header.get("description").unwrap_or_default().trim_matches(['{', '}']));
        let mut layout = Text::new(order, &about);
        let item = format!("{dtype}{} @{start}", headers::shape(&shape));
        layout.item("data", item, &said);
        let source = beside::of_name(candidate, &ENDINGS)?;
        Ok(Described { layout, source: Some(source), ..Described::default() })
    }
}

/// Words in small letters with one blank between them: programs also write `_` and capitals.
fn words(text: &str) -> String {
    let text = text.to_ascii_lowercase().replace('_', " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The fields of a header.
fn read(mut cursor: Cursor) -> Result<Fields> {
    let mut fields = Fields::default();
    cursor.line()?;
    while cursor.left() > 0 {
        let at = cursor.at();
        let line = headers::text(&cursor.line()?);
        if line.trim().is_empty() || line.starts_with(';') {
            continue;
        }
        let (said, value) = line
            .split_once('=')
            .ok_or_else(|| malformed(at, format!("the line `{line}` of the header has no `=`")))?;
        let (said, mut value) = (said.trim().to_owned(), value.trim().to_owned());
        while value.starts_with('{') && !value.ends_with('}') {
            if cursor.left() == 0 {
                return Err(malformed(at, format!("the list of `{said}` does not end")));
            }
            value.push(' ');
            value.push_str(headers::text(&cursor.line()?).trim());
        }
        fields.add(Field { name: Some(words(&said)), said, value, at })?;
    }
    Ok(fields)
}

/// The type of elements in layouts, and the bytes of one element.
fn dtype(code: u64) -> Option<(&'static str, u64)> {
    let known = [
        (1, "u1", 1),
        (2, "i2", 2),
        (3, "i4", 4),
        (4, "f4", 4),
        (5, "f8", 8),
        (6, "c8", 8),
        (9, "c16", 16),
        (12, "u2", 2),
        (13, "u4", 4),
        (14, "i8", 8),
        (15, "u8", 8),
    ];
    known.iter().find(|(of, ..)| *of == code).map(|(_, dtype, size)| (*dtype, *size))
}
