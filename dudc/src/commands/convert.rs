//! `dudc convert`: streams, ASDF files and Blosc2 frames into each other and into arrays of numpy, and back;
//! written anew.

mod args;

use std::path::PathBuf;
use std::sync::Arc;

use asdf_bridge::asdf::AsdfFile;
use dudley::bytes::AtomicFile;
use dudley::model::{Candidate, Depth, Format};
use dudley::numpy::layout::{self, NoLayout, Orders, Purpose};
use dudley::numpy::{Kind, OpenArrays, Units, stream_of};
use dudley::read::select::{items, select};
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
use crate::asdf::taken::{lost_of, of_array};
use crate::convert::beside::Beside;
use crate::convert::frames;
use crate::convert::gathered::Gathered;
use crate::convert::lost::Medium;
use crate::convert::out::{self, Lists};
use crate::convert::part::Part;
use crate::export;
use crate::failure::{Failure, Result, printable};
use crate::input::need_another;
use crate::names::{is_stdin, name_of};
use crate::opened::Opened;
use crate::output::{Several, warn};
use crate::pick::Masked;
use crate::scratch::{self, Scratch};
use crate::stream_args::{StreamArgs, read_layout};
use crate::supply::Values;
use crate::supply::arrays::{self, Named};
use crate::{filters, progress, scaled};
use dudley::numpy::Table;

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
    let options = stream_args(args);
    let candidate = options.candidate(&args.input)?;
    let numpy = if args.base == 0 && !args.raw { Kind::of(&candidate)? } else { None };
    if let Some(kind) = numpy {
        check_stream_options(args, to, kind.describe())?;
        if to_arrays(args, to) {
            return of_arrays(args, to, arrays::of(kind, &candidate)?);
        }
    }
    let opened = opened(args, options, candidate).map_err(readable)?;
    if let Some(left_out) = opened.dataset().content::<OpenArrays>().and_then(OpenArrays::left_out)
    {
        warn(&format!("{}: {left_out}", opened.candidate().name()));
    }
    if let Some(file) = opened.asdf() {
        check_stream_options(args, to, "an ASDF or FINF file")?;
        if args.layout.is_some() {
            return of_arrays(args, to, asdf::arrays(file, &[], &args.fill)?);
        }
        return from_file(args, file, to);
    }
    let without_sums;
    let mut args = args;
    if let Some(frame) = opened.frame() {
        let name = opened.name();
        check_stream_options(args, to, "a Blosc2 frame")?;
        if !to.is_frame() {
            opened.check_size(&args.paths)?;
        }
        frames::check(frame, &name, args.checksums)?;
        if opened.warn(&args.paths, Depth::Headers)? && to.is_frame() {
            let checksums = frames::of_doubtful(frame, &name, args.checksums);
            without_sums = ConvertArgs { checksums, ..args.clone() };
            args = &without_sums;
        }
        if args.layout.is_some() {
            return through_layout(args, &opened, to);
        }
        if to == To::Bd && !args.paths.is_empty() {
            return from_stream(args, to, opened.stream()?);
        }
    } else if opened.warn(&args.paths, Depth::Headers)? {
        check_any(args, opened.stream()?)?;
    }
    if let Some(physical) = physical(args, &opened)? {
        return of_physical(args, to, physical);
    }
    let of_output;
    if !is_foreign(args, opened.candidate())? {
        of_output = without_input(args);
        args = &of_output;
    }
    match to {
        To::B2nd | To::B2frame => to_frame(args, to, &opened),
        To::Bd if numpy.is_none() && opened.dataset().layout()?.is_none() => {
            anew(args, opened.stream()?)
        }
        _ => from_stream(args, to, opened.stream()?),
    }
}

/// The same without the layout and the params, if these belong to the input and not to the output.
fn without_input(args: &ConvertArgs) -> ConvertArgs {
    ConvertArgs { layout: None, params: Vec::new(), ..args.clone() }
}

/// Whether the items become separate arrays of numpy, not the arrays of a stream.
fn to_arrays(args: &ConvertArgs, to: To) -> bool {
    args.layout.is_some() || to.is_stream() && args.paths.is_empty()
}

/// Writes arrays, through the layout that is given, or one that is made for them.
fn of_arrays(args: &ConvertArgs, to: To, arrays: Vec<Named>) -> Result<()> {
    if to.is_stream() && args.paths.is_empty() {
        return to_stream(args, to, Gathered::of(arrays));
    }
    let (stream, _folder) = between(args, Gathered::of(arrays))?;
    from_stream(&without_input(args), to, &stream)
}

/// The physical values of the selection, or of everything, if they differ from the stored ones.
fn physical(args: &ConvertArgs, opened: &Opened) -> Result<Option<Gathered>> {
    // A layout of the output decides how the output stores values.
    if args.stored || args.layout.is_some() && is_foreign(args, opened.candidate())? {
        return Ok(None);
    }
    let stream = opened.stream()?;
    if !scaled::is_any(stream.layout()) {
        return Ok(None);
    }
    let physical = Gathered::of_stream(stream, &args.paths, lists_of(target(args)?))?.physical()?;
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

/// Writes physical values, which are all that is there.
fn of_physical(args: &ConvertArgs, to: To, gathered: Gathered) -> Result<()> {
    let all = ConvertArgs { paths: Vec::new(), ..without_input(args) };
    if to.is_stream() {
        return to_stream(&all, to, gathered);
    }
    let stream = stream_of(gathered.arrays, &gathered.dicts, &filters::opener())?;
    from_stream(&all, to, &stream)
}

/// Writes the data of a frame through the given layout, and its metalayers that the layout has.
fn through_layout(args: &ConvertArgs, opened: &Opened, to: To) -> Result<()> {
    let mut arrays = Gathered::of_stream(opened.stream()?, &[], Lists::Items)?.arrays;
    if let Some(path) = &args.layout {
        let layout = read_layout(path)?;
        let (mut has_own, count) = (false, arrays.len());
        arrays.retain(|it| {
            let first = it.parts.first().map_or("", String::as_str);
            let known = layout.symbol(first).and_then(|name| layout.entry(ROOT, name)).is_some();
            let kept = first == "data" || known;
            // `/meta` says how the frame stores its data.
            has_own |= !kept && first != "meta";
            kept
        });
        if has_own {
            let left = count - arrays.len();
            warn(&format!(
                "{}: {left} metalayers of the frame are left out, which the layout does not have",
                name_of(&args.input)
            ));
        }
    }
    of_arrays(args, to, arrays)
}

/// Writes one array as a frame, or a frame anew.
fn to_frame(args: &ConvertArgs, to: To, opened: &Opened) -> Result<()> {
    let mut options = frame_options(args, to)?;
    let part = Part::of(&args.paths)?;
    if let Some(frame) = opened.frame() {
        let name = opened.name();
        if let Some(part) = &part
            && frames::of_frame(frame, &name, part, &args.output, &options)?
        {
            return Ok(());
        }
        options.like = frames::like(frame);
    }
    stream_to_frame(args, opened.stream()?, &part.unwrap_or_default(), &options)
}

/// Writes one array of a stream as a frame.
fn stream_to_frame(
    args: &ConvertArgs,
    stream: &Stream,
    part: &Part,
    options: &frames::Options<'_>,
) -> Result<()> {
    let name = name_of(&args.input);
    let only = || out::only((stream, &name), &args.paths, true);
    let path = part.data.clone().map_or_else(only, Ok)?;
    let mut picked = |path: &str| Ok(select(stream, path)?);
    let beside = Beside::of(&path, || out::arrays(stream, &[]), part, &mut picked)?;
    let selected = select(stream, &path)?;
    let lost = out::lost_of(&selected, &path, options.medium())?;
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

/// Arrays as a stream through the layout that is given, in a file that is there as long as the folder: that layout may say
/// anything of how they are stored.
fn between(args: &ConvertArgs, arrays: Gathered) -> Result<(Stream, Scratch)> {
    let failed = |error: std::io::Error| Failure::io("write", "a temporary file", &error);
    let folder = scratch::folder().map_err(failed)?;
    let path = folder.path().join("stream");
    let with_layout = ConvertArgs { no_attach: false, ..args.clone() };
    write_arrays(&with_layout, arrays, None, &mut |written| to_file(written, &path, false))?;
    Ok((filters::opener().file(&path)?, folder))
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

/// Opens the input. A layout belongs to a stream: files of other formats describe themselves, unless they are read as
/// plain bytes.
fn opened(args: &ConvertArgs, mut options: StreamArgs, candidate: Candidate) -> Result<Opened> {
    if is_foreign(args, &candidate)? {
        // They belong to the output.
        options.layout = None;
        options.params = Vec::new();
    }
    options.opened_as(candidate, &args.input)
}

/// Whether the input describes itself, so that a layout belongs to the output.
fn is_foreign(args: &ConvertArgs, candidate: &Candidate) -> Result<bool> {
    Ok(!args.raw && !is_stdin(&args.input) && crate::formats::foreign_of(candidate)?.is_some())
}

fn from_stream(args: &ConvertArgs, to: To, stream: &Stream) -> Result<()> {
    check_output(args, stream, to)?;
    // A file of attributes alone, or of nothing, is one; of dicts without arrays nothing would be left.
    if to.by_layout().is_none() || !stream.root().names().is_empty() {
        check_any(args, stream)?;
    }
    match to {
        To::Asdf | To::Finf => {
            let options = file_options(args, to, Vec::new())?;
            asdf::of_stream(stream, &args.paths, &args.output, &options)
        }
        To::Bd | To::H5 => {
            to_stream(args, to, Gathered::of_stream(stream, &args.paths, lists_of(to))?)
        }
        To::Fits | To::Nc => {
            let gathered = Gathered::of_stream(stream, &args.paths, lists_of(to))?;
            by_layout(
                args,
                to,
                if gathered.has_stacked() { unstacked(gathered)? } else { gathered },
            )
        }
        To::Npy => {
            let name = name_of(&args.input);
            out::single((stream, &name), &args.paths, &args.output, args.force.force)
        }
        To::Npz | To::Folder => {
            to_files(args, to, &|lost, visit| out::files(stream, &args.paths, lost, visit))
        }
        To::B2nd | To::B2frame => {
            let part = Part::of(&args.paths)?.unwrap_or_default();
            stream_to_frame(args, stream, &part, &frame_options(args, to)?)
        }
    }
}

/// Checks that there is anything to write.
fn check_any(args: &ConvertArgs, stream: &Stream) -> Result<()> {
    let layout = stream.layout();
    let any = layout.arrays().next().is_some() || layout.param_count() > 0;
    if any { Ok(()) } else { Err(nothing_in(args)) }
}

/// Check this before any write, so that no file is lost.
fn nothing_in(args: &ConvertArgs) -> Failure {
    Failure::input(format!("{}: there are no arrays in it", name_of(&args.input)))
}

/// Writes files of numpy, as an archive or as a folder.
fn to_files(args: &ConvertArgs, to: To, files: &out::Files<'_>) -> Result<()> {
    if to == To::Npz {
        out::archive(files, &args.output, args.force.force, args.compress)
    } else {
        out::folder(files, &args.output)
    }
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

/// An ASDF or FINF file written as something else, or anew.
fn from_file(args: &ConvertArgs, file: &AsdfFile, to: To) -> Result<()> {
    let (named, name) = (asdf::named_files(file, &args.input), name_of(&args.input));
    need_another(&args.output, named.iter().map(PathBuf::as_path))?;
    if !to.is_asdf() {
        asdf::warn_before(file, &args.paths)?;
    }
    // Everything that a path picks becomes one array; otherwise the items keep their places.
    let paths = crate::asdf::spread(file, &args.paths)?;
    match to {
        To::Asdf | To::Finf if !paths.is_empty() => {
            asdf::parts(file, &paths, &args.output, &file_options(args, to, named)?)
        }
        To::Asdf | To::Finf => asdf::again(file, &args.output, &file_options(args, to, named)?),
        To::Npy => {
            let path = asdf::only((file, &name), &args.paths, false)?;
            lost_of(file, &path, Medium::Numpy)?.warn();
            let path = of_array(file, &path)?;
            let selected = crate::asdf::select(file, &path, Masked::Written(&args.fill))?;
            export::to_file(&selected, export::Kind::Npy, &args.output, args.force.force)
        }
        To::Npz | To::Folder => {
            to_files(args, to, &|lost, visit| asdf::files(file, &paths, &args.fill, lost, visit))
        }
        To::B2nd | To::B2frame => {
            let part = Part::of(&args.paths)?.unwrap_or_default();
            let path = part
                .data
                .clone()
                .map_or_else(|| asdf::only((file, &name), &args.paths, true), Ok)?;
            let options = frame_options(args, to)?;
            let lost = lost_of(file, &path, options.medium())?;
            let path = of_array(file, &path)?;
            let mut select =
                |path: &str| crate::asdf::select(file, path, Masked::Written(&args.fill));
            let beside = Beside::of(&path, || asdf::array_paths(file), &part, &mut select)?;
            frames::of_selected((&select(&path)?, &path), &beside, &args.output, &options, lost)
        }
        To::Bd | To::H5 => {
            to_stream(args, to, Gathered::of(asdf::arrays(file, &paths, &args.fill)?))
        }
        To::Fits | To::Nc => {
            by_layout(args, to, unstacked(Gathered::of(asdf::arrays(file, &paths, &args.fill)?))?)
        }
    }
}

/// How to write lists of dicts: a stream has them as lists, and other files have columns.
fn lists_of(to: To) -> Lists {
    if to == To::Bd { Lists::Items } else { Lists::Columns }
}

/// The arrays of a stream, each of one item.
fn unstacked(gathered: Gathered) -> Result<Gathered> {
    let stream = stream_of(gathered.arrays, &gathered.dicts, &filters::opener())?;
    Gathered::of_stream(&stream, &[], Lists::Items)
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
    let whole = if is_other { None } else { whole_items(stream, &args.paths)? };
    match whole.map(|paths| stream.part(&paths)).transpose()?.flatten() {
        Some(part) => again(args, &part),
        None => from_stream(&without_input(args), To::Bd, stream),
    }
}

/// The paths of the items that some paths pick; `None` if one picks a part of an item.
fn whole_items(stream: &Stream, paths: &[String]) -> Result<Option<Vec<String>>> {
    let mut found = Vec::new();
    for path in paths {
        match items(stream, path) {
            Err(Error::BadSlice { .. }) => return Ok(None),
            picked => found.extend(picked?.iter().map(|item| item.path().to_owned())),
        }
    }
    Ok(Some(found))
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
                (None, Some(of_stream)) => Orders::Unless(of_stream),
                (None, None) => Orders::Own,
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
