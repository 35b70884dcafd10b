//! NIfTI-1 and NIfTI-2: one image, with its elements after the header or in a separate file.

use dudley::model::{Candidate, Claim, Describe, Described, Doubt, Fact};
use dudley::verify::Finding;
use dudley::{ByteOrder, Result, Severity};
use dudley_parser::comments::AttrValue;
use dudley_parser::layout::text::Text;
use dudley_parser::layout::words::Said;

use crate::cursor::{Cursor, malformed};
use crate::fixed::Fixed;
use crate::{beside, headers};

dudley::layout!(mod nifti1 = "layouts/nifti1.dud");
dudley::layout!(mod nifti2 = "layouts/nifti2.dud");

/// For each version: the length of the header, which its first field states, the offset of its magic number, its layout
/// and its name.
const VERSIONS: [(u32, usize, &str, &str); 2] =
    [(348, 344, nifti1::LAYOUT, "NIfTI-1"), (540, 4, nifti2::LAYOUT, "NIfTI-2")];

/// The names of dimensions, fastest first.
const AXES: [&str; 7] = ["x", "y", "z", "t", "u", "v", "w"];

/// The fields of the header that become attributes of the elements.
const ATTRIBUTES: &str = "cal_max cal_min pixdim toffset slice_duration \
    slice_start slice_end slice_code dim_info intent_code intent_p1 intent_p2 intent_p3 qform_code \
    quatern_b quatern_c quatern_d qoffset_x qoffset_y qoffset_z sform_code srow_x srow_y srow_z";

/// The units of coordinates, by bits 0 to 2 and 3 to 5 of `xyzt_units`.
const UNITS: [&[&str]; 2] = [&["", "m", "mm", "um"], &["", "s", "ms", "us", "Hz", "ppm", "rad/s"]];

/// The format.
pub(crate) struct Nifti;

/// The version of a header, as an index, and its byte order.
fn version(head: &[u8]) -> Option<(usize, ByteOrder)> {
    let first: [u8; 4] = *head.first_chunk()?;
    let is = |version: &(u32, usize, &str, &str)| match first {
        first if first == version.0.to_le_bytes() => Some(ByteOrder::Little),
        first if first == version.0.to_be_bytes() => Some(ByteOrder::Big),
        _ => None,
    };
    VERSIONS.iter().enumerate().find_map(|(at, version)| Some((at, is(version)?)))
}

impl Describe for Nifti {
    fn describe(&self) -> &'static str {
        "a NIfTI file"
    }

    fn name(&self) -> &'static str {
        "nifti"
    }

    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>> {
        let Some((at, _)) = version(candidate.head()?) else { return Ok(None) };
        let magic = candidate.long_head()?.get(VERSIONS[at].1..);
        let is = magic.is_some_and(|it| it.starts_with(b"n+") || it.starts_with(b"ni"));
        Ok(is.then_some(Claim::Signature))
    }

    fn read(&self, candidate: &Candidate, found: &mut dyn FnMut(Finding)) -> Result<Described> {
        let (at, order) = version(candidate.head()?).unwrap_or((0, ByteOrder::Little));
        let (length, magic_at, layout, called) = VERSIONS[at];
        let mut cursor = Cursor::new(&candidate.bytes()?, order, 0);
        let bytes = cursor.take(length.into(), "the header")?.to_vec();
        let is_alone = bytes[magic_at + 1] == b'+';
        let header = Fixed::new(layout, order, bytes)?;
        let dims = dims(&header)?;
        let code = header.int("datatype")?;
        let (dtype, size, inner) = dtype(code)
            .ok_or_else(|| header.wrong("datatype", format!("elements of type {code}")))?;
        let inner_length = inner.map(|(length, _)| length);
        let shape: Vec<u64> = dims.iter().rev().copied().chain(inner_length).collect();
        if headers::bytes(&shape, size).is_none() {
            return Err(header.wrong("dim", format!("no file has an image of {shape:?}")));
        }
        let mut said = said(&header, inner.is_none(), found)?;
        let names = AXES[..dims.len()].iter().rev().copied();
        headers::dims(&mut said, names.chain(inner.map(|(_, name)| name)));
        let start = header.int("vox_offset")?;
        // Four bytes after the header tell whether there are extensions.
        if start < if is_alone { i64::from(length) + 4 } else { 0 } {
            let what = format!("the elements begin at {start}, within the header");
            return Err(header.wrong("vox_offset", what));
        }
        if header.numbers("vox_offset")?[0].fract() != 0.0 {
            return Err(header.wrong("vox_offset", "the elements begin within a byte"));
        }
        let source =
            if is_alone { None } else { Some(beside::of_name(candidate, &["img", "IMG"])?) };
        let mut about = Said::default();
        about.doc(&format!("An image of {called}."));
        let mut described =
            Described { layout: Text::new(order, &about), source, ..Described::default() };
        described.facts.push(Fact::new("version", at + 1).shown(called));
        let item = format!("{dtype}{} @{start}", headers::shape(&shape));
        described.layout.item("data", item, &said);
        if matches!(code, 1536 | 2048) {
            let why = "layouts have no long doubles: these are their bytes".to_owned();
            described.notes.push(Doubt { path: Some("/data".to_owned()), why });
        }
        if is_alone
            && let Err(error) = extensions(&mut cursor, start.unsigned_abs(), &mut described.layout)
        {
            found(Finding::of_error(Severity::Error, "extension", &error));
        }
        Ok(described)
    }
}

/// The lengths of dimensions, fastest first.
fn dims(header: &Fixed) -> Result<Vec<u64>> {
    let dims = header.ints("dim")?;
    let count = usize::try_from(dims[0]).ok().filter(|count| (1..=AXES.len()).contains(count));
    let lengths = dims[1..].iter().take(count.unwrap_or(0)).map(|dim| u64::try_from(*dim));
    let lengths: Option<Vec<u64>> = lengths.map(Result::ok).collect();
    lengths.filter(|_| count.is_some()).ok_or_else(|| {
        header.wrong("dim", format!("these are no lengths of 1 to 7 dimensions: {dims:?}"))
    })
}

/// The comments on the elements: fields other than zero, and the scaling of numbers.
fn said(header: &Fixed, is_number: bool, found: &mut dyn FnMut(Finding)) -> Result<Said> {
    let mut said = Said::default();
    for name in ATTRIBUTES.split_whitespace() {
        let numbers = header.numbers(name)?;
        if numbers.iter().any(|number| *number != 0.0) {
            headers::attribute(&mut said, name, headers::numbers_value(&numbers));
        }
    }
    for name in ["descrip", "aux_file", "intent_name"] {
        let text = header.text(name)?;
        let text = text.split('\0').next().unwrap_or_default().trim_end();
        headers::attribute(&mut said, name, AttrValue::Text(text.to_owned()));
    }
    let (slope, offset) = (header.numbers("scl_slope")?[0], header.numbers("scl_inter")?[0]);
    // NaN and 0 mean no scaling.
    let is_scaled = !slope.is_nan() && slope != 0.0 && (slope, offset) != (1.0, 0.0);
    if is_scaled && is_number && !(slope.is_finite() && offset.is_finite()) {
        let what = format!(
            "the header scales by {slope} and adds {offset}, which makes numbers of none: the stored ones are read"
        );
        let error = header.wrong("scl_slope", what);
        found(Finding::of_error(Severity::Error, "scaling", &error).of("/data"));
    } else if is_scaled && is_number {
        headers::attribute(&mut said, "scale_factor", AttrValue::Float(slope));
        headers::attribute(&mut said, "add_offset", AttrValue::Float(offset));
    }
    let units = header.int("xyzt_units")? as usize;
    for (name, known, code) in
        [("space_units", UNITS[0], units & 7), ("time_units", UNITS[1], units >> 3 & 7)]
    {
        let unit = known.get(code).copied().unwrap_or_default();
        headers::attribute(&mut said, name, AttrValue::Text(unit.to_owned()));
    }
    Ok(said)
}

/// The dtype of numbers, bytes of a number, and, for pixels, the number of numbers in a pixel with the name of that
/// dimension.
type Elements = (&'static str, u64, Option<(u64, &'static str)>);

/// The elements of a datatype code.
fn dtype(code: i64) -> Option<Elements> {
    let (dtype, size) = match code {
        2 | 128 | 1536 | 2048 | 2304 => ("u1", 1),
        4 => ("i2", 2),
        8 => ("i4", 4),
        16 => ("f4", 4),
        32 => ("c8", 8),
        64 => ("f8", 8),
        256 => ("i1", 1),
        512 => ("u2", 2),
        768 => ("u4", 4),
        1024 => ("i8", 8),
        1280 => ("u8", 8),
        1792 => ("c16", 16),
        _ => return None,
    };
    let pixels = [(128, 3, "rgb"), (2304, 4, "rgba"), (1536, 16, "byte"), (2048, 32, "byte")];
    let inner = pixels.iter().find(|(of, ..)| *of == code);
    Some((dtype, size, inner.map(|(_, count, name)| (*count, *name))))
}

/// Adds the extensions between the header and the elements: texts, or bytes of other programs, each with its code.
fn extensions(cursor: &mut Cursor, end: u64, layout: &mut Text) -> Result<()> {
    if end < cursor.at() + 4 || cursor.take(4, "the mark of extensions")?[0] == 0 {
        return Ok(());
    }
    let mut count = 0;
    while end.saturating_sub(cursor.at()) >= 16 {
        let at = cursor.at();
        let (size, code) = (cursor.u4("an extension")?, cursor.u4("an extension")?);
        let data =
            u64::from(size).checked_sub(8).filter(|data| *data > 0 && *data <= end - cursor.at());
        let data = data.ok_or_else(|| {
            malformed(at, format!("an extension of {size} bytes does not end before the elements"))
        })?;
        let dtype = if matches!(code, 4 | 6 | 32 | 44) { "U1" } else { "u1" };
        let mut said = Said::default();
        headers::attribute(&mut said, "ecode", AttrValue::Int(code.into()));
        layout.item(
            &format!("extension_{count}"),
            format_args!("{dtype}[{data}] @{}", cursor.at()),
            &said,
        );
        cursor.skip(data, "an extension")?;
        count += 1;
    }
    Ok(())
}
