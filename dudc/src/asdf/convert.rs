//! Writes ASDF and FINF files from files and streams, and their arrays as files of numpy.

use std::path::{Path, PathBuf};

use asdf_bridge::asdf::{AsdfFile, Builder, Doubts, Error, OWN_KEYS, References, Standard, Yaml};
use dudley::model::{Content, Doubt};

use super::options::Codec;
pub(crate) use super::options::{Options, parse_codec};
use super::picked;
use super::tree;
use crate::convert::out::Selection;
use crate::failure::{Failure, Result, printable};
use crate::input::need_another;
use crate::output::warn;
use crate::pick::spread;

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
    let paths = &spread(file, paths)?;
    let Some(tree) = picked::of_file(file, paths, options)?.filter(|_| !paths.is_empty()) else {
        return again(file, to, options);
    };
    let mut doubts = Doubts::of_copy(file);
    let picked: Vec<&str> = paths.iter().map(String::as_str).collect();
    doubts.of_paths(&picked)?.iter().for_each(warn_of_doubt);
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

/// Writes what is selected of a stream as a file.
///
/// # Errors
/// If it cannot be read, or has types that the format does not.
pub(crate) fn of_stream(from: &Selection<'_>, to: &Path, options: &Options) -> Result<()> {
    let builder = Builder::from_tree(tree::of_stream(from, options.finf)?);
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
