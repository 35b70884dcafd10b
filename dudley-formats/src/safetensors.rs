//! safetensors: a header in JSON that says where tensors lie, and the tensors.

use std::collections::HashSet;

use dudley::model::{Candidate, Claim, Describe, Described, Doubt};
use dudley::verify::Finding;
use dudley::{ByteOrder, Result, Severity};
use dudley_parser::comments::AttrValue;
use dudley_parser::layout::text::Text;
use dudley_parser::layout::words::Said;
use serde_json::Value as Json;

use crate::cursor::{Cursor, malformed};
use crate::headers;
use crate::strict::Strict;

/// The bytes in front of the header, which say how long it is.
const LENGTH: u64 = 8;

/// The format.
pub(crate) struct Safetensors;

impl Describe for Safetensors {
    fn describe(&self) -> &'static str {
        "a safetensors file"
    }

    fn name(&self) -> &'static str {
        "safetensors"
    }

    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>> {
        // A length far below what 8 bytes can say, and a JSON object.
        let is = match candidate.head()? {
            [_, _, _, _, 0, 0, 0, 0, b'{', next, ..] => matches!(next, b'"' | b'}' | b' ' | b'\n'),
            _ => false,
        };
        Ok(is.then_some(Claim::Header))
    }

    fn read(&self, candidate: &Candidate, found: &mut dyn FnMut(Finding)) -> Result<Described> {
        let mut cursor = Cursor::new(&candidate.bytes()?, ByteOrder::Little, 0);
        let length = cursor.u8("the length of the header")?;
        let json = cursor.take(length, "the header")?;
        let no_object = |why: &dyn std::fmt::Display| {
            malformed(LENGTH, format!("the header is no JSON object: {why}"))
        };
        let Strict(header) = serde_json::from_slice(json).map_err(|error| no_object(&error))?;
        let Json::Object(header) = header else { return Err(no_object(&"it is another value")) };
        let (start, bytes) = (cursor.at(), cursor.left());
        let mut about = Said::default();
        if let Some(Json::Object(metadata)) = header.get("__metadata__") {
            for (name, value) in metadata {
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                headers::named(&mut about, name, AttrValue::Text(text));
            }
        }
        let mut tensors = Vec::new();
        for (name, entry) in header.iter().filter(|(name, _)| *name != "__metadata__") {
            match Tensor::new(name, entry, bytes) {
                Ok(tensor) => tensors.push(tensor),
                Err(why) => found(wrong(name, why)),
            }
        }
        tensors.sort_by_key(|tensor| tensor.begin);
        let mut described =
            Described { layout: Text::new(ByteOrder::Little, &about), ..Described::default() };
        let (mut end, mut names) = (0, HashSet::new());
        for tensor in &tensors {
            if tensor.begin != end {
                let why = format!(
                    "its bytes begin at {} of the data, where {end} is expected",
                    tensor.begin
                );
                found(wrong(tensor.name, why));
            }
            end = tensor.end.max(end);
            if !names.insert(tensor.name.replace('\0', "\u{fffd}")) {
                found(wrong(tensor.name, "another tensor has the same name".to_owned()));
                continue;
            }
            tensor.describe(start, &mut described);
        }
        if end != bytes {
            let what =
                format!("the tensors have {end} bytes, and the file has {bytes} behind its header");
            found(Finding::new(Severity::Warning, "left-over", what));
        }
        Ok(described)
    }
}

/// That something is wrong with a tensor.
fn wrong(name: &str, why: String) -> Finding {
    Finding::new(Severity::Error, "tensor", why).of(headers::path(&[name]))
}

/// What the header says of a tensor.
struct Tensor<'h> {
    name: &'h str,
    dtype: &'static str,
    /// The type of the elements if layouts have no such type.
    bits: Option<&'h str>,
    shape: Vec<u64>,
    /// Where it begins and ends, from the end of the header on.
    begin: u64,
    end: u64,
}

impl<'h> Tensor<'h> {
    fn new(name: &'h str, entry: &'h Json, bytes: u64) -> std::result::Result<Tensor<'h>, String> {
        let numbers = |key: &str| {
            let numbers = entry.get(key).and_then(Json::as_array);
            let numbers: Option<Vec<u64>> =
                numbers.and_then(|all| all.iter().map(Json::as_u64).collect());
            numbers
                .ok_or_else(|| format!("the header has no `{key}` of it that is a list of numbers"))
        };
        let said = entry.get("dtype").and_then(Json::as_str).unwrap_or_default();
        let (dtype, size) = dtype(said).ok_or_else(|| format!("its type `{said}` is not known"))?;
        let bits = (said.contains("F8_") || said == "BF16").then_some(said);
        let shape = numbers("shape")?;
        let [begin, end] = numbers("data_offsets")?[..] else {
            return Err("`data_offsets` are not two numbers".to_owned());
        };
        if begin > end || end > bytes {
            return Err(format!("its bytes are said to be {begin} to {end} of {bytes}"));
        }
        match headers::bytes(&shape, size) {
            Some(needed) if needed == end - begin => {}
            _ => {
                return Err(format!(
                    "{} bytes are no `{said}` of the shape {shape:?}",
                    end - begin
                ));
            }
        }
        Ok(Tensor { name, dtype, bits, shape, begin, end })
    }

    fn describe(&self, start: u64, described: &mut Described) {
        let mut said = Said::default();
        if let Some(bits) = self.bits {
            said.attribute("dtype", bits);
            let why = format!(
                "elements are of the type {bits}, which layouts do not have: these are their bits"
            );
            described.notes.push(Doubt { path: Some(headers::path(&[self.name])), why });
        }
        let (dtype, shape, address) = (self.dtype, headers::shape(&self.shape), start + self.begin);
        described.layout.item(self.name, format_args!("{dtype}{shape} @{address}"), &said);
    }
}

/// The type of elements in layouts, or what has their bits; how many bytes one has.
fn dtype(name: &str) -> Option<(&'static str, u64)> {
    Some(match name {
        "BOOL" => ("b1", 1),
        "I8" => ("i1", 1),
        "U8" | "F8_E4M3" | "F8_E5M2" | "F8_E8M0" | "F8_E4M3FNUZ" | "F8_E5M2FNUZ" => ("u1", 1),
        "I16" => ("i2", 2),
        "U16" | "BF16" => ("u2", 2),
        "F16" => ("f2", 2),
        "I32" => ("i4", 4),
        "U32" => ("u4", 4),
        "F32" => ("f4", 4),
        "I64" => ("i8", 8),
        "U64" => ("u8", 8),
        "F64" => ("f8", 8),
        "C64" => ("c8", 8),
        _ => return None,
    })
}
