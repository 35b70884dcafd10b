//! `dudc append`: more items, or more records, in a stream that is there.

use std::path::{Path, PathBuf};

use clap::Args;
use dudley::append::Append;
use dudley::index::{self, Index, Options};
use dudley::model::Candidate;
use dudley::numpy::Kind;
use dudley::{Layout, Value};
use dudley_formats::hdf5::face;

use crate::commands::index::unproven;
use crate::failure::{Failure, Result, printable};
use crate::filters;
use crate::input::need_file;
use crate::names::{is_stdin, name_of};
use crate::options::NoIndexArgs;
use crate::output::{Output, print_text};
use crate::progress::Progress;
use crate::stream_args::read_layout;
use crate::supply::arrays::{self, Named};
use crate::supply::json::Json;
use crate::supply::{self, Values};

/// Adds items, or records of a list, to a native stream, in place
///
/// With --fragment or --text, adds text to the layout, and the data that the text declares to the
/// stream. With a PATH, adds records to a list or array whose length is a param of the stream, and
/// keeps the layout; only the last item of the stream can grow this way. After a crash at any
/// point, the stream opens and has the whole addition or nothing of it.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  dudc append run.bd --text 'N : i4  u = f8[N]' --param N=3 --data u.json\n  \
                        dudc append run.bd --fragment more.dud --data arrays.npz\n  echo '[{\"t\": \
                        0.5, \"r\": [1, 2, 3]}]' | dudc append run.bd /hist --data -\n  dudc append run.bd --truncate /hist=1000"
)]
pub(crate) struct AppendArgs {
    /// A native stream
    pub file: PathBuf,
    /// The list or array that gets more records
    #[arg(conflicts_with_all = ["fragment", "text", "params"])]
    pub path: Option<String>,
    /// Cuts a list or array back to its first N records before others are added. Writes only their
    /// number, in one step
    #[arg(long, value_name = "PATH=N", value_parser = parse_truncation, conflicts_with_all = ["fragment", "text"])]
    pub truncate: Vec<(String, u64)>,
    /// Layout text to add
    #[arg(long, value_name = "FRAGMENT.dud", conflicts_with = "text")]
    pub fragment: Option<PathBuf>,
    /// As --fragment, the text itself
    #[arg(long, value_name = "TEXT")]
    pub text: Option<String>,
    /// Values of the new items: JSON as `dump` prints it, with only the new items of lists in
    /// nested form; a folder of .npy files, or an .npz archive. Values of records: a JSON list; a
    /// .npy with all of them, as structs with a field for each part; or an .npz archive or folder
    /// with an array for each part
    #[arg(long, value_name = "DATA")]
    pub data: Option<PathBuf>,
    /// Sets an added param; NAME may be a path
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = crate::stream_args::parse_param)]
    pub params: Vec<(String, i128)>,
    /// The layout of a stream without an attached one; the extended layout is printed
    #[arg(long, value_name = "X.dud")]
    pub layout: Option<PathBuf>,
    /// Leaves at least this many bytes free before the layout; 0 leaves none. By default, records
    /// make room when there is none: at least 4 KiB, as much as the data takes, or half as much
    /// beyond 64 KiB. Room takes no space on disk before it is written
    #[arg(long, value_name = "BYTES")]
    pub reserve: Option<u64>,
    /// Makes a new index if the stream had one; without this option the index may be lost. The data
    /// is compared with its checksums first. A layout of more than 1,000 items gets one without
    /// checksums in any case
    #[arg(long, conflicts_with_all = ["layout", "no_index"])]
    pub index: bool,
    #[command(flatten)]
    pub no_index: NoIndexArgs,
    /// Discards bytes that nothing describes, such as other members of the file: behind its layout,
    /// or behind the data that --layout describes
    #[arg(long)]
    pub discard: bool,
}

/// A path and the number of its records that are left.
fn parse_truncation(text: &str) -> std::result::Result<(String, u64), String> {
    let (path, records) = text.rsplit_once('=').ok_or("expected PATH=N, such as `/hist=1000`")?;
    let records = records.parse().map_err(|_| format!("`{records}` is no number of records"))?;
    Ok((path.to_owned(), records))
}

/// Runs the command.
///
/// # Errors
/// If the stream cannot be written, or the addition does not fit it.
pub(crate) fn run(args: &AppendArgs, output: &Output) -> Result<()> {
    need_file(&args.file, "append")?;
    let says = args.path.is_some() || args.fragment.is_some() || args.text.is_some();
    if !says && args.reserve.is_none() && !args.discard && args.truncate.is_empty() {
        return Err(Failure::usage(
            "nothing to append: give layout text by --text or --fragment, or the PATH of a list or array \
             that gets records",
        ));
    }
    let before = Index::of_file(&args.file).ok().flatten();
    let checksums = before.is_some_and(|index| index.checksums() > 0);
    if args.index {
        // Checksums that are made anew must not be of data that is damaged.
        index::prove(&args.file).map_err(|error| unproven(&args.file, error))?;
    }
    let mut append = open(args, output)?;
    // Readers of HDF5 would not see the new items, and records would overwrite its headers.
    if args.layout.is_none() {
        let removed = face::remove(&args.file, &filters::opener());
        if removed.map_err(|error| Failure::of_file(&name_of(&args.file), error))? {
            output.message(&format!(
                "note: {} is no HDF5 file any more: `dudc attach --hdf5` makes it one again\n",
                printable(&name_of(&args.file))
            ));
        }
    }
    let added = add(&mut append, args);
    let lost_index = append.has_lost_index();
    let extended = args.path.is_none() && says && args.layout.is_none();
    // Checksums are made anew only of data that was compared with them.
    let automatic = !checksums && args.no_index.policy().options(append.layout()).is_some();
    drop(append);
    if added.is_ok() && (lost_index && args.index || (lost_index || extended) && automatic) {
        let made = index::write(&args.file, Options { checksums });
        made.map_err(|error| Failure::of_file(&name_of(&args.file), error))?;
    } else if lost_index {
        // Whether anything was added or not: a disk that is full may have been so too late.
        tell_lost_index(args, checksums, output);
    }
    added
}

fn tell_lost_index(args: &AppendArgs, checksums: bool, output: &Output) {
    let name = name_of(&args.file);
    let (with, option) = if checksums { (" with its checksums", " --checksum") } else { ("", "") };
    output.message(&printable(&format!(
        "note: {name}: the index{with} is gone, since it was of the stream before: `dudc index{option}` \
         makes it anew, and so does `append --index`\n"
    )));
}

fn open(args: &AppendArgs, output: &Output) -> Result<Append> {
    let of_file = |error| Failure::of_file(&name_of(&args.file), error);
    let append = match &args.layout {
        None => Append::open(&args.file),
        Some(layout) => Append::with_layout(&args.file, read_layout(layout)?),
    };
    let mut append = append.map_err(of_file)?;
    append.filters(filters::registry()).map_err(of_file)?;
    for finding in append.findings().iter().filter(|finding| finding.is_interruption()) {
        let name = name_of(&args.file);
        output.message(&printable(&format!("note: {name}: {finding}; it is rolled back\n")));
    }
    Ok(append)
}

fn add(append: &mut Append, args: &AppendArgs) -> Result<()> {
    let of_file = |error| Failure::of_file(&name_of(&args.file), error);
    if args.discard {
        append.discard_undescribed().map_err(of_file)?;
    }
    for (path, records) in &args.truncate {
        append.truncate(path, *records).map_err(of_file)?;
    }
    if let Some(bytes) = args.reserve {
        append.reserve(bytes).map_err(of_file)?;
    }
    match (&args.path, &args.fragment, &args.text) {
        (Some(path), ..) => records(append, path, args)?,
        (None, None, None) => {}
        (None, ..) => extend(append, args)?,
    }
    if args.layout.is_some() && args.path.is_none() {
        print_text(append.layout().text().as_ref())?;
    }
    match args.reserve {
        // The part of the room that records used, and the room that they added.
        Some(0) => append.give_back_reserve().map_err(of_file),
        Some(bytes) => append.reserve(bytes).map_err(of_file),
        None => Ok(()),
    }
}

/// Adds the declarations of a fragment.
fn extend(append: &mut Append, args: &AppendArgs) -> Result<()> {
    let fragment = match (&args.fragment, &args.text) {
        (Some(path), _) => fragment_of(path)?,
        (None, text) => text.clone().unwrap_or_default(),
    };
    let mut values = match &args.data {
        None => Values::default(),
        Some(data) => Values::read(data, append.layout())?,
    };
    let of_file = |error| Failure::of_file(&name_of(&args.file), error);
    if !args.params.is_empty() {
        let layout = append.extend(&fragment).map_err(of_file)?.layout().clone();
        for (name, value) in &args.params {
            values.set_param(path_of_param(&layout, name).map_err(of_file)?, *value);
        }
    }
    values.add_behind(append.stream()).map_err(of_file)?;
    append.extend_with(&fragment, &values).map_err(of_file)
}

/// The path of a param by its name, which may be a path.
fn path_of_param(layout: &Layout, name: &str) -> dudley::Result<String> {
    let is_index = |part: &str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
    match dudley::read::path::param(layout, name) {
        Ok(id) => Ok(layout.param_path(id)),
        // The shape of one item of a list.
        Err(_) if name.split('/').any(is_index) => {
            Ok(if name.starts_with('/') { name.to_owned() } else { format!("/{name}") })
        }
        Err(error) => Err(error),
    }
}

fn fragment_of(path: &std::path::Path) -> Result<String> {
    let text = crate::input::read_layout(path)?;
    String::from_utf8(text.bytes)
        .map_err(|_| Failure::input(format!("{} is no UTF-8 text", text.name)))
}

/// Adds records to a list or array.
fn records(append: &mut Append, path: &str, args: &AppendArgs) -> Result<()> {
    let data = args.data.as_ref().ok_or_else(|| {
        Failure::usage("the records are missing: give a file of them by --data, or `--data -`")
    })?;
    let of_data = |failure: Failure| failure.about(&name_of(data));
    let arrays = numpy(data).map_err(of_data)?;
    if append.stream().get(path).is_ok_and(|item| item.data().is_ok_and(|it| it.blocks().is_some()))
    {
        return rows(append, path, args, (data, arrays));
    }
    match arrays {
        Some(arrays) => columns(append, path, args, arrays),
        None => one_by_one(append, path, args, data),
    }
}

/// Arrays of numpy.
enum Numpy {
    /// All of the records.
    One(Box<Named>),
    /// An array for each part of them.
    Parts(Vec<Named>),
}

/// The arrays of a file or folder of numpy; `None` if it is none.
fn numpy(data: &Path) -> Result<Option<Numpy>> {
    if is_stdin(data) {
        return Ok(None);
    }
    let candidate = Candidate::file(data, 0)?;
    let Some(kind) = arrays::kind(&candidate)? else { return Ok(None) };
    let mut arrays = arrays::of(kind, &candidate)?;
    Ok(match kind {
        Kind::File => arrays.pop().map(|all| Numpy::One(Box::new(all))),
        Kind::Archive | Kind::Folder => Some(Numpy::Parts(arrays)),
    })
}

/// Adds rows to an array in blocks, from one array of numpy or of JSON.
fn rows(
    append: &mut Append,
    path: &str,
    args: &AppendArgs,
    (data, arrays): (&Path, Option<Numpy>),
) -> Result<()> {
    let rows = match arrays {
        Some(Numpy::One(all)) => supply::inputs(vec![*all])?.pop().map(|(_, rows)| rows),
        Some(Numpy::Parts(_)) => None,
        None => Some(read_json(data)?.0.value().into()),
    };
    let rows = rows.ok_or_else(|| {
        Failure::usage(format!(
            "{}: rows of `{path}` are one array: a .npy, or JSON",
            name_of(data)
        ))
    })?;
    append.rows(path, rows).map_err(|error| Failure::of_file(&name_of(&args.file), error))
}

/// The JSON of a file or of standard input, and its bytes.
fn read_json(data: &Path) -> Result<(Json, u64)> {
    let bytes = if is_stdin(data) {
        crate::input::read_stdin()?
    } else {
        std::fs::read(data).map_err(|error| Failure::io("read", &name_of(data), &error))?
    };
    let count = bytes.len() as u64;
    let json = Json::read(bytes)
        .map_err(|error| Failure::input(format!("{}: no JSON: {error}", name_of(data))))?;
    Ok((json, count))
}

/// Adds records that are given by their parts, an array for each, or as one array; all of them or none.
fn columns(append: &mut Append, path: &str, args: &AppendArgs, arrays: Numpy) -> Result<()> {
    let of_file = |error| Failure::of_file(&name_of(&args.file), error);
    let mut records = append.records(path).map_err(of_file)?;
    let names: Vec<String> = records.names().map(str::to_owned).collect();
    let arrays = match arrays {
        Numpy::One(all) if all.source.is_struct() && !names.iter().any(String::is_empty) => {
            let has_parts = |path: &str| names.iter().any(|it| it.starts_with(&format!("{path}/")));
            let npy = all.source.npy().cloned();
            npy.map_or(Vec::new(), |npy| arrays::fields(npy, &has_parts))
        }
        Numpy::One(all) => {
            for (_, all) in supply::inputs(vec![*all])? {
                records.push_values(all).map_err(of_file)?;
            }
            return records.commit().map_err(of_file);
        }
        Numpy::Parts(arrays) => arrays,
    };
    let (names, inputs): (Vec<String>, Vec<_>) = supply::inputs(arrays)?.into_iter().unzip();
    let parts: Vec<_> = names.iter().map(String::as_str).zip(inputs).collect();
    records.push_many(&parts).and_then(|()| records.commit()).map_err(of_file)
}

/// Adds the records of a list of JSON.
fn one_by_one(append: &mut Append, path: &str, args: &AppendArgs, data: &Path) -> Result<()> {
    let (json, share) = read_json(data)?;
    let mut progress = Progress::new(Some(share));
    if !json.is_array() {
        return Err(Failure::input(format!(
            "{}: expected a list of records, `[…]`, found another value",
            name_of(data)
        )));
    }
    let share = share / (json.len() as u64).max(1);
    let name = name_of(&args.file);
    let of_file = |error| Failure::of_file(&name, error);
    let mut records = append.records(path).map_err(of_file)?;
    let each = items_of_record(&json, records.items_each())?;
    let mut values = json.items().map(|item| item.value());
    for at in 0..json.len() / each {
        let record = match each {
            1 => values.next().unwrap_or(Value::Null),
            each => Value::Array(values.by_ref().take(each).collect()),
        };
        if let Err(error) = records.push_value(record) {
            // All of them or none.
            records.forget();
            return Err(Failure::of_file(&format!("{name}, record {at} of those given"), error));
        }
        progress.advance(share * each as u64);
    }
    records.commit().map_err(of_file)
}

/// How many values of a list make one record: one, but records of several items may also be given item by item, in
/// order, as `dump` prints them.
fn items_of_record(list: &Json, each: u64) -> Result<usize> {
    let is_record = |value: &Json| {
        if value.is_array() {
            value.len() as u64 == each
        } else {
            matches!(value.value(), Value::Struct(_))
        }
    };
    if each < 2 || list.items().all(|value| is_record(&value)) {
        return Ok(1);
    }
    let (count, each) = (list.len(), each as usize);
    if count.is_multiple_of(each) {
        Ok(each)
    } else {
        Err(Failure::input(format!(
            "{count} values are no whole records, which are {each} items of the list each"
        )))
    }
}
