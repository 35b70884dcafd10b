//! `dudc doc`: pages, Markdown and memory maps from layouts, and from files with one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use dudley::model::Description;
use dudley::read::listing::{Row, list};
use dudley::{ByteOrder, Layout, Stream};
use dudley_doc::{File, Origin, Source};
use dudley_parser::Severity;
use dudley_parser::layout::{ParamId, Scope};
use dudley_parser::resolve::WalkOptions;

use crate::failure::{Failure, Result, Status};
use crate::input::{self, LayoutText, need_another};
use crate::names::name_of;
use crate::options::{ForceArgs, Order};
use crate::output::{Existing, Output, print_text, warn, write_file, write_files};
use crate::report::Report;
use crate::stream_args::{StreamArgs, parse_param};

/// Make documentation from layouts: pages that need no network, in which every address follows the
/// params that the reader types
#[derive(Debug, clap::Args)]
#[command(after_help = "\
One layout becomes index.html; several become a page each and an index. A layout of many items gets
several pages. Drop a stream on a page to see its contents: the page then loads reader.js from the same
folder. Without reader.js the page has everything else. `--svg` also draws the memory of each layout.

The page of a stream shows its attached layout with its params. The page of an ASDF or FINF file or a
Blosc2 frame shows the layout that `dudc describe` prints.

Examples:
  dudc doc run.dud -o site
  dudc doc run.bd -o site
  dudc doc run.dud -o site --param IMAX=512 --svg
  dudc doc run.dud --format markdown > run.md")]
pub(crate) struct Args {
    /// The layouts, or files with one; `-` is standard input
    #[arg(value_name = "LAYOUT", required = true)]
    layouts: Vec<PathBuf>,
    /// The folder to write pages to; for Markdown a file, by default standard output
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// What to make
    #[arg(long, value_name = "FORMAT", default_value = "html")]
    format: DocFormat,
    /// Leaves out reader.js, which lets a page show dropped streams
    #[arg(long)]
    no_reader: bool,
    /// Also draws a map of the memory: a file NAME.svg beside each page
    #[arg(long)]
    svg: bool,
    /// Draws the lengths in the map as logarithms, so that small items are visible beside large
    /// ones
    #[arg(long, requires = "svg")]
    log: bool,
    /// The first value of a param on the page; NAME may be a path (`/grp/N`, `N#2`)
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parse_param)]
    params: Vec<(String, i128)>,
    /// Byte order of items to which the layout gives none, in the programs on the page
    #[arg(long)]
    order: Option<Order>,
    /// The streams have no signature: addresses start at 0
    #[arg(long)]
    raw: bool,
    #[command(flatten)]
    force: ForceArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DocFormat {
    /// Pages for a browser
    Html,
    /// One Markdown text
    Markdown,
}

impl Args {
    /// The files that are read.
    fn read(&self) -> impl Iterator<Item = &Path> {
        self.layouts.iter().map(PathBuf::as_path)
    }
}

pub(crate) fn run(args: &Args, output: &Output) -> Result {
    let Some(layouts) = layouts(args, output)? else { return Ok(Status::Found) };
    let sources = sources(args, &layouts)?;
    match (args.format, &args.output) {
        (DocFormat::Html, None) => {
            return Err(Failure::usage("pages are written to a folder: name one with `-o DIR`"));
        }
        (DocFormat::Html, Some(folder)) => {
            let mut files = dudley_doc::site(&sources);
            if !args.no_reader {
                files.push(dudley_doc::reader());
            }
            if args.svg {
                files.extend(dudley_doc::maps(&sources, args.log));
            }
            write_all(folder, &files, args)?;
        }
        (DocFormat::Markdown, _) if args.svg => {
            return Err(Failure::usage("`--svg` goes with pages, not with `--format markdown`"));
        }
        (DocFormat::Markdown, None) => print_text(dudley_doc::markdown(&sources).as_bytes())?,
        (DocFormat::Markdown, Some(file)) => {
            let text = dudley_doc::markdown(&sources);
            need_another(file, args.read())?;
            write_file(file, text.as_bytes(), existing(args.force.force))?;
        }
    }
    Ok(Status::Done)
}

/// A layout with the known facts about its streams.
struct Documented {
    file: String,
    layout: Layout,
    raw: bool,
    order: Option<ByteOrder>,
    params: HashMap<ParamId, i64>,
    stream: Option<String>,
    origin: Origin,
}

/// The layouts; `None` if one has errors, which are reported.
fn layouts(args: &Args, output: &Output) -> Result<Option<Vec<Documented>>> {
    let mut report = Report::new(output, crate::options::ReportFormat::Human);
    let mut layouts = Vec::new();
    let mut fine = true;
    for path in &args.layouts {
        let (text, mut origin) = match described(path)? {
            Some(found) => found,
            None => (input::read_layout(path)?, Origin::File),
        };
        if text.attached && !crate::names::is_stdin(path) {
            origin = Origin::Attached;
        }
        let raw = args.raw || matches!(origin, Origin::Foreign | Origin::Described);
        let checked = if raw {
            dudley_parser::check_raw(&text.bytes)
        } else {
            dudley_parser::check(&text.bytes)
        };
        let errors: Vec<_> = checked.of(Severity::Error).cloned().collect();
        report.add(&text.name, &checked.text, &errors);
        fine &= errors.is_empty();
        let Some(layout) = checked.layout else { continue };
        let raw = raw || (origin == Origin::File && layout.is_of_raw());
        let (order, params) = if origin == Origin::Attached {
            in_force(path, &layout)?
        } else {
            (None, HashMap::new())
        };
        let order = order.or(args.order.map(ByteOrder::from));
        let named =
            |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (file, stream) = match crate::names::is_stdin(path) {
            true => ("layout.dud".to_owned(), None),
            false if origin != Origin::File => {
                (named(&path.with_extension("dud")), Some(named(path)))
            }
            false => (named(path), None),
        };
        layouts.push(Documented { file, layout, raw, order, params, stream, origin });
    }
    Ok(fine.then_some(layouts))
}

/// The layout of a file of another format; `None` for other files.
fn described(path: &Path) -> Result<Option<(LayoutText, Origin)>> {
    let name = name_of(path);
    if crate::names::is_stdin(path) {
        return Ok(None);
    }
    let args = StreamArgs::default();
    let candidate = args.candidate(path)?;
    if crate::formats::foreign_of(&candidate)?.is_none() {
        return Ok(None);
    }
    let opened = args.opened_as(candidate, path)?;
    let described = opened.dataset().layout().map_err(|error| Failure::of_file(&name, error))?;
    Ok(described.map(|Description { text, same_paths, .. }| {
        let origin = if same_paths { Origin::Foreign } else { Origin::Described };
        (LayoutText { name, bytes: text.into_bytes(), attached: false }, origin)
    }))
}

/// The byte order of a stream, and the params in it that have one value.
fn in_force(path: &Path, layout: &Layout) -> Result<(Option<ByteOrder>, HashMap<ParamId, i64>)> {
    let failed = |error| Failure::of_file(&name_of(path), error);
    let open = StreamArgs::default().listing().open_as(&name_of(path))?.layout(layout.clone());
    let stream: Stream = open.file(path).map_err(failed)?;
    let mut params = HashMap::new();
    list(&stream, WalkOptions::elide_above(0), &mut |_, row| {
        if let Row::Param(row) = row
            && matches!(layout[row.param].scope, Scope::Dict(_))
        {
            match row.value.map(i64::try_from) {
                Ok(Ok(value)) if value >= -1 => drop(params.insert(row.param, value)),
                Err(error) => {
                    warn(&format!("{}: {error}: an example is shown instead", name_of(path)))
                }
                Ok(value) => warn(&format!(
                    "{}: `{}` is {}, and a param is -1 or more: an example is shown instead",
                    name_of(path),
                    row.path,
                    value.map_or_else(|_| "beyond 63 bits".to_owned(), |value| value.to_string()),
                )),
            }
        }
        Ok(())
    })
    .map_err(failed)?;
    Ok((Some(stream.order()), params))
}

/// The layouts with the options of the caller for their streams.
fn sources<'l>(args: &Args, layouts: &'l [Documented]) -> Result<Vec<Source<'l>>> {
    let mut sources = Vec::new();
    for documented in layouts {
        let mut source = Source::new(&documented.file, &documented.layout);
        source.options.raw = documented.raw;
        source.options.order = documented.order;
        source.options.params.clone_from(&documented.params);
        source.options.stream.clone_from(&documented.stream);
        source.options.origin = documented.origin;
        sources.push(source);
    }
    for (name, value) in &args.params {
        let value = i64::try_from(*value).ok().filter(|value| *value >= -1).ok_or_else(|| {
            Failure::usage(format!("`{name}` is {value}: a param is -1 or more, within 63 bits"))
        })?;
        let mut missing = None;
        let mut known = false;
        for source in &mut sources {
            match dudley::read::path::param(source.layout, name) {
                Ok(param) => {
                    source.options.params.insert(param, value);
                    known = true;
                }
                Err(error) => missing = Some(error),
            }
        }
        // One layout that has it is enough.
        if let (false, Some(error)) = (known, missing) {
            return Err(error.into());
        }
    }
    Ok(sources)
}

fn existing(force: bool) -> Existing {
    if force { Existing::Replace } else { Existing::Keep }
}

/// Writes all files, or none where one is there already.
fn write_all(folder: &Path, files: &[File], args: &Args) -> Result<()> {
    for file in files {
        need_another(&folder.join(&file.name), args.read())?;
    }
    let files = files.iter().map(|file| (file.name.clone(), file.text.as_bytes()));
    write_files(folder, &files.collect::<Vec<_>>(), existing(args.force.force))
}
