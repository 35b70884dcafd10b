//! `dudc ls`: the items of a stream or layout.

mod bare;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use dudley::Stream;
use dudley::model::{Depth, Fact};
use dudley::read::listing::{ItemRow, MemberKind, MemberRow, ParamRow, Row};
use dudley_parser::Layout;
use dudley_parser::layout::DocKey;
use dudley_parser::resolve::WalkOptions;

use crate::below::Below;
use crate::failure::{Failure, Result};
use crate::nodes;
use crate::opened::Input;
use crate::options::Format;
use crate::output::Output;
use crate::rows::{self, Errors, REPEATS_FOR_PEOPLE, RowOptions, param_error, report};
use crate::several::Words;
use crate::stream_args::StreamArgs;
use crate::terminal::cells::{dims, elided, line};
use crate::terminal::{Table, param_value};

/// Lists what there is: path, type, shape, address, bytes, unit, documentation
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  dudc ls run.bd\n  dudc ls *.bd\n  dudc ls run.dud --param IMAX=512 \
                        --param JMAX=256\n  dudc ls dump.bin /grp --layout dump.dud --raw --format json"
)]
pub(crate) struct LsArgs {
    /// Streams or layouts; then a path, to list only the items at and below it; it may slice lists
    ///
    /// An argument is a file if a file of that name exists, and a path otherwise.
    #[arg(required = true, value_name = "FILE|PATH")]
    pub words: Vec<PathBuf>,
    #[command(flatten)]
    pub stream: StreamArgs,
    /// Lists all items of long lists
    #[arg(long)]
    pub all: bool,
    /// Compares the blocks of ASDF files with their digests, which reads all of them
    #[arg(long)]
    pub digests: bool,
    /// How to print results
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Runs the command.
///
/// # Errors
/// If the only file cannot be opened; if something in it cannot be placed, after all the rest is shown.
pub(crate) fn run(args: &LsArgs, output: &Output) -> Result {
    let words = Words::of(&args.words)?;
    if let [_, second, ..] = words.paths.as_slice() {
        return Err(Failure::usage(format!(
            "`ls` takes one path, and no file `{second}` is there"
        )));
    }
    let path = words.paths.first().map(String::as_str);
    words
        .each_file(args.format, output, &mut |file, out, output| one(args, file, path, out, output))
}

/// Lists a file.
fn one(
    args: &LsArgs,
    file: &Path,
    path: Option<&str>,
    out: &mut dyn Write,
    output: &Output,
) -> Result<()> {
    let opened = args.stream.listing().opened(file)?;
    // In JSON the result has more of the stream than the requested items.
    if let (Some(path), Format::Human) = (path, args.format)
        && let Some(stream) = opened.excerpt(path)
    {
        let options = RowOptions { all: args.all, ..RowOptions::default() };
        return show(&stream, Some(path), options, args.format, &Own::default(), out, output);
    }
    let depth = if args.digests { Depth::Checksums } else { Depth::Headers };
    match opened.input()? {
        Input::Stream(stream) => {
            let decoded = opened.is_decoded();
            let options = RowOptions { all: args.all, decoded, ..RowOptions::default() };
            let mut own = Own::default();
            if path.is_none() {
                nodes::remark(&opened)?;
                let failed = |error| Failure::of_file(&opened.name(), error);
                own.facts = opened.dataset().facts().map_err(failed)?;
                own.tables = opened.dataset().tables(depth).map_err(failed)?;
            }
            show(stream, path, options, args.format, &own, out, output)
        }
        Input::Nodes => {
            let (all, format) = (args.all, args.format);
            let options = nodes::Options { path, all, depth, values: false, exact: false, format };
            nodes::list(&opened, &options, out, output)
        }
        Input::Layout(layout) => bare::list(args, path, layout, out, output),
    }
}

/// Facts about the whole file that only its format knows.
#[derive(Default)]
pub(crate) struct Own {
    facts: Vec<Fact>,
    tables: Vec<dudley::model::Table>,
}

/// Shows the rows of a stream.
pub(crate) fn show(
    stream: &Stream,
    path: Option<&str>,
    options: RowOptions,
    format: Format,
    own: &Own,
    out: &mut dyn Write,
    output: &Output,
) -> Result<()> {
    let most = rows::most_picked(options.all, format);
    let below = Below::of(stream, path, most)?;
    let options = RowOptions { all: options.all || below.is_slice, ..options };
    let errors = match format {
        Format::Json => {
            let more = &mut |errors: &mut Errors, out: &mut dyn Write| {
                nodes::keys(&own.facts, &own.tables, errors, out)
            };
            rows::write(stream, options, &below, more, out)?
        }
        Format::Human => {
            let mut errors = human(stream, options, &below, out, output)?;
            nodes::tables(&own.tables, options.all, &mut errors, out)?;
            errors
        }
    };
    out.flush().map_err(Failure::output)?;
    report(errors, output)
}

fn human(
    stream: &Stream,
    options: RowOptions,
    below: &Below,
    out: &mut dyn Write,
    output: &Output,
) -> Result<Errors> {
    let mut lines = Lines {
        table: Table::new(&["path", "type", "shape", "address", "bytes", "unit", ""], &[3, 4], out),
        errors: Errors::default(),
        decoded: options.decoded,
        end: stream.len(),
        beyond: 0,
    };
    let elide_above = if options.all { None } else { Some(REPEATS_FOR_PEOPLE) };
    below.list(stream, WalkOptions::elide_above(elide_above), &mut |resolver, row| {
        let added = match row {
            Row::Dict { path, .. } if path == "/" || !below.has(&path) => Ok(()),
            Row::List { path, .. } if !below.has(&path) => Ok(()),
            Row::Elided { path, .. } if !below.has_left_out(&path) => Ok(()),
            Row::Param(row) if !below.has(&row.path) => Ok(()),
            Row::Item(row) if !below.has(&row.path) => Ok(()),
            row => lines.add(resolver.layout(), row),
        };
        added.map_err(|error| dudley::Error::io("cannot write the result", error))
    })?;
    if let Err(error) = stream.check_layout_address() {
        lines.errors.add(error);
    }
    let Lines { table, errors, end, beyond, .. } = lines;
    table.finish().map_err(Failure::output)?;
    warn_of_beyond(beyond, end, output);
    Ok(errors)
}

/// Warns of data items that a stream is too short for. Params that cannot be read are errors.
fn warn_of_beyond(beyond: u64, end: u64, output: &Output) {
    let items = match beyond {
        0 => return,
        1 => "1 item lies".to_owned(),
        several => format!("{several} items lie"),
    };
    output.warn(&format!(
        "{items} past the end of the stream, which has {end} bytes: the file is cut off, or the \
         layout is of another file; `dudc verify` names all such items"
    ));
}

/// The table of a listing while it is written.
struct Lines<'o> {
    table: Table<'o>,
    errors: Errors,
    /// The listed items have no addresses in the file.
    decoded: bool,
    /// Where the stream ends.
    end: u64,
    /// The number of listed data items that end behind it.
    beyond: u64,
}

impl Lines<'_> {
    fn add(&mut self, layout: &Layout, row: Row) -> std::io::Result<()> {
        match row {
            Row::Dict { path, dict } => {
                let key = DocKey::of(layout[dict].span);
                self.table.add(line(layout, key, path + "/", ["dict", "", "", ""]))
            }
            Row::List { path, list, length } => {
                let length = match length {
                    Ok(length) => format!("[{length}]"),
                    Err(error) => {
                        self.errors.add(dudley::Error::from(error).of_item(&path));
                        "[?]".to_owned()
                    }
                };
                let key = DocKey::of(layout[list].span);
                self.table.add(line(layout, key, path, ["list", &length, "", ""]))
            }
            Row::Elided { path, repetitions, .. } => {
                let text = format!("… {repetitions} more repetitions (--all shows them)");
                self.table.add(elided(path + "/…", text))
            }
            Row::Param(row) => self.param(layout, row),
            Row::Item(row) => self.item(layout, *row),
        }
    }

    fn address(&self, address: u64) -> String {
        if self.decoded { String::new() } else { address.to_string() }
    }

    fn param(&mut self, layout: &Layout, row: ParamRow) -> std::io::Result<()> {
        let value = match row.value {
            Ok(value) => param_value(layout, row.doc, value),
            Err(error) => {
                self.errors.add(param_error(error, &row.path));
                "= ?".to_owned()
            }
        };
        let (dtype, address, bytes) = match row.stored {
            Some((dtype, Ok(placed))) => {
                (dtype, self.address(placed.address), placed.bytes.to_string())
            }
            Some((dtype, Err(_))) => (dtype, "?".to_owned(), String::new()),
            None => ("param".to_owned(), String::new(), String::new()),
        };
        let path = dudley::read::path::of_param(&row.path);
        self.table.add(line(layout, row.doc, path, [&dtype, &value, &address, &bytes]))
    }

    fn item(&mut self, layout: &Layout, row: ItemRow) -> std::io::Result<()> {
        let data = match row.data {
            Ok(data) => data,
            Err(error) => {
                self.errors.add(error);
                return self.table.add(line(layout, row.doc, row.path, ["?", "", "?", ""]));
            }
        };
        let mut dtype = match data.dtype() {
            dudley::Dtype::Primitive(..) => data.dtype_name(),
            _ if data.vlen().is_some() => data.dtype_name(),
            dudley::Dtype::Record(record) => format!("struct of {}", record.size),
            dudley::Dtype::Variable(_) => "struct, varying".to_owned(),
        };
        if let Some(filter) = data.filter() {
            dtype += &format!(" -> {}", filter.name);
        }
        let shape = dims(data.shape());
        let address = match data.blocks() {
            Some(blocks) => {
                if let Some(cell) = &blocks.cell {
                    dtype += &format!(" in {}", dims(cell));
                }
                dtype +=
                    &blocks.codec.as_ref().map_or(String::new(), |codec| format!(" -> {codec}"));
                String::new()
            }
            None => {
                let end = data.begin().saturating_add(data.bytes());
                self.beyond += u64::from(!self.decoded && data.bytes() > 0 && end > self.end);
                self.address(data.begin())
            }
        };
        let bytes = data.bytes().to_string();
        self.table.add(line(layout, row.doc, row.path, [&dtype, &shape, &address, &bytes]))?;
        row.members.iter().try_for_each(|member| self.member(layout, member))
    }

    fn member(&mut self, layout: &Layout, member: &MemberRow) -> std::io::Result<()> {
        let (dtype, shape) = match &member.kind {
            MemberKind::Field { dtype, shape, .. } | MemberKind::Part { dtype, shape, .. } => {
                (dtype.as_str(), dims(shape))
            }
            MemberKind::Param { dtype, value, .. } => {
                let key = member.doc.unwrap_or(DocKey::SUMMARY);
                (dtype.as_str(), value.map_or(String::new(), |it| param_value(layout, key, it)))
            }
            MemberKind::Instance { .. } => return Ok(()),
        };
        let dtype = if dtype.len() > 24 { "struct" } else { dtype };
        let key = member.doc.unwrap_or(DocKey::SUMMARY);
        let (path, address) = (format!("  {}", member.path), self.address(member.address));
        self.table.add(line(layout, key, path, [dtype, &shape, &address, ""]))
    }
}
