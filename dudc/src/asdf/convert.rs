//! Writes ASDF and FINF files from files and streams, and their arrays as files of numpy.

use std::path::{Path, PathBuf};

use asdf_bridge::asdf::{AsdfFile, Builder, Doubts, Error, OWN_KEYS, References, Standard, Yaml};
use dudley::model::{Content, Doubt};
use dudley::{Data, Stream, Value};

use super::leaves::Leaf;
use super::options::Codec;
pub(crate) use super::options::{Options, parse_codec};
use super::picked;
use super::taken::{self, Forms, Left, Taken};
use super::tree::Maker;
use crate::convert::gathered::{about, of_value, source_of};
use crate::convert::names;
use crate::failure::{Failure, Result, printable};
use crate::fill::Fill;
use crate::input::need_another;
use crate::output::warn;
use crate::rows::Errors;
use crate::supply::arrays::{About, Named};

/// Writes a file anew.
///
/// # Errors
/// If it cannot be read, or the other format cannot hold it.
fn again(file: &AsdfFile, to: &Path, options: &Options) -> Result<()> {
    let builder = match file.root() {
        Ok(root) => {
            let tree = options.parts(&[root])?.pop().unwrap_or_else(Yaml::null);
            Builder::from_tree(tree).blocks_of(file)?
        }
        Err(Error::NoTree) if file.blocks()?.is_empty() => Builder::new(),
        Err(Error::NoTree) => {
            return Err(Failure::input(
                "the file has no tree, so that nothing says what its blocks are: `dudc salvage` keeps them as bytes",
            ));
        }
        Err(error) => return Err(error.into()),
    };
    let mut builder = written_as(alike(builder, file), options);
    move_data(&mut builder);
    super::warn_of(&file.check()?);
    // The new digests are right, even if the old ones were wrong.
    let mut doubts = Doubts::of_copy(file);
    doubts.of_paths(&[])?.iter().for_each(warn_of_doubt);
    warn_of_kept(&builder, file, &mut doubts)?;
    write(&builder, to, options)?;
    warn_of_references(file, to)
}

/// Warns of references that lead nowhere in a copy of a file, or of its parts.
fn warn_of_references(file: &AsdfFile, to: &Path) -> Result<()> {
    if !file.has_references() {
        return Ok(());
    }
    Ok(AsdfFile::open(to)?.root()?.walk_once(References::Kept, &mut |item, _| {
        if let (Some(uri), Some(why)) = (item.reference(), super::nowhere(item)) {
            let (path, uri) = (printable(item.path()), printable(uri));
            warn(&format!(
                "`{path}` refers to `{uri}`, which leads nowhere from what is written: {why}"
            ));
        }
        Ok(true)
    })?)
}

/// Warns of blocks that are kept although no array of the tree uses them.
fn warn_of_kept(builder: &Builder<'_>, file: &AsdfFile, doubts: &mut Doubts) -> Result<()> {
    let mut kept = Vec::new();
    for block in builder.kept()?.into_iter().filter(|block| block.bytes > 0) {
        kept.push(block.index.to_string());
        if let Some(why) = doubts.of_block(file, &*file.block(block.index as i64)?) {
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
    Ok(())
}

/// A comment of a file without its `#`. Characters that cannot stand there are removed, with a warning.
fn comment_of(comment: &str) -> &str {
    if comment.contains("%YAML") || comment.contains(char::is_control) {
        warn("a comment has control characters or `%YAML`: it gets blanks for them, and `% YAML`");
    }
    let comment = comment.strip_prefix('#').unwrap_or(comment);
    comment.strip_prefix(' ').unwrap_or(comment)
}

/// Writes the selection of some paths of a file, or the file anew without paths.
///
/// # Errors
/// As [`again`]; if there is nothing of a path.
pub(crate) fn parts(file: &AsdfFile, paths: &[String], to: &Path, options: &Options) -> Result<()> {
    // Everything that a path picks becomes one array; otherwise the items keep their places.
    let paths = &super::spread(file, paths)?;
    let Some(tree) = picked::of_file(file, paths, options)?.filter(|_| !paths.is_empty()) else {
        return again(file, to, options);
    };
    let mut doubts = Doubts::of_copy(file);
    warn_of_doubts(file, paths, &mut doubts)?;
    let has_library = tree.get("asdf_library").is_some();
    let builder = like(Builder::from_tree(tree), file);
    // A requested entry of the library is written.
    let builder = if has_library { builder.library(None) } else { builder };
    let mut builder = written_as(builder, options);
    let may_name = picked::may_name_blocks(file, paths)?;
    if may_name && !file.blocks_without_arrays()?.is_empty() {
        builder = builder.numbers_of(file)?;
        warn_of_kept(&builder, file, &mut doubts)?;
        let mut emptied = Vec::new();
        for block in builder.kept()?.iter().filter(|block| block.bytes == 0) {
            if file.block(block.index as i64).is_ok_and(|block| block.used() > 0) {
                emptied.push(block.index.to_string());
            }
        }
        if !emptied.is_empty() {
            let emptied = emptied.join(", ");
            warn(&format!(
                "what is picked has types that are not known, which may name blocks by number: so all have their \
                 numbers, and those are empty whose arrays are not picked: block {emptied}"
            ));
        }
    } else if may_name {
        warn(
            "what is picked has types that are not known: if they name blocks by number, these may be others in the copy",
        );
    } else {
        warn_of_loose(file)?;
    }
    write(&builder, to, options)?;
    warn_of_references(file, to)
}

/// A file like another one: with the same version of the standard, the same comments, and the same entries about
/// the code that wrote it.
pub(crate) fn alike<'b>(builder: Builder<'b>, file: &AsdfFile) -> Builder<'b> {
    like(builder, file).library(None)
}

/// A file of the same version of the standard as another one, with its comments.
fn like<'b>(mut builder: Builder<'b>, file: &AsdfFile) -> Builder<'b> {
    if let Some(standard) = file.text().standard.as_deref().and_then(Standard::from_name) {
        builder = builder.standard(standard);
    }
    for comment in &file.text().comments {
        builder = builder.comment(comment_of(comment));
    }
    builder
}

/// Moves data away from keys that the standard uses, with a warning.
pub(crate) fn move_data(builder: &mut Builder<'_>) {
    for (old, new) in builder.move_data() {
        if OWN_KEYS.contains(&&*old) {
            warn(&format!("`/{old}` is not what ASDF has there, and stands under `/{new}` now"));
        } else {
            warn(&format!("`/{old}` stands under `/{new}` now, as data called so do"))
        }
    }
}

/// Writes the items of a stream, or the selection of some paths, as a file: dicts as mappings, lists as sequences,
/// params as `:NAME`.
///
/// # Errors
/// If it cannot be read, or has types that the format does not.
pub(crate) fn of_stream(
    stream: &Stream,
    paths: &[String],
    to: &Path,
    options: &Options,
) -> Result<()> {
    let picked = match paths {
        [] => None,
        paths => picked::of_stream(stream, paths, options.finf)?,
    };
    let tree = picked.map_or_else(|| Maker::tree(stream, options.finf), Ok)?;
    let builder = Builder::from_tree(tree);
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
    let targets = if options.explode { builder.exploded_paths(to)? } else { vec![to.to_owned()] };
    for target in &targets {
        need_another(target, options.read.iter().map(PathBuf::as_path))?;
    }
    if options.explode {
        builder.write_exploded(to, options.force)?
    } else {
        builder.write_file(to, options.force)?
    }
    Ok(())
}

/// Warns of everything odd or wrong in a file and its arrays before its conversion.
fn warn_of_doubts(file: &AsdfFile, paths: &[String], doubts: &mut Doubts) -> Result<()> {
    super::warn_of(&file.check()?);
    if paths.is_empty() {
        warn_of_loose(file)?;
    }
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    doubts.of_paths(&paths)?.iter().for_each(warn_of_doubt);
    Ok(())
}

fn warn_of_doubt(doubt: &Doubt) {
    warn(&doubt.to_string());
}

/// Warns of parts of a file that are left out because they are in no item.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn warn_of_loose(content: &dyn Content) -> Result<()> {
    let left: Vec<String> = content.loose()?.into_iter().map(|loose| loose.name).collect();
    if !left.is_empty() {
        let left = left.join(", ");
        warn(&format!("no array of the tree is in what is left out: {left}"));
    }
    Ok(())
}

/// All arrays and values at and below some paths, or all, with their units. If they become `one` array, the items that
/// slices of lists pick are stacked; otherwise they keep their places.
///
/// # Errors
/// If reading fails; if numpy has no array for one.
pub(crate) fn arrays(
    file: &AsdfFile,
    paths: &[String],
    fill: &Fill,
    one: bool,
) -> Result<Vec<Named>> {
    if let ([path], true) = (paths, one)
        && file.spread(path)?.is_several()
    {
        let (parts, keyed) = names::of_path(path)?.into_iter().unzip();
        let source = source_of(&fill.select(file, path)?)?;
        return Ok(vec![Named { parts, keyed, ..Named::new(Vec::new(), false, source) }]);
    }
    let (mut arrays, mut names) = (Vec::new(), names::TakenNames::default());
    each(file, &super::spread(file, paths)?, fill, &mut |taken| {
        names.take(&name_of(&taken)?)?;
        let is_param = is_param(&taken)?;
        let source = match taken.leaf {
            Leaf::Value(value) => of_value(&value)?,
            Leaf::Data(data) => (*data).into(),
            Leaf::Array(array) => array.data()?.into(),
            Leaf::Empty(_) | Leaf::Within(_) => return Ok(()),
        };
        let Taken { names: mut parts, keyed, unit, .. } = taken;
        if let Some(last) = parts.last_mut().filter(|_| is_param) {
            *last = last.strip_prefix(':').unwrap_or(last).to_owned();
        }
        let mut said =
            source.data().map_or_else(About::default, |data| about(data.doc(), data.attributes()));
        said.unit = unit.filter(|_| said.doc.is_empty());
        arrays.push(Named { parts, keyed, param: is_param, source, about: said });
        Ok(())
    })?;
    Ok(arrays)
}

/// Each array and value at and below some paths, or all of them, without masks. Nodes without a form in other formats
/// are left out, with a warning.
fn each(
    file: &AsdfFile,
    paths: &[String],
    fill: &Fill,
    visit: &mut taken::Visit<'_>,
) -> Result<()> {
    let (mut errors, mut left) = (Errors::default(), Left::of(Forms::Elsewhere));
    let whole = [None];
    let picked: Vec<Option<&str>> = paths.iter().map(|path| Some(path.as_str())).collect();
    for path in if picked.is_empty() { &whole[..] } else { &picked } {
        taken::each(file, *path, (&mut errors, &mut left), &mut |taken| {
            let leaf = match taken.leaf {
                Leaf::Array(array) => Leaf::Data(Box::new(fill.array(&array, taken.path)?)),
                Leaf::Data(data) => {
                    let path = taken::of_value(file, taken.path)?;
                    let filled = fill.select(file, &path)?;
                    Leaf::Data(filled.data().cloned().map_or(data, Box::new))
                }
                leaf => leaf,
            };
            visit(Taken { leaf, ..taken })
        })?;
    }
    left.warn();
    match errors.first.into_iter().next() {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// The path of a file without its extension.
fn name_of(taken: &Taken<'_>) -> Result<String> {
    let named = taken.names.iter().cloned().zip(taken.keyed.iter().copied());
    let mut names: names::Names = named.collect();
    let is_param = is_param(taken)?;
    if let Some((last, _)) = names.last_mut().filter(|_| is_param) {
        *last = last.strip_prefix(':').unwrap_or(last).to_owned();
    }
    Ok(names::file_of(&names, is_param))
}

/// Whether it is a param of a stream. Trees and folders have a param as one integer under `:NAME`; anything else with
/// such a name is no param.
fn is_param(taken: &Taken<'_>) -> Result<bool> {
    let single = |data: &Data| match data.shape() {
        [] => data.value().map(|value| matches!(value, Value::Int(_))),
        _ => Ok(false),
    };
    if !taken.names.last().is_some_and(|name| name.starts_with(':')) {
        return Ok(false);
    }
    Ok(match &taken.leaf {
        Leaf::Value(value) => matches!(value, Value::Int(_)),
        Leaf::Empty(_) | Leaf::Within(_) => false,
        Leaf::Data(data) => single(data)?,
        Leaf::Array(array) => single(&array.data()?)?,
    })
}
