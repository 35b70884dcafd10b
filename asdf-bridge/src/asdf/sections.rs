//! The sections of a file: the text, each block with the fields of its header; or the arrays of a path, where they lie
//! in the blocks.

use dudley::model::{Header, Holds, Section};
use dudley::read::path::{Part, parse, spell};
use dudley::read::select::Picked;

use super::array::Array;
use super::blocks::Block;
use super::error::{Error, Result};
use super::file::AsdfFile;
use super::item::Item;
use super::walk::References;

/// All of a file that has this many bytes.
pub(super) fn all(file: &AsdfFile, length: u64) -> Result<Vec<dudley::Result<Section>>> {
    let text = file.text();
    let begin = text.tree.as_ref().map_or(text.end, |tree| tree.start).min(length);
    let doc = Some(format!("version {}", text.version));
    let mut sections = Vec::new();
    if begin > 0 {
        sections.push(Ok(Section { doc, ..Section::new("first lines", 0, begin, Holds::Text) }));
    }
    if let Some(tree) = &text.tree {
        let bytes = tree.end.min(length).saturating_sub(tree.start);
        sections.push(Ok(Section::new("tree", tree.start, bytes, Holds::Text)));
    }
    let mut behind = text.end;
    for block in file.blocks()? {
        match block {
            Ok(block) => {
                behind = behind.max(block.end());
                sections.push(Ok(self::block(&block)));
            }
            Err(error) => sections.push(Err(error.into())),
        }
    }
    let from = sections.iter().flatten().map(Section::end).max().unwrap_or(0);
    if length > from.max(behind) {
        let doc = Some("an index of the blocks, or what is behind them".to_owned());
        sections
            .push(Ok(Section { doc, ..Section::new("rest", from, length - from, Holds::Text) }));
    }
    Ok(sections)
}

/// A block: its header, and in place of its payload what says how its data is encoded, and its data.
fn block(block: &Block) -> Section {
    let name = format!("block {}", block.index);
    let start = block.form.start(block.address, block.header_size);
    // Early blocks may say in front of their data how those are encoded.
    let encoding = block.data.start.saturating_sub(start);
    let encoding = Section::new(format!("{name}/encoding"), start, encoding, Holds::Text);
    // A streamed block continues to the end of the file, whatever its header says.
    let used = block.used();
    let (dtype, count) = match block.compression() {
        Some(codec) => (format!("{codec} of |u1"), block.decoded),
        None => ("|u1".to_owned(), used),
    };
    let holds = Holds::Elements(dtype, vec![count]);
    let payload = Section::new(format!("{name}/payload"), block.data.start, used, holds);
    let within = vec![encoding, payload].into_iter().filter(|section| section.bytes > 0);
    let within = Some(("/payload", within.collect()));
    let header = Header { layout: block.form.layout(), within, joint: "/", rest: None };
    let bytes = block.end().saturating_sub(block.address);
    Section::new(name, block.address, bytes, Holds::Headed(header, None))
}

/// What a path picks: the arrays at or below it; of a path with slices a part of one.
pub(super) fn picked(file: &AsdfFile, path: &str) -> Result<Vec<dudley::Result<Section>>> {
    let start = match file.get(path) {
        Ok(item) => item,
        // A slice, or nothing of that name, which this says.
        Err(_) => {
            file.select(path)?;
            let sliced = sliced_path(path)?;
            let whole = file.array(&sliced)?;
            return Ok(vec![Ok(array(file, path, &whole, whole.path() == sliced)?)]);
        }
    };
    let mut arrays = Vec::new();
    start.walk(References::Kept, &mut |item: &Item| -> Result<bool> {
        if item.is_array() {
            let array = item.array()?;
            // Chunks have bytes of their own.
            arrays.extend(array.chunks().cloned());
            if !item.is_chunked() {
                arrays.push(array);
            }
        }
        Ok(!item.is_array())
    })?;
    if arrays.is_empty() {
        return Err(lacks(path, "holds no array, so it is text of the tree"));
    }
    Ok(arrays.iter().map(|it| Ok(array(file, it.path(), it, false)?)).collect())
}

/// A path without the slices and fields at its end.
fn sliced_path(path: &str) -> Result<String> {
    let mut parts = parse(path)?;
    while matches!(parts.last(), Some(Part::Slice(_) | Part::Field(_))) {
        parts.pop();
    }
    Ok(spell(&parts))
}

/// The bytes of an array, or of a part of it.
fn array(file: &AsdfFile, path: &str, array: &Array, is_part: bool) -> Result<Section> {
    let item = file.get(array.path())?;
    let section = Section { unit: item.unit(), doc: item.description(), ..Section::default() };
    let section = Section { name: array.path().to_owned(), ..section };
    if let Some(uri) = array.outside() {
        let own = (!array.file().uri().is_empty()).then(|| item.own_path().to_owned());
        return Ok(Section { holds: Holds::Elsewhere(uri, own), ..section });
    }
    let compression = array.block()?.and_then(|block| block.compression());
    let Some((address, bytes)) = array.place()? else {
        let why = if item.is_chunked() {
            "is in no block itself, but in chunks, which have paths of their own"
        } else {
            "is in no block, but in the tree, which is text"
        };
        return Err(lacks(array.path(), why));
    };
    let section = Section { address, bytes, ..section };
    if let Some(codec) = compression {
        let whole = is_part.then(|| "shown whole, as it is compressed".to_owned());
        let dtype = format!("{codec} of {}", array.dtype_name()?);
        let holds = Holds::Elements(dtype, array.shape().to_vec());
        return Ok(Section { doc: whole.or(section.doc), holds, ..section });
    }
    let all = array.data()?;
    let (path, data) = if is_part {
        match file.select_stored(path)?.parts.pop() {
            Some(Picked::Data(data)) => (path, data),
            _ => return Err(lacks(path, "has no bytes of its own")),
        }
    } else {
        (array.path(), all.clone())
    };
    Ok(Section { holds: Holds::Array(path.to_owned(), Box::new((data, all))), ..section })
}

/// Why a path picks no bytes of a file.
fn lacks(path: &str, why: &str) -> Error {
    let why = format!("`{path}` {why}");
    Error::Engine(dudley::Error::Listed { path: path.into(), why: why.into() })
}
