//! `dudc dump`: the values of everything in a stream.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use dudley::elements::Sink;
use dudley::model::Depth;
use dudley::read::listing::Row;
use dudley::read::path::{Part, parse, split};
use dudley::read::select::{Selected, items};
use dudley::read::slice::Index;
use dudley::{Item, ItemKind, Stream};
use dudley_parser::resolve::WalkOptions;

use crate::below::Below;
use crate::failure::{Failure, Result, printable};
use crate::json::json_text;
use crate::opened::{Input, Opened};
use crate::options::Format;
use crate::output::Output;
use crate::rows::{self, RowOptions, report};
use crate::scaled;
use crate::stream_args::StreamArgs;
use crate::supply::nested::key;
use crate::text::{self, Emit};
use crate::{export, nodes, pick, terminal};

/// Shows the values of everything
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  dudc dump run.bd\n  dudc dump run.bd --exact --format json > \
                        run.json\n  dudc dump run.bd '/history[-2:]' --nested\n  dudc dump run.bd --hex --range 0x100:0x180"
)]
pub(crate) struct DumpArgs {
    /// A file of any format that `dudc ls` opens
    pub file: PathBuf,
    /// Shows only items at and below this path, which may have slices
    pub path: Option<String>,
    #[command(flatten)]
    pub stream: StreamArgs,
    /// Prints values that give the same bytes back: as `{"bits": …}` where the plain form would not
    /// (implies --format json)
    #[arg(long)]
    pub exact: bool,
    /// Prints dicts and lists as JSON objects and arrays, values only
    #[arg(long)]
    pub nested: bool,
    /// Prints annotated bytes: address, bytes, values, unit and documentation of every item, or of
    /// a slice; padding and gaps are marked. Works for ASDF and FINF files, and for Blosc2 frames
    /// and chunks, too
    #[arg(long, conflicts_with_all = ["exact", "nested"])]
    pub hex: bool,
    /// With --hex, prints only the bytes from address A up to B; `0x…` works, a negative number
    /// counts from the end of the data, and either may be missing
    #[arg(long, value_name = "A:B", requires = "hex", value_parser = crate::hex::Range::parse,
          allow_hyphen_values = true)]
    pub range: Option<crate::hex::Range>,
    /// Shows long arrays and lists whole
    #[arg(long)]
    pub all: bool,
    /// How to print results
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Runs the command.
///
/// # Errors
/// If the stream cannot be opened; if something in it cannot be read, after all the rest is shown.
pub(crate) fn run(args: &DumpArgs, output: &Output) -> Result<()> {
    if args.hex {
        return hex(args, output);
    }
    let opened = args.stream.opened(&args.file)?;
    let excerpt = excerpt(args, &opened);
    if excerpt.is_none() {
        opened.input()?;
    }
    // The faults of a file without a layout are reported behind its values.
    let is_layoutless = excerpt.is_none() && matches!(opened.input()?, Input::Nodes);
    if !is_layoutless {
        let paths: Vec<&str> = args.path.as_deref().into_iter().collect();
        // Of a slice no more is read than it needs.
        let sliced = paths.iter().any(|path| pick::has_slices(path).unwrap_or_default());
        opened.warn(&paths, if sliced { Depth::Opened } else { Depth::Headers })?;
    }
    let part_of = match &excerpt {
        Some(stream) => pick::part_of_stream(stream, args.path.as_deref())?,
        None => pick::part(&opened, args.path.as_deref())?,
    };
    let stream = match (&part_of, excerpt) {
        (Some(_), _) => None,
        (None, Some(stream)) => Some(stream),
        (None, None) if is_layoutless => {
            let (path, depth) = (args.path.as_deref(), Depth::Headers);
            let (all, exact, format) = (args.all, args.exact, args.format);
            let options = nodes::Options { path, all, depth, values: true, exact, format };
            return nodes::dump(&opened, args.nested, &options, output);
        }
        (None, None) => Some(opened.stream()?.clone()),
    };
    let mut out = std::io::BufWriter::new(crate::kept::stdout());
    if let Some(selected) = part_of {
        if let Some(data) = selected.data() {
            scaled::remark(data);
        }
        part(args, &selected, &mut out)?;
    }
    let Some(stream) = stream else { return flush(&mut out) };
    scaled::remark_of_all(&opened.name(), stream.layout());
    if args.nested {
        whole(&mut out, &mut |sink| all_nested(&stream, args, sink))?;
        return flush(&mut out);
    }
    let decoded = opened.is_decoded();
    let format = if args.exact { Format::Json } else { args.format };
    let most = rows::most_picked(args.all, format);
    let below = Below::of(&stream, args.path.as_deref(), most)?;
    let all = args.all || args.exact;
    let errors = match args.format {
        Format::Human if !args.exact => human(&stream, &below, args.all, &mut out, output)?,
        _ => {
            let options =
                RowOptions { values: true, exact: args.exact, all: all || below.is_slice, decoded };
            rows::write(&stream, options, &below, &mut |_, _| Ok(()), &mut out)?
        }
    };
    flush(&mut out)?;
    report(errors, output)
}

/// Shows annotated bytes.
fn hex(args: &DumpArgs, output: &Output) -> Result<()> {
    let options = crate::hex::Options {
        path: args.path.as_deref(),
        range: args.range,
        all: args.all,
        format: args.format,
        style: output.result_style(),
    };
    // Lines are seen as soon as they are there.
    let mut out = std::io::LineWriter::new(crate::kept::stdout());
    let errors = crate::hex::show(&args.stream.listing(), &args.file, &options, &mut out)?;
    flush(&mut out)?;
    report(errors, output)
}

/// The stream to which an index leads for the requested item. In JSON the rows of a stream have more
/// than the item.
fn excerpt(args: &DumpArgs, opened: &Opened) -> Option<Stream> {
    match (&args.path, args.format) {
        (Some(path), Format::Human) if !args.exact || args.nested => opened.excerpt(path),
        _ => None,
    }
}

/// Shows a part of an array as `get` does.
fn part(args: &DumpArgs, selected: &Selected, out: &mut dyn Write) -> Result<()> {
    let path = args.path.as_deref().unwrap_or_default();
    if args.nested {
        return whole(out, &mut |sink| selected.emit(sink, args.exact));
    }
    match args.format {
        Format::Human if !args.exact => {
            let name = format!("{} = ", printable(path));
            terminal::show(selected, &name, args.all, out)
        }
        _ => export::json(selected, path, args.exact, &[], out),
    }
}

/// Writes a value alone only when all of it could be read: half of one is no JSON, and nothing can stand beside it.
///
/// # Errors
/// If `emit` fails; or if it cannot be written.
fn whole(out: &mut dyn Write, emit: &mut Emit<'_>) -> Result<()> {
    match text::whole(out, "", emit, &json_text)? {
        Some(error) => Err(error.into()),
        None => writeln!(out).map_err(Failure::output),
    }
}

/// The requested value; for several items, an array of values.
fn all_nested(stream: &Stream, args: &DumpArgs, sink: &mut dyn Sink) -> dudley::Result<()> {
    let path = args.path.as_deref().unwrap_or("/");
    let ranges = |part: &Part| match part {
        Part::Slice(indices) => indices.iter().any(|index| !matches!(index, Index::At(_))),
        _ => false,
    };
    let several = parse(path)?.iter().any(ranges);
    let items = items(stream, path)?;
    if let ([item], false) = (&items[..], several) {
        return nested(item, sink, args.exact);
    }
    sink.begin_array(items.len() as u64)?;
    items.iter().try_for_each(|item| nested(item, sink, args.exact))?;
    sink.end_array()
}

fn flush(out: &mut dyn Write) -> Result<()> {
    out.flush().map_err(Failure::output)
}

/// Dicts as objects, with their params as `":N"`; lists as arrays.
fn nested(item: &Item, sink: &mut dyn Sink, exact: bool) -> dudley::Result<()> {
    match item.kind() {
        ItemKind::Dict => {
            sink.begin_struct()?;
            // Their paths spell them as the keys do: `/l/0/:N#2`.
            for param in item.params().iter().filter(|param| param.is_stated()) {
                sink.field(split(param.path()).1)?;
                nested(param, sink, exact)?;
            }
            for name in item.names() {
                let Some(child) = item.child(&name) else { continue };
                sink.field(&key(&name))?;
                nested(&child, sink, exact)?;
            }
            sink.end_struct()?;
        }
        ItemKind::List => {
            let length = item.len()?;
            sink.begin_array(length)?;
            for index in 0..length {
                nested(&item.element(index)?, sink, exact)?;
            }
            sink.end_array()?;
        }
        ItemKind::Data if exact => item.data()?.emit(sink, true)?,
        ItemKind::Data => item.data()?.emit_shown(sink)?,
        ItemKind::Param => item.value()?.emit(sink)?,
    }
    Ok(())
}

/// Each item with its value, as it would be got, while the stream is listed.
fn human(
    stream: &Stream,
    below: &Below,
    all: bool,
    out: &mut dyn Write,
    output: &Output,
) -> Result<rows::Errors> {
    // A stream does not have more items than bytes: a damaged count is not followed.
    let elide_above = if all || below.is_slice {
        stream.len().max(rows::REPEATS_FOR_PEOPLE)
    } else {
        rows::REPEATS_FOR_PEOPLE
    };
    let mut errors = rows::Errors::default();
    let mut failed = None;
    let options = WalkOptions::elide_above(elide_above);
    let listed = below.list(stream, options, &mut |resolver, row| {
        let shown = match row {
            Row::Param(row) if below.has(&row.path) => match row.value {
                Ok(value) => {
                    let value = terminal::named_value(stream.layout(), row.doc, value);
                    line(out, &format!("{} : {value}", printable(&row.path)))
                }
                Err(error) => {
                    errors.add(rows::param_error(error, &row.path));
                    Ok(())
                }
            },
            // An item that cannot be placed has no line.
            Row::Item(row) if below.has(&row.path) && row.data.is_err() => {
                row.data.err().into_iter().for_each(|error| errors.add(error));
                Ok(())
            }
            Row::Item(row) if below.has(&row.path) => {
                let name = format!("{} = ", printable(&row.path));
                terminal::show_row(resolver, &row, &name, all, out).and_then(
                    |unread| match unread {
                        Some(failure) => {
                            output.complain(&failure);
                            errors.said(&failure);
                            line(out, &format!("{name}?"))
                        }
                        None => Ok(()),
                    },
                )
            }
            Row::List { path, length: Err(error), .. } if below.has(&path) => {
                errors.add(dudley::Error::from(error).of_item(&path));
                Ok(())
            }
            Row::Elided { path, repetitions, .. } if below.has_left_out(&path) => {
                let path = printable(&path);
                line(out, &format!("{path}/… {repetitions} more repetitions (--all shows them)"))
            }
            _ => Ok(()),
        };
        // A failure to write ends the listing; the error is kept beside it.
        shown.map_err(|failure| {
            failed = Some(failure);
            dudley::Error::Listed { path: "/".into(), why: "stopped".into() }
        })
    });
    match failed {
        Some(failure) => return Err(failure),
        None => listed?,
    }
    Ok(errors)
}

fn line(out: &mut dyn Write, text: &str) -> Result<()> {
    writeln!(out, "{}", text.trim_end()).map_err(Failure::output)
}
