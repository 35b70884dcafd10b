//! `dudc doc`: pages, Markdown and memory maps from layouts.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use dudley::{ByteOrder, Layout};
use dudley_doc::{File, Source};
use dudley_parser::Severity;

use crate::cli::{ForceArgs, Order};
use crate::failure::{Failure, Result, Status};
use crate::input;
use crate::output::{Existing, Output, write_file};
use crate::report::Report;
use crate::stream_args::parse_param;

/// Make documentation from layouts: pages that need no network, in which every address follows the
/// params that one types
#[derive(Debug, clap::Args)]
#[command(after_help = "\
One layout becomes index.html, several a page each and an index; a layout of many items gets several
pages. `--svg` draws the memory of each layout as well.

Examples:
  dudc doc run.dud -o site
  dudc doc run.dud -o site --param IMAX=512 --svg
  dudc doc run.dud --format markdown > run.md")]
pub(crate) struct Args {
    /// The layouts; `-` is standard input
    #[arg(value_name = "LAYOUT", required = true)]
    layouts: Vec<PathBuf>,
    /// The folder to write pages to; of Markdown the file, instead of standard output
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// What to make
    #[arg(long, value_name = "FORMAT", default_value = "html")]
    format: DocFormat,
    /// Draw a map of the memory as well: a file NAME.svg beside each page
    #[arg(long)]
    svg: bool,
    /// Let that map show lengths as logarithms, so that small items are seen beside large ones
    #[arg(long, requires = "svg")]
    log: bool,
    /// The value that a param is shown with first; NAME may be a path (`/grp/N`, `N#2`)
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parse_param)]
    params: Vec<(String, i128)>,
    /// Byte order of what the layouts give none, in programs that read items
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

pub(crate) fn run(args: &Args, output: &Output) -> Result {
    let Some(layouts) = layouts(args, output)? else { return Ok(Status::Found) };
    let sources = sources(args, &layouts)?;
    match (args.format, &args.output) {
        (DocFormat::Html, None) => {
            return Err(Failure::usage("pages are written to a folder: name one with `-o DIR`"));
        }
        (DocFormat::Html, Some(folder)) => {
            let mut files = dudley_doc::site(&sources);
            if args.svg {
                files.extend(dudley_doc::maps(&sources, args.log));
            }
            write_all(folder, &files, args.force.force)?;
        }
        (DocFormat::Markdown, _) if args.svg => {
            return Err(Failure::usage("`--svg` goes with pages, not with `--format markdown`"));
        }
        (DocFormat::Markdown, None) => output.print(dudley_doc::markdown(&sources))?,
        (DocFormat::Markdown, Some(file)) => {
            let text = dudley_doc::markdown(&sources);
            write_file(file, text.as_bytes(), existing(args.force.force))?;
        }
    }
    Ok(Status::Done)
}

/// The layouts with the names of their files; none if one has errors, which are reported.
fn layouts(args: &Args, output: &Output) -> Result<Option<Vec<(String, Layout)>>> {
    let mut report = Report::new(output, crate::cli::ReportFormat::Human);
    let mut layouts = Vec::new();
    let mut fine = true;
    for path in &args.layouts {
        let text = input::read_layout(path)?;
        let checked = match args.raw {
            true => dudley_parser::check_raw(&text.bytes),
            false => dudley_parser::check(&text.bytes),
        };
        let errors: Vec<_> = checked.of(Severity::Error).cloned().collect();
        report.add(&text.name, &checked.text, &errors);
        fine &= errors.is_empty();
        let name = match input::is_stdin(path) {
            true => "layout.dud".to_owned(),
            false => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        };
        layouts.extend(checked.layout.map(|layout| (name, layout)));
    }
    Ok(fine.then_some(layouts))
}

/// The layouts with what the caller says of their streams.
fn sources<'l>(args: &Args, layouts: &'l [(String, Layout)]) -> Result<Vec<Source<'l>>> {
    let mut sources: Vec<Source<'l>> =
        layouts.iter().map(|(name, layout)| Source::new(name, layout)).collect();
    for source in &mut sources {
        source.options.raw = args.raw;
        source.options.order = args.order.map(ByteOrder::from);
    }
    for (name, value) in &args.params {
        let value = i64::try_from(*value).ok().filter(|value| *value >= -1).ok_or_else(|| {
            Failure::usage(format!("`{name}` is {value}: a param is -1 or more, within 63 bits"))
        })?;
        let mut missing = None;
        let mut known = false;
        for source in &mut sources {
            match dudley::path::param(source.layout, name) {
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
fn write_all(folder: &Path, files: &[File], force: bool) -> Result<()> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::io("create", &folder.display().to_string(), &error))?;
    if !force && let Some(file) = files.iter().find(|file| folder.join(&file.name).exists()) {
        return Err(Failure::exists(&folder.join(&file.name)));
    }
    for file in files {
        write_file(&folder.join(&file.name), file.text.as_bytes(), existing(force))?;
    }
    Ok(())
}
