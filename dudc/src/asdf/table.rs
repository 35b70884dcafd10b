//! What there is in an ASDF file, as tables for people.

use std::io::Write;

use asdf_bridge::asdf::{AsdfFile, Block, DigestState, IndexState, Item, Mask, NodeKind, Scalar};

use dudley::Value;

use super::{Options, walk_once};
use crate::commands::ls::dims;
use crate::failure::{Failure, Result};
use crate::rows::Errors;
use crate::terminal::Table;

/// Items of a sequence that are listed, and of a longer one.
const LISTED: usize = 16;
const FIRST: usize = 8;

/// Characters of a value that are shown.
const WIDTH: usize = 60;

/// Writes the tree, and the blocks behind it.
pub(super) fn write(file: &AsdfFile, options: &Options<'_>, out: &mut dyn Write) -> Result<Errors> {
    let mut errors = Errors::default();
    let head = ["path", "type", "shape", "address", "bytes", "unit", ""];
    let mut table = Table::new(&head, &[3, 4], out);
    walk_once(file, options.path, &mut |item, before| {
        if let Some(before) = before {
            let mut line = row(item, &mut errors);
            line[6] = format!("same as {before}");
            table.add(line).map_err(Failure::output)?;
            return Ok(false);
        }
        let long = item.node().kind() == NodeKind::Sequence
            && !item.is_array()
            && item.node().len() > LISTED
            && !options.all;
        table.add(row(item, &mut errors)).map_err(Failure::output)?;
        if long {
            for child in item.items().into_iter().take(FIRST) {
                table.add(row(&child.followed(), &mut errors)).map_err(Failure::output)?;
            }
            let more = item.node().len() - FIRST;
            let path = format!("{}/…", item.path().trim_end_matches('/'));
            let mut line = vec![path];
            line.resize(6, String::new());
            line.push(format!("… {more} more (--all shows them)"));
            table.add(line).map_err(Failure::output)?;
        }
        Ok((!super::is_leaf(item) || item.is_chunked()) && !long)
    })?;
    table.finish().map_err(Failure::output)?;
    if options.path.is_none() {
        blocks(file, options.digests, &mut errors, out)?;
    }
    Ok(errors)
}

fn row(item: &Item, errors: &mut Errors) -> Vec<String> {
    let node = item.node();
    let line = |path: String, cells: [String; 6]| {
        let mut line = vec![path];
        line.extend(cells);
        line
    };
    let none = String::new;
    let folder = format!("{}/", item.path().trim_end_matches('/'));
    let tag = node.short_tag().unwrap_or_default().to_owned();
    if item.is_array() || item.reference().is_some() {
        return line(item.path().to_owned(), array(item, errors));
    }
    match node.kind() {
        NodeKind::Mapping if item.is_value() => {
            let span = node.span();
            let (address, bytes) = (here(item, span.start), here(item, span.end - span.start));
            let digits = super::text(item).unwrap_or_default();
            line(item.path().to_owned(), ["int".into(), none(), address, bytes, none(), digits])
        }
        NodeKind::Mapping => line(folder, ["dict".into(), none(), none(), none(), none(), tag]),
        NodeKind::Sequence => {
            let length = format!("[{}]", node.len());
            line(folder, ["list".into(), length, none(), none(), none(), tag])
        }
        NodeKind::Scalar => {
            let complex = matches!(item.value(), Ok(Value::Complex(..)));
            let kind = node.scalar().map_or("", |scalar| kind(&scalar));
            let kind = if complex { "complex" } else { kind }.to_owned();
            let mut value = node.text().unwrap_or_default().replace(['\n', '\r', '\t'], " ");
            if value.chars().count() > WIDTH {
                value = value.chars().take(WIDTH - 1).chain(['…']).collect();
            }
            let address = here(item, node.address());
            let bytes = here(item, node.span().end - node.span().start);
            let unit = item.unit().unwrap_or_default();
            line(item.path().to_owned(), [kind, none(), address, bytes, unit, value])
        }
    }
}

/// A number of bytes of the file, where what is listed is in that, and not in another one.
fn here(item: &Item, number: u64) -> String {
    if item.file().uri().is_empty() { number.to_string() } else { String::new() }
}

fn kind(scalar: &Scalar<'_>) -> &'static str {
    match scalar {
        Scalar::Null => "null",
        Scalar::Bool(_) => "bool",
        Scalar::Int(_) | Scalar::Huge(_) => "int",
        Scalar::Float(_) => "float",
        Scalar::Text(_) => "text",
        Scalar::Timestamp(_) => "time",
        Scalar::Binary(_) => "bytes",
    }
}

/// The cells of an array; what is wrong with it leaves `?` where nothing can be said.
fn array(item: &Item, errors: &mut Errors) -> [String; 6] {
    let mut cells = [const { String::new() }; 6];
    if let Err(error) = fill(item, &mut cells) {
        let (path, why) = (item.path().into(), error.to_string().into());
        errors.add(dudley::Error::Listed { path, why });
        for cell in [0, 2] {
            if cells[cell].is_empty() {
                cells[cell] = "?".to_owned();
            }
        }
    }
    cells
}

fn fill(item: &Item, cells: &mut [String; 6]) -> asdf_bridge::asdf::Result<()> {
    if let Some(error) = super::nowhere(item) {
        return Err(error);
    }
    let array = item.array()?;
    let [dtype, shape, address, bytes, unit, notes] = cells;
    *dtype = array.dtype_name()?;
    if dtype.len() > 24 {
        *dtype = format!("struct of {}", array.datatype().size().unwrap_or_default());
    }
    *shape = dims(&array.data_shape());
    *unit = item.unit().unwrap_or_default();
    let mut about = Vec::new();
    let outside = array.outside();
    match (array.block()?, array.source()) {
        _ if outside.is_some() => about.extend(outside.clone()),
        (Some(block), _) => {
            if let Some(codec) = block.compression() {
                *dtype += &format!(" -> {codec}");
            }
            about.push(format!("block {}", block.index));
        }
        (None, None) if item.is_chunked() => {
            about.push(format!("chunks: {}", array.chunks().count()));
        }
        (None, _) => about.push("in the tree".to_owned()),
    }
    if !array.is_packed() {
        about.push("strided".to_owned());
    }
    match array.mask()? {
        None => {}
        Some(Mask::Array(_)) => about.push("masked by an array".to_owned()),
        Some(_) => about.push("masked".to_owned()),
    }
    about.extend(item.description());
    *notes = about.join("; ");
    if outside.is_none()
        && let Some((at, length)) = array.place()?
    {
        *address = at.to_string();
        *bytes = length.to_string();
    }
    Ok(())
}

/// Writes the table of the blocks.
fn blocks(file: &AsdfFile, digests: bool, errors: &mut Errors, out: &mut dyn Write) -> Result<()> {
    let blocks = file.blocks()?;
    if blocks.is_empty() {
        return Ok(());
    }
    writeln!(out).map_err(Failure::output)?;
    let head = [
        "block",
        "address",
        "header",
        "flags",
        "codec",
        "data",
        "stored",
        "decoded",
        "ratio",
        "allocated",
        "aligned",
        "digest",
    ];
    let mut table = Table::new(&head, &[0, 1, 2, 5, 6, 7, 8, 9, 10], &mut *out);
    for (index, block) in blocks.into_iter().enumerate() {
        let row = match block {
            Ok(block) => {
                let state = digests.then(|| file.digest(&block).map_or("?", DigestState::as_str));
                of_block(&block, state)
            }
            Err(error) => {
                let why = error.to_string().into();
                errors.add(dudley::Error::Listed { path: format!("block {index}").into(), why });
                vec![index.to_string(), "?".to_owned()]
            }
        };
        table.add(row).map_err(Failure::output)?;
    }
    table.finish().map_err(Failure::output)?;
    let index = match file.index()? {
        IndexState::Absent => "no block index".to_owned(),
        IndexState::Good { address } => format!("block index at {address}: good"),
        IndexState::Bad { address, .. } => format!("block index at {address}: bad"),
    };
    writeln!(out, "{index}").map_err(Failure::output)
}

fn of_block(block: &Block, state: Option<&str>) -> Vec<String> {
    let flags = if block.is_streamed() { "streamed" } else { "" };
    let ratio = match block.compression() {
        Some(_) if block.used() > 0 => {
            format!("{:.2}", block.decoded as f64 / block.used() as f64)
        }
        _ => String::new(),
    };
    // The greatest power of two that divides the address, which views of elements want.
    let aligned = 1_u64 << block.data.start.trailing_zeros().min(12);
    let digest = state.unwrap_or(if block.digest == [0; 16] { "" } else { "MD5" });
    vec![
        block.index.to_string(),
        block.address.to_string(),
        block.header_size.to_string(),
        flags.to_owned(),
        block.compression().unwrap_or_default(),
        block.data.start.to_string(),
        block.used().to_string(),
        block.decoded.to_string(),
        ratio,
        block.allocated.to_string(),
        aligned.to_string(),
        digest.to_owned(),
    ]
}
