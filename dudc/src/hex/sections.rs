//! The sections of a file, as its format describes them.

use std::collections::HashSet;
use std::io::Write;
use std::iter::Peekable;

use dudley::model::{Header, Holds, Section, Sections};
use dudley::{Error, Stream};

use super::amount::Amount;
use super::origin::Origin;
use super::print::Printer;
use super::{Kind, Options, Part, order, sliced};
use crate::failure::Result;
use crate::filters;
use crate::rows::Errors;

/// This many bytes hold all fields of a header.
const HEADER: u64 = 64;

/// Shows sections.
///
/// # Errors
/// If they cannot be written.
pub(super) fn show(found: Sections, options: &Options<'_>, out: &mut dyn Write) -> Result<Errors> {
    let mut printer = Printer::new(&*found.source, options, out)?;
    printer.begin(found.name, found.order)?;
    let mut sections = found.sections.into_iter().peekable();
    while let Some(section) = sections.next() {
        match section {
            Ok(Section { holds: Holds::Items(stream, path, header), .. }) => {
                let options = Options { path: path.as_deref(), ..*options };
                items(&stream, header, &options, &mut sections, &mut printer)?;
            }
            Ok(section) => self::section(section, options, &mut printer)?,
            Err(error) => printer.wrong(error),
        }
    }
    if options.path.is_none() {
        printer.between(found.source.len(), "")?;
    }
    printer.finish()
}

fn section(section: Section, options: &Options<'_>, printer: &mut Printer<'_>) -> Result<()> {
    let Section { name, address, bytes, unit, doc, holds } = section;
    let part = |kind| Part {
        unit: unit.clone(),
        doc: doc.clone(),
        ..Part::new(kind, address, bytes, name.as_str())
    };
    match holds {
        Holds::Text => printer.part(part(Kind::Text)),
        Holds::Signature => printer.part(part(Kind::Signature)),
        Holds::Nothing => {
            printer.between(address, "")?;
            printer.part(part(Kind::Gap))
        }
        Holds::Elements(dtype, shape) => printer.part(Part { dtype, shape, ..part(Kind::Item) }),
        Holds::Headed(header, elements) => {
            let (dtype, shape) = elements.unwrap_or_default();
            headed(&Part { dtype, shape, ..part(Kind::Item) }, header, options, printer)
        }
        Holds::Array(path, data) => {
            let (data, whole) = *data;
            let amount = Amount {
                whole: options.all,
                length: printer.source.len(),
                range: printer.ranged().then_some(printer.range),
                held: false,
            };
            let origin = Origin { name, whole: Some(whole), unit, doc };
            sliced::one(&origin, Some(&path), &data, amount, &mut |part| printer.part(part))
        }
        // They are shown with the sections between them.
        Holds::Items(..) => Ok(()),
        Holds::Elsewhere(file, path) => {
            let of = path.map_or(String::new(), |path| {
                format!(": `dudc dump {file} {path} --hex` shows them")
            });
            let why = format!("the elements of `{name}` are in another file, `{file}`{of}");
            printer.wrong(Error::Listed { path: name.into(), why: why.into() });
            Ok(())
        }
    }
}

/// The items of a stream, and the sections between them; encoded bytes that have a header are shown with its fields.
fn items(
    stream: &Stream,
    header: fn(&str, &[u8]) -> Option<Header>,
    options: &Options<'_>,
    sections: &mut Peekable<impl Iterator<Item = dudley::Result<Section>>>,
    printer: &mut Printer<'_>,
) -> Result<()> {
    let parts = order::collected(stream, options, printer)?;
    let filter = |part: &Part| Some(part.dtype.split_once(" of ")?.0.to_owned());
    let has_header = |part: &Part| filter(part).is_some_and(|name| header(&name, &[]).is_some());
    let headers: HashSet<u64> =
        parts.iter().filter(|part| has_header(part)).map(|part| part.address).collect();
    for part in parts {
        let is_before = |next: &dudley::Result<Section>| {
            next.as_ref()
                .is_ok_and(|it| !matches!(it.holds, Holds::Items(..)) && it.end() <= part.address)
        };
        while let Some(Ok(before)) = sections.next_if(is_before) {
            section(before, options, printer)?;
        }
        let mut head = || printer.read(part.address, part.bytes.min(HEADER));
        match filter(&part).and_then(|name| header(&name, &head())) {
            Some(header) => headed(&part, header, options, printer)?,
            // An item with a header may be listed as it is stored, too.
            None if part.kind == Kind::Item
                && part.bytes > 0
                && headers.contains(&part.address) => {}
            None => printer.part(part)?,
        }
    }
    Ok(())
}

/// The fields of the header at the start of some bytes, and the rest.
fn headed(
    part: &Part,
    mut header: Header,
    options: &Options<'_>,
    printer: &mut Printer<'_>,
) -> Result<()> {
    if !part.dtype.is_empty() {
        printer.part(Part { kind: Kind::Heading, bytes: 0, ..part.clone() })?;
    }
    let head = printer.read(part.address, part.bytes.min(HEADER));
    let stream = filters::opener().raw().layout_text(header.layout)?.bytes(head)?;
    let mut behind = part.address;
    order::all(&stream, &mut |mut field| {
        if let Some((_, within)) = header.within.take_if(|(path, _)| *path == field.path) {
            return within.into_iter().try_for_each(|section| {
                let documented = matches!(section.holds, Holds::Elements(..));
                let doc = if documented { field.doc.clone() } else { section.doc.clone() };
                self::section(Section { doc, ..section }, options, printer)
            });
        }
        field.address = field.address.saturating_add(part.address);
        field.path = format!("{}{}{}", part.path, header.joint, field.path.trim_start_matches('/'));
        if field.bytes > 0 && field.end() <= part.end() {
            behind = behind.max(field.end());
            return printer.part(field);
        }
        Ok(())
    })?;
    match (header.rest, part.end().saturating_sub(behind)) {
        (Some(name), rest @ 1..) => {
            let name = format!("{}{}{name}", part.path, header.joint);
            printer.part(Part::new(Kind::Item, behind, rest, name))
        }
        _ => Ok(()),
    }
}
