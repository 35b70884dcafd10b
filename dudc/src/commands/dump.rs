//! `dudc dump`: the values of everything in a stream.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use dudley::path::split;
use dudley::value::Sink;
use dudley::{Item, ItemKind, Stream};

use crate::cli::Format;
use crate::commands::ls::{below, is_below, report};
use crate::failure::{Failure, Result};
use crate::json::JsonSink;
use crate::output::Output;
use crate::rows::{self, RowOptions};
use crate::stream_args::{Input, StreamArgs};
use crate::supply::nested::key;
use crate::terminal;

/// Shows the values of everything
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  dudc dump run.bd\n  dudc dump run.bd --exact --format json > \
                        run.json\n  dudc dump run.bd --nested"
)]
pub(crate) struct DumpArgs {
    /// A stream
    pub file: PathBuf,
    /// Shows only what is at or below this path
    pub path: Option<String>,
    #[command(flatten)]
    pub stream: StreamArgs,
    /// Values that give the same bytes back, as `{"bits": …}` where the plain form would not
    /// (implies --format json)
    #[arg(long)]
    pub exact: bool,
    /// Dicts and lists as JSON objects and arrays, values only
    #[arg(long)]
    pub nested: bool,
    /// Shows long arrays and lists whole
    #[arg(long)]
    pub all: bool,
    /// How it is shown
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Runs the command.
///
/// # Errors
/// If the stream cannot be opened; if something in it cannot be read, after all the rest is shown.
pub(crate) fn run(args: &DumpArgs, output: &Output) -> Result<()> {
    let stream = match args.stream.input(&args.file)? {
        Input::Asdf(file) => {
            let options = crate::asdf::Options {
                path: args.path.as_deref(),
                all: args.all,
                values: true,
                exact: args.exact,
                format: args.format,
            };
            return crate::asdf::dump(&file, args.nested, &options, output);
        }
        input => args.stream.stream_in(input, &args.file)?,
    };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let below = below(&stream, args.path.as_deref())?;
    if args.nested {
        let item = match &args.path {
            Some(path) => stream.get(path)?,
            None => stream.root(),
        };
        // Written only when all of it could be read: half an object is no JSON.
        let mut text = Vec::new();
        nested(&item, &mut JsonSink::new(&mut text), args.exact)?;
        out.write_all(&text).map_err(Failure::output)?;
        writeln!(out).map_err(Failure::output)?;
        return flush(&mut out);
    }
    let errors = match args.format {
        Format::Human if !args.exact => {
            human(&stream, below.as_deref(), args.all, &mut out, output)?
        }
        _ => {
            let options =
                RowOptions { values: true, exact: args.exact, all: args.all || args.exact };
            let keep = |path: &str| below.as_deref().is_none_or(|below| is_below(path, below));
            rows::write(&stream, options, &keep, &mut out)?
        }
    };
    flush(&mut out)?;
    report(errors, output)
}

fn flush(out: &mut dyn Write) -> Result<()> {
    out.flush().map_err(Failure::output)
}

/// Dicts as objects, with their params as `":N"`; lists as arrays.
fn nested(item: &Item, sink: &mut dyn Sink, exact: bool) -> Result<()> {
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
        ItemKind::Data => item.data()?.emit(sink, exact)?,
        ItemKind::Param => item.value()?.emit(sink)?,
    }
    Ok(())
}

/// Each item with its value, as it would be got.
fn human(
    stream: &Stream,
    below: Option<&str>,
    all: bool,
    out: &mut dyn Write,
    output: &Output,
) -> Result<rows::Errors> {
    use dudley::listing::{Row, list};
    use dudley_parser::resolve::WalkOptions;
    let io = |error| Failure::output(error);
    let elide_above = if all { None } else { Some(rows::REPEATS_FOR_PEOPLE) };
    let mut shown = Vec::new();
    // A list whose length is wrong has no items to show.
    let mut lists = Vec::new();
    let mut errors = rows::Errors::default();
    list(stream, WalkOptions { elide_above }, &mut |_, row| {
        match row {
            Row::Param(row) => shown.push((row.path, Some(row.value.map_err(dudley::Error::from)))),
            Row::Item(row) => shown.push((row.path, None)),
            Row::List { path, length: Err(error), .. } => lists.push((path, error)),
            _ => {}
        }
        Ok(())
    })?;
    let keep = |path: &str| below.is_none_or(|below| is_below(path, below));
    for (path, error) in lists.into_iter().filter(|(path, _)| keep(path)) {
        errors.add(dudley::Error::from(error).of_item(&path));
    }
    for (path, param) in shown {
        if !keep(&path) {
            continue;
        }
        let safe = crate::failure::printable(&path);
        match param {
            Some(Ok(value)) => writeln!(out, "{safe} : {value}").map_err(io)?,
            Some(Err(error)) => errors.add(error.of_item(&path)),
            None => match dudley::select::select(stream, &path) {
                Ok(selected) => {
                    write!(out, "{safe} = ").map_err(io)?;
                    let mut text = Vec::new();
                    match terminal::show(&selected, all, &mut text) {
                        Ok(()) => out.write_all(&text).map_err(io)?,
                        Err(failure) => {
                            writeln!(out, "?").map_err(io)?;
                            output.complain(&failure);
                            errors.said();
                        }
                    }
                }
                Err(error) => errors.add(error.of_item(&path)),
            },
        }
    }
    Ok(errors)
}
