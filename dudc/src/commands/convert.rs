//! `dudc convert`: streams, ASDF files and Blosc2 frames into each other and into arrays of numpy, and back;
//! written anew.

mod args;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dudley::bytes::AtomicFile;
use dudley::model::{Candidate, Dataset, Depth};
use dudley::numpy::layout::{self, NoLayout, Orders, Purpose};
use dudley::numpy::{OpenArrays, Table, Units, stream_of};
use dudley::read::select::select;
use dudley::write::Extra;
use dudley::{ByteOrder, Error, Input, Layout, Stream, WriteOptions, parse_layout, write};
use dudley_formats::hdf5::written::{BEHIND_SUPERBLOCK, WithFace, fitted};
use dudley_parser::layout::ROOT;

pub(crate) use args::ConvertArgs;
use args::{To, check_options, check_stream_options, readable, target};

use super::attach::warn_of_hidden;
use super::pack::{Written, give_params, override_of, to_file};
use crate::asdf::convert as asdf;
use crate::asdf::convert::parse_codec;
use crate::convert::beside::Beside;
use crate::convert::frames;
use crate::convert::gathered::Gathered;
use crate::convert::names;
use crate::convert::out::{self, Lists, Selection};
use crate::convert::part::{FRAME, Part};
use crate::convert::portable::gathered;
use crate::failure::{Failure, Result, printable};
use crate::input::need_another;
use crate::names::name_of;
use crate::nodes::remark;
use crate::opened::{self, Opened};
use crate::output::{Several, warn};
use crate::stream_args::{StreamArgs, read_layout};
use crate::supply::Values;
use crate::supply::arrays::Named;
use crate::{filters, progress, scaled};

/// Runs the command.
///
/// # Errors
/// If the input cannot be read, or the output cannot be written or cannot hold the input.
pub(crate) fn run(args: &ConvertArgs) -> Result<()> {
    let to = target(args)?;
    need_another(&args.output, [&*args.input].into_iter().chain(args.layout.as_deref()))?;
    if args.compress && to != To::Npz {
        return Err(Failure::usage("--compress is for .npz archives"));
    }
    check_options(args, to)?;
    if to.is_one() && args.paths.len() > 1 && !(to.is_frame() && Part::of(&args.paths)?.is_some()) {
        return Err(out::one_array(&args.paths));
    }
    let options = stream_args(args);
    let candidate = options.candidate(&args.input)?;
    let is_foreign = is_foreign(args, &candidate)?;
    let opened = open(options, &args.input, candidate, is_foreign).map_err(readable)?;
    let dataset = opened.dataset();
    let named = dataset.files(args.input.parent().unwrap_or(Path::new("")));
    need_another(&args.output, named.iter().map(PathBuf::as_path))?;
    if is_foreign {
        check_stream_options(args, to, dataset.describe())?;
    }
    if let Some(left_out) = dataset.content::<OpenArrays>().and_then(OpenArrays::left_out) {
        warn(&format!("{}: {left_out}", opened.candidate().name()));
    }
    let has_layout = args.layout.is_some() && is_foreign;
    if let Some(file) = opened.asdf() {
        remark(&opened)?;
        if to.is_asdf() {
            return asdf::parts(file, &args.paths, &args.output, &file_options(args, to, named)?);
        }
    }
    let own = checked(args, to, &opened)?;
    let args = &own;
    if has_layout {
        return through_layout(args, to, &opened);
    }
    if let opened::Input::Nodes = opened.input()? {
        return of_nodes(args, to, dataset);
    }
    let stream = opened.stream()?;
    let physical = physical(args, to, stream)?;
    // The layout and the params of a stream are not those of the output.
    let own = if is_foreign { own } else { without_layout(&own) };
    let args = &own;
    match physical {
        Some(physical) => of_gathered(args, to, physical, &[]),
        None if to.is_frame() => to_frame(args, to, &opened),
        None if to == To::Bd && !opened.is_decoded() && dataset.layout()?.is_none() => {
            anew(args, stream)
        }
        None => {
            let orders = dataset.content::<OpenArrays>().is_some();
            let from = Selection::new(stream, &args.paths, lists_of(to));
            from_stream(args, to, &Selection { orders, ..from })
        }
    }
}

/// Reports what is odd in the input, or wrong; with how it is converted nevertheless.
fn checked(args: &ConvertArgs, to: To, opened: &Opened) -> Result<ConvertArgs> {
    let mut own = args.clone();
    if !to.is_frame() {
        opened.check_size(&args.paths)?;
    }
    if let Some(frame) = opened.frame() {
        let name = opened.name();
        frames::check(frame, &name, args.checksums)?;
        if opened.warn(&args.paths, Depth::Headers)? && to.is_frame() {
            own.checksums = frames::of_doubtful(frame, &name, args.checksums);
        }
        return Ok(own);
    }
    if args.paths.is_empty() {
        asdf::warn_of_loose(opened.dataset().inner())?;
    }
    if opened.warn(&args.paths, Depth::Checksums)?
        && let opened::Input::Stream(stream) = opened.input()?
    {
        check_any(args, stream)?;
    }
    Ok(own)
}

/// The same without the layout and the params.
fn without_layout(args: &ConvertArgs) -> ConvertArgs {
    ConvertArgs { layout: None, params: Vec::new(), ..args.clone() }
}

/// Writes arrays through the layout that is given. Metalayers of a frame that the layout does not have are left out.
fn through_layout(args: &ConvertArgs, to: To, opened: &Opened) -> Result<()> {
    let mut gathered = match opened.input()? {
        opened::Input::Nodes => gathered(opened.dataset(), &args.paths, &args.fill, false)?,
        _ => Gathered::of_stream(&Selection::new(opened.stream()?, &args.paths, Lists::Items))?,
    };
    if let (Some(path), Some(_)) = (&args.layout, opened.frame()) {
        let layout = read_layout(path)?;
        let (mut has_own, count) = (false, gathered.arrays.len());
        gathered.arrays.retain(|it| {
            let first = it.parts.first().map_or("", String::as_str);
            let known = layout.symbol(first).and_then(|name| layout.entry(ROOT, name)).is_some();
            let kept = first == "data" || known;
            // `/meta` says how the frame stores its data.
            has_own |= !kept && first != "meta";
            kept
        });
        if has_own {
            let left = count - gathered.arrays.len();
            warn(&format!(
                "{}: {left} metalayers of the frame are left out, which the layout does not have",
                name_of(&args.input)
            ));
        }
    }
    to_stream(args, to, gathered)
}

/// Writes the arrays and values of a file with nodes of its own. Those of a frame are chosen where a frame is made of
/// them.
fn of_nodes(args: &ConvertArgs, to: To, dataset: &Dataset) -> Result<()> {
    let part = if to.is_frame() { Part::of(&args.paths)? } else { None };
    if part.is_some_and(|part| part.data.is_some()) {
        let known = |path: &String| dataset.get(path).is_ok();
        let frame: Vec<String> = FRAME.map(str::to_owned).into_iter().filter(known).collect();
        let gathered = gathered(dataset, &frame, &args.fill, false)?;
        return of_gathered(args, to, gathered, &args.paths);
    }
    let gathered = gathered(dataset, &args.paths, &args.fill, to.is_one())?;
    of_gathered(args, to, gathered, &[])
}

/// Writes arrays of which a stream is made, all or those at some paths.
fn of_gathered(args: &ConvertArgs, to: To, gathered: Gathered, paths: &[String]) -> Result<()> {
    if to.is_stream() {
        return to_stream(args, to, gathered);
    }
    let stream = &stream_of(gathered.arrays, &gathered.dicts, &filters::opener())?;
    from_stream(args, to, &Selection::new(stream, paths, Lists::Items))
}

/// The physical values of the selection, or of everything, if they differ from the stored ones.
fn physical(args: &ConvertArgs, to: To, stream: &Stream) -> Result<Option<Gathered>> {
    // Where no attribute tells which values stand for none, these are not a number.
    let fills = to.has_no_attributes() && scaled::has_fills(stream.layout());
    if args.stored || !(fills || scaled::is_any(stream.layout())) {
        return Ok(None);
    }
    let lists = match lists_of(to) {
        Lists::Items => Lists::Items,
        Lists::Columns | Lists::Histories => Lists::Columns,
    };
    let selection = Selection::new(stream, &args.paths, lists);
    let physical = Gathered::of_stream(&selection)?.physical(fills)?;
    let Some((gathered, first, count)) = physical else { return Ok(None) };
    let more = match count - 1 {
        0 => String::new(),
        1 => ", and those of 1 more array".to_owned(),
        more => format!(", and those of {more} more arrays"),
    };
    warn(&format!(
        "{}: stored values become physical ones: {}{more}; --stored keeps them",
        name_of(&args.input),
        printable(&first)
    ));
    Ok(Some(gathered))
}

/// Writes one array as a frame, or a frame anew.
fn to_frame(args: &ConvertArgs, to: To, opened: &Opened) -> Result<()> {
    let mut options = frame_options(args, to)?;
    if let Some(frame) = opened.frame() {
        let name = opened.name();
        if let Some(part) = Part::of(&args.paths)?
            && frames::of_frame(frame, &name, &part, &args.output, &options)?
        {
            return Ok(());
        }
        options.like = frames::like(frame);
    }
    let from = Selection::new(opened.stream()?, &args.paths, Lists::Columns);
    stream_to_frame(args, &from, &options)
}

/// Writes one array of a stream as a frame.
fn stream_to_frame(
    args: &ConvertArgs,
    from: &Selection<'_>,
    options: &frames::Options<'_>,
) -> Result<()> {
    let part = Part::of(from.paths)?.unwrap_or_default();
    let only = || out::only(from, &name_of(&args.input), true);
    let path = part.data.clone().map_or_else(only, Ok)?;
    let mut picked = |path: &str| Ok(select(from.stream, path)?);
    let beside = Beside::of(&path, || out::arrays(from), &part, &mut picked)?;
    let selected = out::picked(from.stream, &path)?;
    let lost = out::lost_of(from.stream, &selected, &path, options.medium())?;
    frames::of_selected((&selected, &path), &beside, &args.output, options, lost)
}

fn frame_options(args: &ConvertArgs, to: To) -> Result<frames::Options<'_>> {
    Ok(frames::Options {
        array: to == To::B2nd,
        codec: args.recompress.as_deref(),
        filters: frames::filters(&args.filters)?,
        chunks: &args.chunks,
        blocks: &args.blocks,
        sparse: args.sparse,
        checksums: args.checksums,
        force: args.force.force,
        threads: args.jobs.threads(),
        like: None,
    })
}

fn stream_args(args: &ConvertArgs) -> StreamArgs {
    StreamArgs {
        layout: args.layout.clone(),
        params: args.params.clone(),
        order: args.from_order,
        raw: args.raw,
        base: args.base,
        no_const_check: args.no_const_check,
        lists: false,
    }
}

/// Opens the input. A layout belongs to a stream: that of a file that describes itself belongs to the output.
fn open(
    options: StreamArgs,
    path: &Path,
    candidate: Candidate,
    is_foreign: bool,
) -> Result<Opened> {
    let without = || StreamArgs { layout: None, params: Vec::new(), ..options.clone() };
    let options = if is_foreign { without() } else { options };
    options.opened_as(candidate, path)
}

/// Whether the input describes itself, so that a layout belongs to the output.
fn is_foreign(args: &ConvertArgs, candidate: &Candidate) -> Result<bool> {
    let is_one = || Ok::<_, Failure>(crate::formats::foreign_of(candidate)?.is_some());
    Ok(!args.raw && (candidate.folder().is_some() || is_one()?))
}

fn from_stream(args: &ConvertArgs, to: To, from: &Selection<'_>) -> Result<()> {
    let stream = from.stream;
    check_output(args, stream, to)?;
    // A file of attributes alone, or of nothing, is one; of dicts without arrays nothing would be left.
    if to.by_layout().is_none() || !stream.root().names().is_empty() {
        check_any(args, stream)?;
    }
    match to {
        To::Asdf | To::Finf => {
            let options = file_options(args, to, Vec::new())?;
            asdf::of_stream(from, &args.output, &options)
        }
        To::Bd | To::H5 => to_stream(args, to, Gathered::of_stream(from)?),
        To::Fits | To::Nc => {
            let gathered = Gathered::of_stream(from)?;
            by_layout(
                args,
                to,
                if gathered.has_stacked() { unstacked(gathered)? } else { gathered },
            )
        }
        To::Npy => out::single(from, &name_of(&args.input), &args.output, args.force.force),
        To::Npz => out::archive(from, &args.output, args.force.force, args.compress),
        To::Folder => out::folder(from, &args.output),
        To::B2nd | To::B2frame => stream_to_frame(args, from, &frame_options(args, to)?),
    }
}

/// Checks that there is anything to write.
fn check_any(args: &ConvertArgs, stream: &Stream) -> Result<()> {
    let layout = stream.layout();
    let has_arrays =
        layout.arrays().next().is_some() && !names::children(&stream.root()).is_empty();
    if has_arrays || layout.param_count() > 0 { Ok(()) } else { Err(nothing_in(args)) }
}

/// Check this before any write, so that no file is lost.
fn nothing_in(args: &ConvertArgs) -> Failure {
    Failure::input(format!("{}: there are no arrays in it", name_of(&args.input)))
}

/// How to write a file. `named` are the files that the input names.
fn file_options(args: &ConvertArgs, to: To, named: Vec<PathBuf>) -> Result<asdf::Options> {
    let codec = args.recompress.as_deref().map(parse_codec).transpose();
    Ok(asdf::Options {
        finf: to == To::Finf,
        codec: codec.map_err(|why| Failure::usage(format!("--codec (or --recompress): {why}")))?,
        explode: args.explode,
        force: args.force.force,
        read: [&args.input].into_iter().chain(&args.layout).cloned().chain(named).collect(),
        fill: args.fill.clone(),
    })
}

/// How to write lists of dicts: a stream has them as lists, and other files have columns.
fn lists_of(to: To) -> Lists {
    match to {
        To::Bd => Lists::Items,
        To::Asdf | To::Finf => Lists::Histories,
        _ => Lists::Columns,
    }
}

/// The arrays of a stream, each of one item.
fn unstacked(gathered: Gathered) -> Result<Gathered> {
    let stream = stream_of(gathered.arrays, &gathered.dicts, &filters::opener())?;
    Gathered::of_stream(&Selection::all(&stream))
}

/// Writes arrays through the layout of a file of another format.
fn by_layout(args: &ConvertArgs, to: To, gathered: Gathered) -> Result<()> {
    let writers = dudley_formats::writers();
    let writer = writers.iter().find(|it| Some(it.name()) == to.by_layout());
    let writer = writer.ok_or_else(|| Failure::usage("no such format is written"))?;
    let planned = writer.plan(gathered.arrays, &gathered.dicts)?;
    let mut lost = Several::default();
    lost.extend(planned.lost);
    if lost.count() > 0 {
        warn(&format!("a .{} file has no place for all: {lost}", writer.name()));
    }
    let layout = parse_layout(planned.layout.as_bytes())
        .map_err(|error| Failure::of_file("the layout made for the file", error))?;
    let values = Values::from_arrays(planned.items, &layout)?;
    let options = WriteOptions {
        raw: true,
        attach: false,
        order: layout.order().unwrap_or(ByteOrder::Big),
        ..write_options(args, ByteOrder::Big)
    };
    let written = Written { layout: &layout, options: &options, values: &values };
    to_file(&written, &args.output, args.force.force)
}

/// Checks that the output is none of the inputs.
fn check_output(args: &ConvertArgs, stream: &Stream, to: To) -> Result<()> {
    let name = name_of(&args.input);
    let out = args.output.to_string_lossy();
    let bare = out.split('[').next().unwrap_or_default();
    if args.to.is_none() && to == To::Folder && out.starts_with('/') && stream.get(bare).is_ok() {
        return Err(Failure::usage(format!(
            "`{out}` is a path of the stream, and stands where the output should: `dudc convert {name} \
             OUT.npy '{out}'`, or `dudc get {name} '{out}' -o OUT.npy`"
        )));
    }
    Ok(())
}

/// A stream written anew.
fn again(args: &ConvertArgs, stream: &Stream) -> Result<()> {
    let order = args.order.map_or(stream.order(), ByteOrder::from);
    check_order(stream.layout(), order, &name_of(&args.input))?;
    for id in stream.given().params.keys() {
        let param = &stream.layout()[*id];
        if !args.no_attach && !param.is_streamed() {
            warn(&override_of(&stream.layout().param_path(*id)));
        }
    }
    let mut file = AtomicFile::create(&args.output, args.force.force)?;
    write::rewrite(stream, &write_options(args, order), &mut file)?;
    Ok(file.commit()?)
}

/// A stream, or the selection of paths from one, as a stream: through its layout, or through an excerpt if whole
/// items of dicts are selected, and no other byte order is requested.
fn anew(args: &ConvertArgs, stream: &Stream) -> Result<()> {
    if args.paths.is_empty() {
        return again(args, stream);
    }
    let own = stream.layout().order();
    let is_other = args.order.is_some_and(|order| own.is_some_and(|own| own != order.into()));
    let whole = args.paths.iter().map(|path| out::whole_items(stream, path));
    let whole: Option<Vec<_>> = whole.collect::<Result<_>>()?;
    let whole: Option<Vec<String>> = whole
        .filter(|_| !is_other)
        .map(|items| items.iter().flatten().map(|item| item.path().to_owned()).collect());
    match whole.map(|paths| stream.part(&paths)).transpose()?.flatten() {
        Some(part) => again(args, &part),
        None => from_stream(args, To::Bd, &Selection::new(stream, &args.paths, Lists::Items)),
    }
}

/// An order that the layout itself says cannot be changed.
fn check_order(layout: &Layout, order: ByteOrder, name: &str) -> Result<()> {
    match layout.order() {
        Some(own) if own != order => Err(Failure::input(format!(
            "the layout of {name} begins with `{}`, which fixes the byte order of its data: --layout gives another \
             one, and paths pick data of which a new one is made",
            own.symbol()
        ))),
        _ => Ok(()),
    }
}

/// Writes arrays as a stream, with an HDF5 face if it is to be an HDF5 file as well.
fn to_stream(args: &ConvertArgs, to: To, mut gathered: Gathered) -> Result<()> {
    let mut to_file = |written: &Written<'_>| to_file(written, &args.output, args.force.force);
    if to != To::H5 {
        return write_arrays(args, gathered, None, &mut to_file);
    }
    gathered.arrays = fitted(gathered.arrays)?;
    let face = Arc::new(WithFace::default());
    write_arrays(args, gathered, Some(&face), &mut to_file)?;
    warn_of_hidden(&face.left_out());
    Ok(())
}

/// Hands over arrays with the layout that is given, or one that is made for them.
fn write_arrays(
    args: &ConvertArgs,
    gathered: Gathered,
    face: Option<&Arc<WithFace>>,
    hand_over: &mut dyn FnMut(&Written<'_>) -> Result<()>,
) -> Result<()> {
    let order = args.order.map(ByteOrder::from);
    let mut options = write_options(args, order.or(gathered.order).unwrap_or(ByteOrder::Little));
    let (layout, mut values) = match &args.layout {
        Some(path) => {
            let layout = read_layout(path)?;
            let values = Values::from_arrays(gathered.arrays, &layout)?;
            (layout, values)
        }
        None => {
            let orders = match (order, gathered.order) {
                (Some(_), _) => Orders::OfStream,
                (None, Some(of_stream)) if !gathered.orders => Orders::Unless(of_stream),
                (None, _) => Orders::Own,
            };
            let purpose = match &face {
                Some(_) => Purpose::WriteFrom(BEHIND_SUPERBLOCK),
                None => Purpose::Write,
            };
            made_for(args, gathered, orders, purpose)?
        }
    };
    give_params(&layout, &mut values, &args.params, !args.no_attach)?;
    options.extra = face.map(|face| face.clone() as Arc<dyn Extra>);
    hand_over(&Written { layout: &layout, options: &options, values: &values })
}

/// The layout made for arrays, and these by their paths in it.
fn made_for(
    args: &ConvertArgs,
    gathered: Gathered,
    orders: Orders,
    purpose: Purpose,
) -> Result<(Layout, Values)> {
    if gathered.arrays.is_empty() {
        return Err(nothing_in(args));
    }
    let (text, paths) = layout::of_arrays(&gathered.arrays, &gathered.dicts, orders, purpose)
        .map_err(Error::from)?;
    let layout = parse_layout(text.as_bytes())
        .map_err(|error| Failure::of_file("the layout made for the arrays", error))?;
    gathered.warn_of_numbers(&paths);
    let mut values = Values::default();
    for (Named { param, source, about, .. }, path) in gathered.arrays.into_iter().zip(paths) {
        if param {
            if about.fixed.is_none() {
                // The layout was made of it as one.
                let value = source.integer()?;
                let value = value.ok_or_else(|| Error::from(NoLayout::Param(path.clone())))?;
                values.set_param(path, value);
            }
        } else if source.is_struct() {
            values.set_item(path, Input::Rows(Box::new(Table::new(source))));
        } else {
            values.set_item(path, Input::Typed(Box::new(Units(source))));
        }
    }
    Ok((layout, values))
}

fn write_options(args: &ConvertArgs, order: ByteOrder) -> WriteOptions {
    let work = progress::watched(args.jobs);
    let (attach, filters) = (!args.no_attach, Arc::new(filters::registry()));
    let index = args.no_index.policy();
    WriteOptions { order, attach, index, work, filters, ..Default::default() }
}
