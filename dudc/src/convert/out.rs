//! The items of a stream as files of numpy: one, a folder of them, or an archive.

use dudley::error::file_name;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

use dudley::bytes::AtomicFolder;
use dudley::read::path::{Part, parse};
use dudley::read::select::{Picked, Selected, items, select};
use dudley::{Error, Item, ItemKind, Primitive, Stream};

use crate::asdf::taken::{fields_with_units, warn_of_types, warn_of_units};
use crate::convert::{beside, names};
use crate::export::{self, Appender, Kind};
use crate::failure::{Failure, Result, printable};
use crate::npy;
use crate::output::{InParts, Several, warn};
use crate::progress::Progress;
use crate::zip::Archive;

/// What has no units.
pub(crate) const NUMPY: &str = "arrays of numpy";

/// Writes the array at a path, or the only one there is, into a `.npy` file.
///
/// # Errors
/// What reading and writing say; if there is more than one array, and no path.
pub(crate) fn single(
    (stream, name): (&Stream, &str),
    paths: &[String],
    file: &Path,
    force: bool,
) -> Result<()> {
    let path = only((stream, name), paths, false)?;
    let selected = select(stream, &path)?;
    warn_of_lost(&selected, NUMPY);
    export::to_file(&selected, Kind::Npy, file, force)
}

/// Says what is lost where what is picked becomes one array.
pub(crate) fn warn_of_lost(selected: &Selected, written: &str) {
    let mut lost = Lost::default();
    lost.add(&What::Part(selected));
    lost.warn(written);
}

/// What of items files of numpy and frames do not have.
#[derive(Default)]
pub(crate) struct Lost {
    units: Several,
    /// Types that become others; that text is numpy's is what it is for.
    types: Several,
}

impl Lost {
    fn add(&mut self, what: &What<'_>) {
        let (unit, path, data) = match what {
            What::Item(item) => (item.unit(), item.path(), item.data().ok()),
            What::Part(selected) => {
                let Some(data) = selected.data() else { return };
                (data.unit(), data.path(), Some(data.clone()))
            }
        };
        self.units.extend(unit.map(|_| format!("`{}`", printable(path))));
        self.units.extend(data.iter().flat_map(fields_with_units));
        let new = match data.and_then(|data| data.dtype().primitive()) {
            Some((Primitive::C4, _)) => "c4 becomes a pair of f2",
            Some((Primitive::P4, _)) => "p4 becomes u4",
            Some((Primitive::P8, _)) => "p8 becomes u8",
            _ => return,
        };
        self.types.extend([format!("`{}` ({new})", printable(path))]);
    }

    /// Says so; `written` are what has none of it.
    pub(crate) fn warn(&self, written: &str) {
        warn_of_units(&self.units, written);
        warn_of_types(&self.types, written);
    }
}

/// The path that is given, or that of the only array there is, or of the one that a frame has; what stands beside it
/// is said to be left out, but for metalayers if these are `kept`.
///
/// # Errors
/// If there is more than one array, and no path, or more than one path.
pub(crate) fn only(
    (stream, name): (&Stream, &str),
    paths: &[String],
    kept: bool,
) -> Result<String> {
    if let [path] = paths {
        return Ok(path.clone());
    }
    if !paths.is_empty() {
        return Err(one_array(paths));
    }
    let (mut arrays, mut params) = (Vec::new(), Vec::new());
    each(stream, paths, &mut |_, what| {
        if let What::Item(item) = what {
            let found = if item.kind() == ItemKind::Data { &mut arrays } else { &mut params };
            found.push(item.path().to_owned());
        }
        Ok(())
    })?;
    match beside::only(&arrays) {
        Some(path) => {
            beside::warn_of_left(name, path, &arrays, &params, kept);
            Ok(path.to_owned())
        }
        None if arrays.is_empty() => Err(Failure::input("there is no array in it")),
        None => Err(Failure::input(format!(
            "there are {} arrays: name one behind the output, or write an .npz",
            arrays.len()
        ))),
    }
}

/// That several paths are given where one array is written.
pub(crate) fn one_array(paths: &[String]) -> Failure {
    let paths: Vec<_> = paths.iter().map(|path| format!("`{path}`")).collect();
    Failure::usage(format!(
        "one array is written, and {} are given: name one; whole metalayers of a frame may stand beside its data \
         where a frame is written",
        paths.join(", ")
    ))
}

/// The paths of the arrays at and below some paths, or of all.
///
/// # Errors
/// What reading the stream says.
pub(crate) fn arrays(stream: &Stream, paths: &[String]) -> Result<Vec<String>> {
    let mut found = Vec::new();
    each(stream, paths, &mut |_, what| {
        if let What::Item(item) = what
            && item.kind() == ItemKind::Data
        {
            found.push(item.path().to_owned());
        }
        Ok(())
    })?;
    Ok(found)
}

/// Writes all arrays and params at and below some paths into an `.npz` archive.
///
/// # Errors
/// What reading and writing say; if numpy has no array for an item.
pub(crate) fn archive(
    stream: &Stream,
    paths: &[String],
    file: &Path,
    force: bool,
    compress: bool,
) -> Result<()> {
    let mut archive = Archive::new(Appender::create(file, force)?, compress);
    let mut lost = Lost::default();
    each(stream, paths, &mut |name, what| {
        lost.add(&what);
        archive.add(&format!("{name}.npy"), &mut |out| what.write(out))
    })?;
    archive.finish()?;
    lost.warn(NUMPY);
    Ok(())
}

/// Writes all arrays and params at and below some paths into a new folder, which is complete or
/// absent; gives what is lost.
///
/// # Errors
/// What reading and writing say; if numpy has no array for an item; if the folder is there, and is
/// not empty.
pub(crate) fn folder(stream: &Stream, paths: &[String], folder: &Path) -> Result<Lost> {
    let failed =
        |error: std::io::Error| Failure::io("write", &format!("`{}`", file_name(&folder)), &error);
    let (mut progress, mut lost) = (Progress::new(None), Lost::default());
    new_folder(folder, &mut |made| {
        each(stream, paths, &mut |name, what| {
            lost.add(&what);
            let file = made.join(format!("{name}.npy"));
            fs::create_dir_all(file.parent().unwrap_or(made)).map_err(failed)?;
            let new = fs::File::create_new(&file).map_err(failed)?;
            let mut out = BufWriter::with_capacity(1 << 18, InParts(new));
            what.write(&mut out)?;
            out.flush().map_err(failed)?;
            progress.advance(out.get_ref().0.metadata().map_or(0, |metadata| metadata.len()));
            Ok(())
        })
    })?;
    Ok(lost)
}

/// A new folder, which is complete or absent: `fill` writes what it will hold into the one it is given.
///
/// # Errors
/// What `fill` says; if the folder is there, and is not empty.
pub(crate) fn new_folder(folder: &Path, fill: &mut dyn FnMut(&Path) -> Result<()>) -> Result<()> {
    let failed = |error: Error| match error {
        Error::Exists { path } => {
            Failure::occupied(format!("{} exists, and is no empty folder", file_name(&path)))
        }
        error => Failure::from(error),
    };
    let made = AtomicFolder::create(folder).map_err(failed)?;
    fill(made.path())?;
    made.commit().map_err(failed)
}

/// What becomes a file.
enum What<'w> {
    Item(&'w Item),
    /// A part of an array, under the name of the whole.
    Part(&'w Selected),
}

impl What<'_> {
    fn write(&self, out: &mut dyn Write) -> Result<()> {
        match self {
            What::Item(item) => write(item, out),
            What::Part(selected) => export::npy_of(selected, out),
        }
    }
}

type Each<'e> = dyn FnMut(&str, What<'_>) -> Result<()> + 'e;

/// Each array and param at and below some paths, or all, with the name of its file without `.npy`.
fn each(stream: &Stream, paths: &[String], visit: &mut Each<'_>) -> Result<()> {
    if paths.is_empty() {
        return below(&stream.root(), "", visit);
    }
    for path in paths {
        let items = match items(stream, path) {
            Err(Error::BadSlice { .. }) => {
                let selected = select(stream, path)?;
                visit(&name_of(path)?, What::Part(&selected))?;
                continue;
            }
            items => items?,
        };
        for item in items {
            below(&item, &name_of(item.path())?, visit)?;
        }
    }
    Ok(())
}

/// The name of the file of what has a path.
fn name_of(path: &str) -> Result<String> {
    let mut name = String::new();
    for part in parse(path)? {
        let part = match part {
            Part::Name { text, quoted: true } if !name.is_empty() => names::to_dict_file(&text),
            Part::Name { text, .. } => names::to_file(&text),
            Part::Param(..) => names::to_param_file(path),
            Part::Field(_) | Part::Slice(_) => continue,
        };
        if !name.is_empty() {
            name.push('/');
        }
        name += &part;
    }
    Ok(name)
}

fn below(item: &Item, name: &str, visit: &mut Each<'_>) -> Result<()> {
    let join = |part: &str| {
        let slash = if name.is_empty() { "" } else { "/" };
        format!("{name}{slash}{part}")
    };
    match item.kind() {
        ItemKind::Dict => {
            let params = names::params(item)?;
            for (_, param) in &params {
                visit(&join(&names::to_param_file(param.path())), What::Item(param))?;
            }
            if item.names().is_empty() && params.is_empty() && item.path() != "/" {
                warn(&format!(
                    "`{}` is a dict without items: no array stands for it",
                    printable(item.path())
                ));
            }
            for name in item.names() {
                if let Some(child) = item.child(&name) {
                    let file = match item.path() {
                        "/" => names::to_file(&name),
                        _ => names::to_dict_file(&name),
                    };
                    below(&child, &join(&file), visit)?;
                }
            }
            Ok(())
        }
        ItemKind::List => {
            if item.is_empty()? {
                let path = printable(item.path());
                warn(&format!("`{path}` is a list without items: no array stands for it"));
            }
            for (at, item) in item.items()?.enumerate() {
                below(&item?, &join(&at.to_string()), visit)?;
            }
            Ok(())
        }
        ItemKind::Data | ItemKind::Param => visit(name, What::Item(item)),
    }
}

/// Writes an array or param as `.npy`.
fn write(item: &Item, out: &mut dyn Write) -> Result<()> {
    let written = match (item.kind(), item.data()) {
        (ItemKind::Data, data) => npy::write(&data?, out),
        // A param that the caller gave has another value than the stream.
        (_, Ok(data)) if data.value().ok() == item.value().ok() => npy::write(&data, out),
        _ => Err(Error::Variable { path: item.path().into() }),
    };
    match written {
        Err(Error::Variable { .. }) => {
            let named =
                |failure| Failure::input(format!("`{}`: {failure}", printable(item.path())));
            let written = match item.kind() {
                ItemKind::Data => {
                    let data = item.data()?;
                    let (shape, dtype) =
                        (data.shown_shape()?, Picked::Data(data.clone()).shown_dtype());
                    export::npy_of_values(
                        &|sink| data.emit(sink, false),
                        shape,
                        dtype.as_ref(),
                        out,
                    )
                }
                _ => {
                    let value = item.value()?;
                    export::npy_of_values(&|sink| value.emit(sink), None, None, out)
                }
            };
            written.map_err(named)
        }
        other => Ok(other?),
    }
}
