//! What there is in an ASDF file as JSON: the rows of the command-line contract, and the blocks.

use std::io::Write;

use asdf_bridge::asdf::{
    Array, AsdfFile, Block, Dialect, DigestState, Finding, IndexState, Item, NodeKind,
};
use serde_json::{Map, Value as Json, json};

use super::{Options, walk_once};
use crate::failure::{Failure, Result};
use crate::json::{JsonSink, Safe};
use crate::rows::Errors;

/// Writes all rows; those of single things that are wrong say so.
pub(super) fn write(file: &AsdfFile, options: &Options<'_>, out: &mut dyn Write) -> Result<Errors> {
    // Where the tree or the path is wrong there is no listing, not the beginning of one.
    walk_once(file, options.path, &mut |_, _| Ok(false))?;
    let blocks = if options.path.is_none() {
        Some((of_blocks(file, options)?, file.index()?))
    } else {
        None
    };
    let findings: Vec<Json> = file.check()?.findings.iter().map(finding).collect();
    let mut errors = Errors::default();
    let text = file.text();
    let kind = if text.dialect == Dialect::Finf { "finf" } else { "asdf" };
    let mut head = Map::new();
    head.insert("version".into(), json!(1));
    head.insert("kind".into(), json!(kind));
    // There is none for all of a file.
    head.insert("order".into(), Json::Null);
    head.insert("format".into(), json!(text.version));
    head.insert("standard".into(), json!(text.standard));
    head.insert("comments".into(), json!(text.comments));
    head.insert("params".into(), json!([]));
    let head = Json::Object(head).to_string();
    write!(out, "{}", head.trim_end_matches('}')).map_err(Failure::output)?;
    let item = |item: &Item| super::is_leaf(item);
    let container = |item: &Item| !super::is_leaf(item);
    rows(file, options, "items", &item, &mut errors, out)?;
    rows(file, options, "containers", &container, &mut errors, out)?;
    if let Some((blocks, state)) = blocks {
        write!(out, ",\n \"blocks\": {}", Safe(json!(blocks))).map_err(Failure::output)?;
        write!(out, ",\n \"index\": {}", index(state)).map_err(Failure::output)?;
    }
    writeln!(out, ",\n \"findings\": {}}}", Safe(json!(findings))).map_err(Failure::output)?;
    Ok(errors)
}

/// The rows of all blocks.
fn of_blocks(file: &AsdfFile, options: &Options<'_>) -> Result<Vec<Json>> {
    let blocks = file.blocks()?.into_iter().enumerate().map(|(index, block)| match block {
        Ok(block) => of_block(file, &block, options.digests),
        Err(error) => json!({"block": index, "error": error.to_string()}),
    });
    Ok(blocks.collect())
}

/// Writes the rows of the items that `wanted` picks.
fn rows(
    file: &AsdfFile,
    options: &Options<'_>,
    key: &str,
    wanted: &dyn Fn(&Item) -> bool,
    errors: &mut Errors,
    out: &mut dyn Write,
) -> Result<()> {
    write!(out, ",\n \"{key}\": [").map_err(Failure::output)?;
    let mut first = true;
    walk_once(file, options.path, &mut |item, before| {
        if wanted(item) {
            let row = row(item, before, options, errors);
            let comma = if std::mem::take(&mut first) { "" } else { "," };
            write!(out, "{comma}\n  {}", Safe(row)).map_err(Failure::output)?;
        }
        // Its values are those of its chunks.
        Ok(!super::is_leaf(item) || item.is_chunked() && !options.values)
    })?;
    write!(out, "\n ]").map_err(Failure::output)
}

/// The row of an item as text: an object. What is in a shared mapping or list is shown where it stood before.
fn row(item: &Item, before: Option<&str>, options: &Options<'_>, errors: &mut Errors) -> String {
    let mut map = Map::new();
    map.insert("path".into(), json!(item.path()));
    let node = item.node();
    match node.kind() {
        _ if item.is_array() || item.reference().is_some() => {
            let array = super::nowhere(item).map_or_else(|| item.array(), Err);
            if let Err(error) = array.and_then(|array| of_array(item, &array, &mut map)) {
                map.insert("error".into(), json!(error.to_string()));
                let (path, why) = (item.path().into(), error.to_string().into());
                errors.add(dudley::Error::Listed { path, why });
            }
            if let Some(doc) = item.description() {
                map.insert("doc".into(), json!([doc]));
            }
            if let Some(unit) = item.unit() {
                map.insert("unit".into(), json!(unit));
            }
        }
        _ if item.is_value() => {
            match item.file().uri() {
                "" => {
                    map.insert("address".into(), json!(node.address()));
                    map.insert("bytes".into(), json!(node.span().end - node.span().start));
                }
                uri => {
                    map.insert("source".into(), json!(uri));
                }
            }
            map.insert("text".into(), json!(super::text(item)));
            if let Some(unit) = item.unit() {
                map.insert("unit".into(), json!(unit));
            }
        }
        _ => {
            let kind = if node.kind() == NodeKind::Mapping { "dict" } else { "list" };
            map.insert("kind".into(), json!(kind));
            map.insert("length".into(), json!(node.len()));
            if let Some(before) = before {
                map.insert("same_as".into(), json!(before));
            }
        }
    }
    if let Some(tag) = node.tag() {
        map.insert("tag".into(), json!(tag));
    }
    let mut text = Json::Object(map).to_string();
    if options.values && super::is_leaf(item) {
        match value(item, options.exact) {
            Ok(value) => {
                text.pop();
                text += &format!(", \"value\": {value}}}");
            }
            Err(error) => {
                let (path, why) = (item.path().into(), error.to_string().into());
                errors.add(dudley::Error::Listed { path, why });
            }
        }
    }
    text
}

fn value(item: &Item, exact: bool) -> asdf_bridge::asdf::Result<String> {
    let mut text = Vec::new();
    item.emit(&mut JsonSink::new(&mut text), exact)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn of_array(
    item: &Item,
    array: &Array,
    map: &mut Map<String, Json>,
) -> asdf_bridge::asdf::Result<()> {
    map.insert("dtype".into(), json!(array.dtype_name()?));
    map.insert("shape".into(), json!(array.data_shape()));
    let outside = array.outside();
    if outside.is_none()
        && let Some((address, bytes)) = array.place()?
    {
        map.insert("address".into(), json!(address));
        map.insert("bytes".into(), json!(bytes));
    }
    if !array.is_packed() {
        map.insert("strides".into(), json!(array.strides()?));
        map.insert("offset".into(), json!(array.offset()));
    }
    match (outside, array.block()?) {
        (Some(uri), _) => {
            map.insert("source".into(), json!(uri));
        }
        (None, Some(block)) => {
            map.insert("block".into(), json!(block.index));
            if let Some(codec) = block.compression() {
                map.insert("compression".into(), json!(codec));
                map.insert("raw_bytes".into(), json!(block.decoded));
            }
        }
        _ if item.is_chunked() => {
            map.insert("chunks".into(), json!(array.chunks().count()));
        }
        _ => {
            map.insert("inline".into(), json!(true));
        }
    }
    if array.mask()?.is_some() {
        map.insert("masked".into(), json!(true));
    }
    Ok(())
}

fn of_block(file: &AsdfFile, block: &Block, digests: bool) -> Json {
    let digest: String = block.digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut row = json!({
        "block": block.index,
        "address": block.address,
        "header": block.header_size,
        "flags": block.flags,
        "compression": block.compression(),
        "data": block.data.start,
        "stored": block.used(),
        "decoded": block.decoded,
        "allocated": block.allocated,
        "streamed": block.is_streamed(),
        "digest": if block.digest == [0; 16] { Json::Null } else { json!(digest) },
    });
    if digests {
        // None for data that are cut off.
        row["digest_state"] = json!(file.digest(block).ok().map(DigestState::as_str));
    }
    row
}

fn index(state: IndexState) -> Json {
    match state {
        IndexState::Absent => Json::Null,
        IndexState::Good { address } => json!({"address": address, "good": true}),
        IndexState::Bad { address, reason } => {
            json!({"address": address, "good": false, "reason": reason})
        }
    }
}

fn finding(finding: &Finding) -> Json {
    json!({
        "code": finding.code.as_str(),
        "address": finding.address,
        "block": finding.block,
        "reason": finding.reason,
    })
}
