//! Files written of files and streams, and arrays of files written for numpy.

use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use asdf_bridge::asdf::{AsdfFile, Builder, Compression, Error, Folder, NewArray, Standard, Yaml};
use asdf_bridge::blosc2;
use dudley::filter::FilterValue;
use dudley::{Data, Item, ItemKind, Stream, Value};

use super::digests::{self, Doubts};
use super::leaves::{self, Leaf};
use crate::convert::beside;
use crate::export;
use crate::failure::{Failure, Result, printable};
use crate::input::need_another;
use crate::npy;
use crate::output::warn;
use crate::rows::Errors;

/// How a file is written.
pub(crate) struct Options {
    /// As FINF.
    pub(crate) finf: bool,
    /// How all blocks are compressed; what they say themselves if this is not said.
    pub(crate) codec: Option<Codec>,
    /// Each block to a file of its own.
    pub(crate) explode: bool,
    /// Whether a file that exists is overwritten.
    pub(crate) force: bool,
    /// The files that are read, none of which is overwritten.
    pub(crate) read: Vec<PathBuf>,
}

/// A compression of the command line, or none.
#[derive(Clone, Debug)]
pub(crate) struct Codec(Option<Compression>);

/// Reads `zstd`, `zstd:9`, `blsc:zstd:5`, `none`.
pub(crate) fn parse_codec(text: &str) -> std::result::Result<Codec, String> {
    let (name, level) = match text.split_once(':') {
        Some((name, level)) => (name, Some(level)),
        None => (text, None),
    };
    if name == "none" && level.is_none() {
        return Ok(Codec(None));
    }
    if let "blsc" | "bls2" = name {
        return blosc(name, level.unwrap_or_default()).map(|codec| Codec(Some(codec)));
    }
    let mut label = [0; 4];
    let room = label.get_mut(..name.len()).filter(|_| name.is_ascii() && !name.is_empty());
    let room = room.ok_or_else(|| format!("`{name}` is no label of a compression"))?;
    room.copy_from_slice(name.as_bytes());
    let compression = Compression::of(label);
    Ok(Codec(Some(match level {
        Some(level) => {
            let level = level.parse().map_err(|_| format!("`{level}` is no level"))?;
            compression.arg(FilterValue::Int(level))
        }
        None => compression,
    })))
}

/// Blosc with one of its codecs, a level, both or neither.
fn blosc(name: &str, of: &str) -> std::result::Result<Compression, String> {
    let (mut codec, mut level) = (blosc2::Codec::Lz4, 5);
    for word in of.split(':').filter(|word| !word.is_empty()) {
        match (blosc2::Codec::of_name(word), word.parse()) {
            (Some(found), _) => codec = found,
            (None, Ok(found @ 0..=9)) => level = found,
            _ => return Err(format!("`{word}` is no codec of Blosc and no level from 0 to 9")),
        }
    }
    Ok(match name {
        "blsc" => Compression::blsc(codec, level),
        _ => Compression::bls2(codec, level),
    })
}

/// Writes a file anew.
///
/// # Errors
/// If it cannot be read, or has what the other format does not.
pub(crate) fn again(file: &AsdfFile, to: &Path, options: &Options) -> Result<()> {
    let builder = match file.root() {
        Ok(root) => Builder::from_tree(root.to_yaml()?).blocks_of(file)?,
        Err(Error::NoTree) if file.blocks()?.is_empty() => Builder::new(),
        Err(Error::NoTree) => {
            return Err(Failure::input(
                "the file has no tree, so that nothing says what its blocks are: `dudc salvage` keeps them as bytes",
            ));
        }
        Err(error) => return Err(error.into()),
    };
    let builder = written_as(alike(builder, file), options);
    super::warn_of(&file.check()?);
    // The new digests are right, whatever the old ones said.
    let mut doubts = Doubts::of_digests(file)?;
    digests::warn_of(file, &mut doubts)?;
    let mut kept = Vec::new();
    for block in builder.kept()?.into_iter().filter(|block| block.bytes > 0) {
        kept.push(block.index.to_string());
        if let Some(why) = doubts.of_block("", file, &*file.block(block.index as i64)?) {
            warn(&format!("block {}: {why}", block.index));
        }
    }
    match kept.as_slice() {
        [] => {}
        [one] => {
            warn(&format!("no array of the tree is in block {one}, which is kept as it is stored"))
        }
        many => {
            let many = many.join(", ");
            warn(&format!(
                "no array of the tree is in blocks {many}, which are kept as they are stored"
            ));
        }
    }
    write(&builder, to, options)
}

/// A file like another one: of the same version of the standard, with its comments, and with what its tree says of
/// who wrote it.
pub(crate) fn alike<'b>(mut builder: Builder<'b>, file: &AsdfFile) -> Builder<'b> {
    if let Some(standard) = file.text().standard.as_deref().and_then(Standard::from_name) {
        builder = builder.standard(standard);
    }
    for comment in &file.text().comments {
        let comment = comment.strip_prefix('#').unwrap_or(comment);
        builder = builder.comment(comment.strip_prefix(' ').unwrap_or(comment));
    }
    builder.library(None)
}

/// The files that the tree of a file names, beside it and below its folder.
pub(crate) fn named_files(file: &AsdfFile, path: &Path) -> Vec<PathBuf> {
    let folder = Folder::new(path.parent().unwrap_or(Path::new("")));
    let named = file.named_files().unwrap_or_default();
    named.iter().filter_map(|uri| folder.path(uri).ok()).collect()
}

/// Writes the items of a stream as a file: dicts as mappings, lists as sequences, params as `:NAME`.
///
/// # Errors
/// If it cannot be read, or has types that the format does not.
pub(crate) fn of_stream(stream: &Stream, to: &Path, options: &Options) -> Result<()> {
    let builder = Builder::from_tree(tree(&stream.root(), options.finf)?);
    write(&written_as(builder, options), to, options)
}

fn written_as<'b>(builder: Builder<'b>, options: &Options) -> Builder<'b> {
    let builder = if options.finf { builder.finf(false) } else { builder };
    match &options.codec {
        Some(Codec(codec)) => builder.recompress(codec.clone()),
        None => builder,
    }
}

fn write(builder: &Builder<'_>, to: &Path, options: &Options) -> Result<()> {
    let targets = match options.explode {
        true => builder.exploded_paths(to)?,
        false => vec![to.to_owned()],
    };
    for target in &targets {
        need_another(target, options.read.iter().map(PathBuf::as_path))?;
    }
    match options.explode {
        true => builder.write_exploded(to, options.force)?,
        false => builder.write_file(to, options.force)?,
    }
    Ok(())
}

fn tree(item: &Item, finf: bool) -> Result<Yaml<'static>> {
    match item.kind() {
        ItemKind::Dict => {
            let mut entries = Vec::new();
            for param in item.params().iter().filter(|param| param.is_stated()) {
                let name = dudley::path::split(param.path()).1.to_owned();
                entries.push((name, single(param.value()?)));
            }
            for name in item.names() {
                if let Some(child) = item.child(&name) {
                    entries.push((name.to_string(), tree(&child, finf)?));
                }
            }
            let root = item.path() == "/" && !finf;
            let mapping = Yaml::mapping(entries);
            Ok(if root { mapping.tagged("!core/asdf-1.1.0") } else { mapping })
        }
        ItemKind::List => {
            let items = item.items()?.map(|item| tree(&item?, finf));
            Ok(Yaml::sequence(items.collect::<Result<Vec<_>>>()?))
        }
        ItemKind::Param => Ok(single(item.value()?)),
        ItemKind::Data => {
            let data = item.data()?;
            if data.shape().is_empty() && data.dtype().primitive().is_some() {
                return Ok(single(data.value()?));
            }
            let array = Yaml::from(NewArray::data(&data.decoded()?)?);
            Ok(match item.unit().filter(|_| !finf) {
                Some(unit) => Yaml::quantity(array, unit),
                None => array,
            })
        }
    }
}

fn single(value: Value) -> Yaml<'static> {
    match value {
        Value::Bool(value) => value.into(),
        Value::Int(value) => value.into(),
        Value::Float(value) => value.into(),
        Value::Complex(re, im) => dudley::num_complex::Complex::new(re, im).into(),
        Value::Text(text) => text.into(),
        Value::Bits(bytes) => Yaml::binary(&bytes),
        Value::Null | Value::Array(_) | Value::Struct(_) => Yaml::null(),
    }
}

/// Writes all arrays and numbers at and below some paths as `.npy` files into a new folder.
///
/// # Errors
/// What reading and writing say; if numpy has no array for one.
pub(crate) fn folder(file: &AsdfFile, paths: &[String], folder: &Path) -> Result<()> {
    let failed =
        |error: std::io::Error| Failure::io("write", &format!("`{}`", folder.display()), &error);
    each(file, paths, &mut |name, what| {
        let path = folder.join(format!("{name}.npy"));
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
        let mut out = BufWriter::new(fs::File::create_new(&path).map_err(failed)?);
        what(&mut out)?;
        out.flush().map_err(failed)
    })
}

/// Is given the name of each file without `.npy`, and what writes it.
pub(crate) type Each<'e> =
    dyn FnMut(&str, &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> + 'e;

/// Each array and number at and below some paths, or all. Texts and the like are left out, and said so.
///
/// # Errors
/// As [`folder`].
pub(crate) fn each(file: &AsdfFile, paths: &[String], visit: &mut Each<'_>) -> Result<()> {
    let (mut errors, mut left_out) = (Errors::default(), 0_u64);
    let whole = [None];
    let picked: Vec<Option<&str>> = paths.iter().map(|path| Some(path.as_str())).collect();
    for path in if picked.is_empty() { &whole[..] } else { &picked } {
        leaves::of_file(file, *path, &mut errors, &mut |path, leaf| {
            let name = name_of(path)?;
            match leaf {
                Leaf::Array(array) => {
                    if array.mask()?.is_some() {
                        warn(&format!("`{path}`: masked elements are written as they are stored"));
                    }
                    let data = array.data()?;
                    visit(&name, &mut |out| array_to(&data, out))
                }
                Leaf::Value(value @ (Value::Bool(_) | Value::Int(_) | Value::Float(_))) => {
                    visit(&name, &mut |out| export::npy_of_value(&value, out))
                }
                Leaf::Value(_) | Leaf::Data(_) => {
                    left_out += 1;
                    Ok(())
                }
            }
        })?;
    }
    if left_out > 0 {
        warn(&format!("{left_out} values of the tree are no numbers, and are left out"));
    }
    match errors.first.into_iter().next() {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// The path that is given, or that of the only array there is, or of the one that a frame had.
///
/// # Errors
/// If there are more of them, or none, and no path; what reading the file says.
pub(crate) fn only(file: &AsdfFile, paths: &[String]) -> Result<String> {
    if let [path] = paths {
        return Ok(path.clone());
    }
    match beside::only(&arrays(file)?).filter(|_| paths.is_empty()) {
        Some(path) => Ok(path.to_owned()),
        None => Err(Failure::usage("name the array behind the output, or write an .npz")),
    }
}

/// The paths of all arrays.
///
/// # Errors
/// What reading the file says.
pub(crate) fn arrays(file: &AsdfFile) -> Result<Vec<String>> {
    let (mut errors, mut found) = (Errors::default(), Vec::new());
    leaves::of_file(file, None, &mut errors, &mut |path, leaf| {
        if matches!(leaf, Leaf::Array(_)) {
            found.push(path.to_owned());
        }
        Ok(())
    })?;
    Ok(found)
}

fn array_to(data: &Data, out: &mut dyn Write) -> Result<()> {
    Ok(npy::write(data, out)?)
}

/// The path of a file without its extension for a path of the tree.
fn name_of(path: &str) -> Result<String> {
    let mut names = Vec::new();
    for part in dudley::path::parse(path)? {
        let dudley::path::Part::Name { text, .. } = part else { continue };
        if text.is_empty() || text == "." || text == ".." || text.contains(['/', '\\', '\0']) {
            return Err(Failure::input(format!(
                "`{}`: a file cannot have this name",
                printable(path)
            )));
        }
        names.push(text);
    }
    Ok(names.join("/"))
}
