//! The items of a stream as files of numpy: one, a folder of them, or an archive.

use dudley::error::file_name;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

use dudley::bytes::AtomicFolder;
use dudley::read::Repeated;
use dudley::read::select::{Picked, Selected, items, select};
use dudley::{Data, Error, Item, ItemKind, Primitive, Stream};

use crate::convert::lost::{Lost, Medium, warn_of_places};
use crate::convert::names::{Names, TakenNames, fixed};
use crate::convert::{beside, columns, names};
use crate::export::{self, Appender, Kind};
use crate::failure::{Failure, Result, printable};
use crate::output::{InParts, warn};
use crate::progress::Progress;
use crate::zip::Archive;

/// The items of a stream that are converted.
pub(crate) struct Selection<'s> {
    pub(crate) stream: &'s Stream,
    /// The paths at and below which they are; all without paths.
    pub(crate) paths: &'s [String],
    /// The form of lists of dicts.
    pub(crate) lists: Lists,
    /// Whether each array declares its byte order in a new layout, as arrays of numpy do.
    pub(crate) orders: bool,
}

impl<'s> Selection<'s> {
    /// The items at and below some paths, or all.
    pub(crate) fn new(stream: &'s Stream, paths: &'s [String], lists: Lists) -> Selection<'s> {
        Selection { stream, paths, lists, orders: false }
    }

    /// Everything in a stream, item by item.
    pub(crate) fn all(stream: &Stream) -> Selection<'_> {
        Selection::new(stream, &[], Lists::Items)
    }
}

/// Writes the array at a path, or the only one there is, into a `.npy` file.
///
/// # Errors
/// If reading or writing fails; if there is more than one array, and no path.
pub(crate) fn single(from: &Selection<'_>, name: &str, file: &Path, force: bool) -> Result<()> {
    let path = only(from, name, false)?;
    let selected = picked(from.stream, &path)?;
    lost_of(from.stream, &selected, &path, Medium::Numpy)?.warn();
    export::to_file(&selected, Kind::Npy, file, force)
}

/// The losses if the selection of a path becomes one array.
///
/// # Errors
/// If reading its dimensions fails.
pub(crate) fn lost_of(
    stream: &Stream,
    selected: &Selected,
    path: &str,
    medium: Medium,
) -> Result<Lost> {
    let mut lost = Lost::new(medium);
    lost.add(stream, &What::Part(selected, path))?;
    Ok(lost)
}

impl Lost {
    /// Records what files of numpy and frames cannot hold of an item. A changed type of text is no loss.
    fn add(&mut self, stream: &Stream, what: &What<'_>) -> Result<()> {
        let data = match what {
            What::Around(item) | What::Columns(item) => return self.item(item),
            What::Empty(_) | What::Uneven(..) => return Ok(()),
            What::Item(item) => {
                self.item(item)?;
                if item.kind() == ItemKind::Data { Some(item.data()?) } else { None }
            }
            What::Part(selected, path) => {
                self.part(stream, selected, path)?;
                selected.parts.first().and_then(|part| match part {
                    Picked::Data(data) => Some(data.clone()),
                    Picked::Value { .. } => None,
                })
            }
        };
        let Some(data) = data else { return Ok(()) };
        match data.dtype().primitive() {
            Some((Primitive::C4, _)) => self.dtype(data.path(), "c4 becomes a pair of f2"),
            Some((Primitive::P4, _)) => self.dtype(data.path(), "p4 becomes u4"),
            Some((Primitive::P8, _)) => self.dtype(data.path(), "p8 becomes u8"),
            _ => {}
        }
        Ok(())
    }
}

/// The given path, or else the path of the only array, of the array of a frame, or of the only one with dimensions.
/// Everything beside it is left out with a warning, except for metalayers if they are `kept`.
///
/// # Errors
/// If there is more than one array, and no path.
pub(crate) fn only(from: &Selection<'_>, name: &str, kept: bool) -> Result<String> {
    if let [path] = from.paths {
        return Ok(path.clone());
    }
    let (mut arrays, mut single, mut params) = (Vec::new(), Vec::new(), Vec::new());
    each(from, &mut |Found { what, .. }| {
        match what {
            What::Around(item) | What::Columns(item) => {
                params.extend(fixed(item).map(|param| param.path().to_owned()));
            }
            What::Item(item) if item.kind() == ItemKind::Data => {
                let found = if is_single(&item.data()?) { &mut single } else { &mut arrays };
                found.push(item.path().to_owned());
            }
            What::Item(item) => params.push(item.path().to_owned()),
            What::Part(_, path) => arrays.push(path.to_owned()),
            What::Empty(_) | What::Uneven(..) => what.warn(),
        }
        Ok(())
    })?;
    let all = [&arrays[..], &single].concat();
    let (only, arrays, values) = match (beside::only(&all), &arrays[..]) {
        (Some(path), _) => (path, &all, params),
        (None, [path]) => (&**path, &arrays, [single, params].concat()),
        (None, _) => {
            return Err(Failure::input(match all.len() {
                0 => "there is no array in it".to_owned(),
                count => format!(
                    "there are {count} arrays: name one behind the output, or write an .npz"
                ),
            }));
        }
    };
    beside::warn_of_left(name, only, arrays, &values, kept);
    Ok(only.to_owned())
}

/// Whether it is a single number or text.
fn is_single(data: &Data) -> bool {
    let is_text = data.dtype().primitive().is_some_and(|(primitive, _)| primitive.is_text());
    data.shape().len() <= usize::from(is_text)
}

/// The error that several paths are given although one array is written.
pub(crate) fn one_array(paths: &[String]) -> Failure {
    let paths: Vec<_> = paths.iter().map(|path| format!("`{path}`")).collect();
    Failure::usage(format!(
        "one array is written, and {} are given: name one; whole metalayers of a frame may stand beside its data \
         where a frame is written",
        paths.join(", ")
    ))
}

/// The paths of all arrays.
///
/// # Errors
/// If reading the stream fails.
pub(crate) fn arrays(from: &Selection<'_>) -> Result<Vec<String>> {
    let mut found = Vec::new();
    each(&Selection { paths: &[], ..*from }, &mut |Found { what, .. }| {
        match what {
            What::Item(item) if item.kind() == ItemKind::Data => {
                found.push(item.path().to_owned());
            }
            What::Part(_, path) => found.push(path.to_owned()),
            _ => {}
        }
        Ok(())
    })?;
    Ok(found)
}

/// Receives each file of numpy: its name without `.npy`, and its writer.
type Visit<'v> = dyn FnMut(&str, &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> + 'v;

/// The files of all selected arrays and params, whose names differ. Warns of losses.
///
/// # Errors
/// If reading fails; if numpy has no array for an item; if `visit` fails.
fn files(from: &Selection<'_>, visit: &mut Visit<'_>) -> Result<Lost> {
    let (mut lost, mut taken) = (Lost::new(Medium::Numpy), TakenNames::default());
    each(from, &mut |found| {
        lost.add(from.stream, &found.what)?;
        match found.what {
            What::Around(_) | What::Columns(_) => Ok(()),
            What::Empty(_) | What::Uneven(..) => {
                found.what.warn();
                Ok(())
            }
            _ => {
                let name = found.file();
                taken.take(&name)?;
                visit(&name, &mut |out| found.what.write(out))
            }
        }
    })?;
    Ok(lost)
}

/// Writes files into an `.npz` archive.
///
/// # Errors
/// If reading or writing fails.
pub(crate) fn archive(
    from: &Selection<'_>,
    file: &Path,
    force: bool,
    compress: bool,
) -> Result<()> {
    let mut archive = Archive::new(Appender::create(file, force)?, compress);
    let lost = files(from, &mut |name, write| archive.add(&format!("{name}.npy"), write))?;
    archive.finish()?;
    lost.warn();
    Ok(())
}

/// Writes files into a new folder, which is complete or absent.
///
/// # Errors
/// If reading or writing fails; if the folder exists and is not empty.
pub(crate) fn folder(from: &Selection<'_>, folder: &Path) -> Result<()> {
    let failed =
        |error: std::io::Error| Failure::io("write", &format!("`{}`", file_name(&folder)), &error);
    let mut progress = Progress::new(None);
    new_folder(folder, &mut |made| {
        let lost = files(from, &mut |name, write| {
            let file = made.join(format!("{name}.npy"));
            fs::create_dir_all(file.parent().unwrap_or(made)).map_err(failed)?;
            let new = fs::File::create_new(&file).map_err(failed)?;
            let mut out = BufWriter::with_capacity(1 << 18, InParts(new));
            write(&mut out)?;
            out.flush().map_err(failed)?;
            progress.advance(out.get_ref().0.metadata().map_or(0, |metadata| metadata.len()));
            Ok(())
        })?;
        lost.warn();
        Ok(())
    })
}

/// A new folder, which is complete or absent. `fill` writes its files into a temporary folder.
///
/// # Errors
/// If `fill` fails; if the folder exists and is not empty.
fn new_folder(folder: &Path, fill: &mut dyn FnMut(&Path) -> Result<()>) -> Result<()> {
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

/// An array or param for another format.
pub(crate) struct Found<'f> {
    /// Its names there.
    pub(crate) names: Names,
    /// Its content.
    pub(crate) what: What<'f>,
}

/// The content of an entry for another format.
pub(crate) enum What<'w> {
    /// A dict or list, before its items.
    Around(&'w Item),
    /// A dict or list whose items are parts of [columns].
    Columns(&'w Item),
    /// An empty dict or list, which no array can stand for.
    Empty(&'w Item),
    Item(&'w Item),
    /// The selection of a path with slices, under the name of the array.
    Part(&'w Selected, &'w str),
    /// Such a selection of sequences that differ in length, which are no array.
    Uneven(&'w Selected, &'w str),
}

impl Found<'_> {
    /// Whether it is a param.
    pub(crate) fn is_param(&self) -> bool {
        matches!(self.what, What::Item(item) if item.kind() == ItemKind::Param)
    }

    /// The name of its file, without `.npy`.
    fn file(&self) -> String {
        names::file_of(&self.names, self.is_param())
    }
}

impl What<'_> {
    fn write(&self, out: &mut dyn Write) -> Result<()> {
        match self {
            What::Around(_) | What::Columns(_) | What::Empty(_) | What::Uneven(..) => Ok(()),
            What::Item(item) => write(item, out),
            What::Part(selected, _) => export::npy_of(selected, out),
        }
    }

    /// The path of its item, or by which it was picked.
    pub(crate) fn path(&self) -> &str {
        match self {
            What::Around(item) | What::Columns(item) | What::Empty(item) | What::Item(item) => {
                item.path()
            }
            What::Part(_, path) | What::Uneven(_, path) => path,
        }
    }

    /// Warns that it is left out where only arrays can be held, if it is none.
    pub(crate) fn warn(&self) {
        match self {
            What::Empty(item) => {
                let lost = match item.attributes().len() {
                    0 => String::new(),
                    1 => ", and its attribute is left out".to_owned(),
                    count => format!(", and its {count} attributes are left out"),
                };
                let (path, kind) = (printable(item.path()), item.kind().as_str());
                warn(&format!("`{path}` is a {kind} without items: no array stands for it{lost}"));
            }
            What::Uneven(_, path) => {
                warn(&format!("`{}` is left out: its sequences differ in length", printable(path)));
            }
            What::Around(_) | What::Columns(_) | What::Item(_) | What::Part(..) => {}
        }
    }
}

/// Receives each entry.
pub(crate) type Each<'e> = dyn FnMut(Found<'_>) -> Result<()> + 'e;

/// The form of lists of dicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lists {
    /// Item by item.
    Items,
    /// Dicts of one shape as [columns].
    Columns,
    /// As columns if the list grows and each member is one array; others item by item.
    Histories,
}

/// The items that a path picks; `None` if it picks parts of items.
///
/// # Errors
/// If there is nothing of that path; if reading fails.
pub(crate) fn whole_items(stream: &Stream, path: &str) -> Result<Option<Vec<Item>>> {
    match items(stream, path) {
        Err(Error::BadSlice { .. }) => Ok(None),
        items => Ok(Some(items?)),
    }
}

/// Each selected array and param.
///
/// # Errors
/// If there is nothing of a path; if reading fails.
pub(crate) fn each(from: &Selection<'_>, visit: &mut Each<'_>) -> Result<()> {
    let Selection { stream, paths, lists, .. } = *from;
    if paths.is_empty() {
        return below(&stream.root(), &Names::new(), lists, visit);
    }
    for path in paths {
        let (picked, items) = match whole_items(stream, path)? {
            None => (Some(select(stream, path)?), Vec::new()),
            Some(items) if lists == Lists::Columns => {
                (columns::of_picked(stream, path, &items)?, items)
            }
            Some(items) => (None, items),
        };
        if let Some(selected) = picked {
            let names = names::of_picked(stream, path)?;
            part(names, &selected, path, visit)?;
            continue;
        }
        for item in items {
            below(&item, &names::of_path(item.path())?, lists, visit)?;
        }
    }
    Ok(())
}

fn below(item: &Item, names: &Names, lists: Lists, visit: &mut Each<'_>) -> Result<()> {
    let join =
        |name: String, keyed| names.iter().cloned().chain([(name, keyed)]).collect::<Names>();
    match item.kind() {
        ItemKind::Dict => {
            visit(Found { names: names.clone(), what: What::Around(item) })?;
            let params = names::params(item)?;
            for (name, param) in &params {
                let name = name.strip_prefix(':').unwrap_or(name).to_owned();
                visit(Found { names: join(name, true), what: What::Item(param) })?;
            }
            let children = names::children(item);
            if children.is_empty() && params.is_empty() && item.path() != "/" {
                visit(Found { names: names.clone(), what: What::Empty(item) })?;
            }
            children
                .into_iter()
                .try_for_each(|(name, child)| below(&child, &join(name, true), lists, visit))
        }
        ItemKind::List => {
            let columns = match lists {
                Lists::Items => None,
                Lists::Columns => columns::of(item)?,
                Lists::Histories if item.repeated() == Repeated::Grows => columns::of(item)?
                    .filter(|all| all.iter().all(|it| export::may_be_data(&it.selected))),
                Lists::Histories => None,
            };
            if let Some(columns) = columns {
                visit(Found { names: names.clone(), what: What::Columns(item) })?;
                // The words about one dict hold for all.
                around(&item.element(0)?, names, visit)?;
                return columns.iter().try_for_each(|column| {
                    let names = [&names[..], &column.names].concat();
                    part(names, &column.selected, &column.path, visit)
                });
            }
            visit(Found { names: names.clone(), what: What::Around(item) })?;
            if item.is_empty()? {
                return visit(Found { names: names.clone(), what: What::Empty(item) });
            }
            for (at, item) in item.items()?.enumerate() {
                below(&item?, &join(at.to_string(), false), lists, visit)?;
            }
            Ok(())
        }
        ItemKind::Data if !item.data()?.is_resolved() => {
            warn_of_places(item)?;
            part(names.clone(), &whole(item)?.into(), item.path(), visit)
        }
        ItemKind::Data | ItemKind::Param => {
            warn_of_places(item)?;
            visit(Found { names: names.clone(), what: What::Item(item) })
        }
    }
}

/// The selection of a path, with texts and sequences of heaps instead of their places.
fn part(names: Names, selected: &Selected, path: &str, visit: &mut Each<'_>) -> Result<()> {
    match selected.resolved()? {
        Some(selected) => visit(Found { names, what: What::Part(&selected, path) }),
        None => visit(Found { names, what: What::Uneven(selected, path) }),
    }
}

/// A dict with the dicts and lists in it, without their arrays.
fn around(item: &Item, names: &Names, visit: &mut Each<'_>) -> Result<()> {
    visit(Found { names: names.clone(), what: What::Columns(item) })?;
    match item.kind() {
        ItemKind::List => around(&item.element(0)?, names, visit),
        _ => {
            let inner = item.names().into_iter().filter_map(|name| item.child(&name));
            let mut inner = inner.filter(|it| matches!(it.kind(), ItemKind::Dict | ItemKind::List));
            inner.try_for_each(|item| around(&item, names, visit))
        }
    }
}

/// The data of a param whose value is the stored one; `None` for fixed params, and for params to which the caller gave
/// another value.
///
/// # Errors
/// If its value cannot be read.
pub(crate) fn stored(param: &Item) -> Result<Option<Data>> {
    let value = param.value()?;
    // A given param has a value even if the stored one cannot be read.
    let is_stored = |data: &Data| data.value().is_ok_and(|stored| stored == value);
    Ok(param.data().ok().filter(is_stored))
}

/// The array of an item, as long as its dimensions: other arrays have these as well.
///
/// # Errors
/// As [`Item::data`].
pub(crate) fn whole(item: &Item) -> Result<Data> {
    let data = item.data()?;
    Ok(data.in_netcdf()?.unwrap_or(data))
}

/// What a path picks: an array [as a whole](whole), or what [`select`] does.
///
/// # Errors
/// As [`select`].
pub(crate) fn picked(stream: &Stream, path: &str) -> Result<Selected> {
    match stream.get(path) {
        Ok(item) if item.kind() == ItemKind::Data => Ok(whole(&item)?.into()),
        _ => Ok(select(stream, path)?),
    }
}

/// Writes an array or param as `.npy`.
fn write(item: &Item, out: &mut dyn Write) -> Result<()> {
    let data = match item.kind() {
        ItemKind::Data => Some(whole(item)?),
        _ => stored(item)?,
    };
    let part = match data {
        Some(data) => Picked::Data(data),
        None => Picked::of_value(item.value()?, None),
    };
    let named = format!("`{}`", printable(item.path()));
    export::npy_of(&Selected { stacked: Vec::new(), parts: vec![part] }, out)
        .map_err(|failure| failure.of_item(&named))
}
