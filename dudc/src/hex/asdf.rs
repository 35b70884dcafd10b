//! ASDF and FINF files: the tree as text, each block by the layout of its header; or the arrays of a path,
//! where they lie in the blocks.

use std::io::Write;

use asdf_bridge::asdf::{Array, AsdfFile, Block, Item, References};
use dudley::bytes::Source;
use dudley::read::select::Picked;

use super::amount::Amount;
use super::print::Printer;
use super::{Kind, Options, Part, order, sliced};
use crate::failure::{Failure, Result};
use crate::opened::Opened;
use crate::rows::Errors;

/// Shows a file, or what a path picks of it.
///
/// # Errors
/// If it cannot be read, or has no such arrays.
pub(super) fn show(
    opened: &Opened,
    file: &AsdfFile,
    options: &Options<'_>,
    out: &mut dyn Write,
) -> Result<Errors> {
    let source: &dyn Source = file.source();
    let mut printer = Printer::new(source, options, out)?;
    if let Some(path) = options.path {
        let amount = Amount {
            whole: options.all,
            length: source.len(),
            range: printer.ranged().then_some(printer.range),
            held: false,
        };
        // What there is not is said before anything is shown.
        let found = arrays(file, path)?;
        printer.begin("asdf", None)?;
        found.iter().try_for_each(|array| picked(file, path, array, amount, &mut printer))?;
        return printer.finish();
    }
    printer.begin("asdf", None)?;
    let text = file.text();
    let begin = text.tree.as_ref().map_or(text.end, |tree| tree.start).min(source.len());
    if begin > 0 {
        let doc = Some(format!("version {}", text.version));
        printer.part(Part { doc, ..Part::new(Kind::Text, 0, begin, "first lines") })?;
    }
    if let Some(tree) = &text.tree {
        let bytes = tree.end.min(source.len()).saturating_sub(tree.start);
        printer.part(Part::new(Kind::Text, tree.start, bytes, "tree"))?;
    }
    let mut behind = text.end;
    for block in file.blocks()? {
        match block {
            Ok(block) => {
                self::block(opened, &block, &mut printer)?;
                behind = behind.max(block.end());
            }
            Err(error) => printer.wrong(error.into()),
        }
    }
    let rest = source.len();
    if rest > printer.cursor() && rest > behind {
        let from = printer.cursor();
        let doc = Some("an index of the blocks, or what is behind them".to_owned());
        printer.part(Part { doc, ..Part::new(Kind::Text, from, rest - from, "rest") })?;
    }
    printer.between(rest, "")?;
    printer.finish()
}

/// A block: its header with all fields, its data, and the room behind them.
fn block(opened: &Opened, block: &Block, printer: &mut Printer<'_>) -> Result<()> {
    let address = block.address;
    let stream = opened.through(block.form.layout(), address)?;
    let mut parts = Vec::new();
    order::all(&stream, &mut |part| {
        parts.push(part);
        Ok(())
    })?;
    let compression = block.compression();
    for mut part in parts {
        part.address = part.address.saturating_add(address);
        if part.path == "/payload" {
            // Early blocks may say in front of their data how those are encoded.
            let encoding = block.data.start.saturating_sub(part.address);
            if encoding > 0 {
                let path = format!("block {}/encoding", block.index);
                printer.part(Part::new(Kind::Text, part.address, encoding, path))?;
            }
            part.address = block.data.start;
            // A streamed block goes on to the end of the file, whatever its header says.
            part.bytes = block.used();
            part.dtype = match &compression {
                Some(codec) => format!("{codec} of |u1"),
                None => "|u1".to_owned(),
            };
            part.shape = vec![if compression.is_some() { block.decoded } else { block.used() }];
            part.element = None;
        }
        part.path = format!("block {}{}", block.index, part.path);
        if part.bytes > 0 {
            printer.part(part)?;
        }
    }
    Ok(())
}

/// The arrays at or below a path; of a path with slices the one that it slices.
fn arrays(file: &AsdfFile, path: &str) -> Result<Vec<Array>> {
    let start = match file.get(path) {
        Ok(item) => item,
        // A slice, or nothing of that name, which this says.
        Err(_) => {
            file.select(path)?;
            return Ok(vec![file.array(sliced_path(path))?]);
        }
    };
    let mut found = Vec::new();
    let mut visit = |item: &Item| -> Result<bool> {
        if item.is_array() {
            let array = item.array()?;
            // Chunks have bytes of their own.
            found.extend(array.chunks().cloned());
            if !item.is_chunked() {
                found.push(array);
            }
        }
        Ok(!item.is_array())
    };
    start.walk(References::Kept, &mut visit)?;
    if found.is_empty() {
        return Err(Failure::input(format!(
            "`{path}` holds no array, so it is text of the tree: --range picks addresses"
        )));
    }
    Ok(found)
}

/// A path without the slices and fields at its end.
fn sliced_path(path: &str) -> &str {
    super::origin::starts(path).first().map_or(path, |at| &path[..*at])
}

/// The bytes of an array, or of what a path picks of it.
fn picked(
    file: &AsdfFile,
    path: &str,
    array: &Array,
    amount: Amount,
    printer: &mut Printer<'_>,
) -> Result<()> {
    let whole = array.path() != sliced_path(path) || sliced_path(path) == path;
    let item = file.get(array.path())?;
    let (unit, doc) = (item.unit(), item.description());
    if let Some(uri) = array.outside() {
        let of = match array.file().uri() {
            "" => String::new(),
            uri => format!(": `dudc dump {uri} {} --hex` shows them", item.own_path()),
        };
        return Err(Failure::input(format!(
            "the elements of `{}` are in another file, `{uri}`{of}",
            array.path()
        )));
    }
    let compression = array.block()?.and_then(|block| block.compression());
    match (array.place()?, compression) {
        (None, _) => Err(Failure::input(format!(
            "the elements of `{}` are in no block of this file, but {}",
            array.path(),
            match () {
                () if item.is_chunked() => "in chunks, which have paths of their own",
                () => "in the tree, which is text: --range picks addresses",
            }
        ))),
        (Some((address, bytes)), Some(codec)) => {
            let mut part = Part::new(Kind::Item, address, bytes, array.path());
            part.dtype = format!("{codec} of {}", array.dtype_name()?);
            part.shape = array.shape().to_vec();
            let stored =
                if whole { None } else { Some("shown whole, as it is compressed".to_owned()) };
            printer.part(Part { unit, doc: stored.or(doc), ..part })
        }
        (Some(_), None) => {
            let all = array.data()?;
            let data = if whole {
                all.clone()
            } else {
                match file.select_stored(path)?.parts.pop() {
                    Some(Picked::Data(data)) => data,
                    _ => return Err(Failure::input(format!("`{path}` has no bytes of its own"))),
                }
            };
            let name = array.path().to_owned();
            let path = if whole { array.path() } else { path };
            let origin = super::origin::Origin { name, whole: Some(all), unit, doc };
            sliced::one(&origin, Some(path), &data, amount, &mut |part| printer.part(part))
        }
    }
}
