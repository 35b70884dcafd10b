//! `dudc ls`: what there is in a stream or layout.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use dudley::Stream;
use dudley::listing::{
    ItemRow, MemberKind, MemberRow, ParamRow, Picks, Row, list, list_params, list_picked,
};
use dudley::model::Depth;
use dudley::path::{self, Part};
use dudley::select::items;
use dudley::slice::Index;
use dudley_parser::Layout;
use dudley_parser::layout::DocKey;
use dudley_parser::resolve::{Resolver, WalkOptions};

use crate::cli::Format;
use crate::failure::{Failure, Result};
use crate::frame;
use crate::input;
use crate::opened::Input;
use crate::output::Output;
use crate::rows::{self, Errors, REPEATS_FOR_PEOPLE, RowOptions};
use crate::several::Words;
use crate::stream_args::StreamArgs;
use crate::terminal::Table;

/// Lists what there is: path, type, shape, address, bytes, unit, documentation
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  dudc ls run.bd\n  dudc ls *.bd\n  dudc ls run.dud --param IMAX=512 \
                        --param JMAX=256\n  dudc ls dump.bin /grp --layout dump.dud --raw --format json"
)]
pub(crate) struct LsArgs {
    /// Streams, or layouts; then a path, for what is at or below it: of lists it may have slices
    ///
    /// What is the name of a file that is there is one; else it is a path.
    #[arg(required = true, value_name = "FILE|PATH")]
    pub words: Vec<PathBuf>,
    #[command(flatten)]
    pub stream: StreamArgs,
    /// Lists long lists whole
    #[arg(long)]
    pub all: bool,
    /// Of ASDF files, compares the data of the blocks with their digests: all of them are read
    #[arg(long)]
    pub digests: bool,
    /// How it is shown
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
    // In JSON the result says more of the stream than what is asked for.
    if let (Some(path), Format::Human) = (path, args.format)
        && let Some(stream) = opened.excerpt(path)
    {
        let options = RowOptions { all: args.all, ..RowOptions::default() };
        return show(&stream, Some(path), options, args.format, out, output);
    }
    if path.is_none()
        && let Some(frame) = opened.frame()
    {
        let name = opened.name();
        opened.warn(&[] as &[&str], Depth::Headers)?;
        let errors = match args.format {
            Format::Human => frame::list(frame, &name, args.all, out)?,
            Format::Json => frame::list_json(frame, &name, out)?,
        };
        out.flush().map_err(Failure::output)?;
        return report(errors, output);
    }
    match opened.input()? {
        Input::Stream(stream) => {
            let decoded = opened.is_decoded();
            let options = RowOptions { all: args.all, decoded, ..RowOptions::default() };
            show(stream, path, options, args.format, out, output)
        }
        Input::Asdf(file) => {
            let options = crate::asdf::Options {
                path,
                all: args.all,
                digests: args.digests,
                values: false,
                exact: false,
                format: args.format,
            };
            crate::asdf::list(file, &options, out, output)
        }
        Input::Layout(layout) if layout.text().is_empty() => Err(input::empty(file)),
        Input::Layout(layout) => crate::bare::list(args, path, layout, out, output),
    }
}

/// Shows the rows of a stream.
pub(crate) fn show(
    stream: &Stream,
    path: Option<&str>,
    options: RowOptions,
    format: Format,
    out: &mut dyn Write,
    output: &Output,
) -> Result<()> {
    let most = rows::most_picked(options.all, format);
    let below = Below::of(stream, path, most)?;
    let options = RowOptions { all: options.all || below.is_slice, ..options };
    let errors = match format {
        Format::Json => rows::write(stream, options, &below, out)?,
        Format::Human => human(stream, options, &below, out)?,
    };
    out.flush().map_err(Failure::output)?;
    report(errors, output)
}

/// Says what could not be placed or read; the first few.
pub(crate) fn report(errors: Errors, output: &Output) -> Result<()> {
    let unread = errors.unread;
    let (count, shown) = (errors.count, errors.first.len() as u64 + errors.already);
    for error in errors.first {
        output.complain(&error.into());
    }
    if count > shown {
        output.message(&format!("… and {} more\n", count - shown));
    }
    match (count, unread) {
        (0, _) => Ok(()),
        (_, true) => Err(Failure::said_unread()),
        (_, false) => Err(Failure::said()),
    }
}

/// What rows are asked for: those at or below some paths, as rows have them.
pub(crate) struct Below {
    wanted: Wanted,
    /// Some items of lists, which may be among those that are left out of long lists.
    pub(crate) is_slice: bool,
}

enum Wanted {
    All,
    /// What a path with slices picks.
    Picks(Picks),
    /// Some paths: of slices whose dimensions only what is in the lists tells.
    Paths(HashSet<String>),
}

impl Below {
    /// The rows of a path, which may have slices of lists. Of slices that pick more than the first number of
    /// `most`, so many of the start as the second one says, and the last.
    ///
    /// # Errors
    /// If there is no such item.
    pub(crate) fn of(
        stream: &Stream,
        path: Option<&str>,
        most: Option<(u64, u64)>,
    ) -> Result<Below> {
        let Some(path) = path.filter(|path| *path != "/") else {
            return Ok(Below { wanted: Wanted::All, is_slice: false });
        };
        let parts = path::parse(path)?;
        let slices = parts.iter().filter_map(|part| match part {
            Part::Slice(indices) => Some(indices),
            _ => None,
        });
        let slices: Vec<_> = slices.collect();
        let open = slices.iter().any(|indices| indices.contains(&Index::Ellipsis));
        // An item of a list by its number may be one that is left out, too.
        let is_slice = !slices.is_empty() || parts.iter().any(is_number);
        if is_slice && !open {
            return Ok(Below { wanted: Wanted::Picks(Picks::of(stream, path, most)?), is_slice });
        }
        let items = if slices.is_empty() { vec![stream.get(path)?] } else { items(stream, path)? };
        let paths = items.iter().map(|item| path::listed(item.path())).collect();
        Ok(Below { wanted: Wanted::Paths(paths), is_slice })
    }

    /// Whether a row is one of them.
    pub(crate) fn has(&self, path: &str) -> bool {
        let paths = match &self.wanted {
            Wanted::All => return true,
            Wanted::Picks(picks) => return picks.has(path),
            Wanted::Paths(paths) => paths,
        };
        // Whatever is picked, it is the row's path up to one of its separators.
        let ends = path.match_indices(['/', '.', '[']).map(|(at, _)| at).chain([path.len()]);
        ends.into_iter().any(|end| paths.contains(&path[..end]))
    }

    /// Whether a row about what is left out of a list is one of them: also where the slice is of that list.
    pub(crate) fn has_left_out(&self, list: &str) -> bool {
        self.has(list) || matches!(&self.wanted, Wanted::Picks(_))
    }

    /// Lists a stream, without going through what is not asked for where that can be.
    ///
    /// # Errors
    /// What `show` says.
    pub(crate) fn list(
        &self,
        stream: &Stream,
        options: WalkOptions,
        show: &mut dyn FnMut(&mut Resolver<'_>, Row) -> dudley::Result<()>,
    ) -> dudley::Result<()> {
        match &self.wanted {
            Wanted::Picks(picks) => list_picked(stream, picks, options, show),
            _ => list(stream, options, show),
        }
    }

    /// As [`Self::list`], for the sake of params: lists without any are not gone through.
    ///
    /// # Errors
    /// What `show` says.
    pub(crate) fn list_params(
        &self,
        stream: &Stream,
        options: WalkOptions,
        show: &mut dyn FnMut(&mut Resolver<'_>, Row) -> dudley::Result<()>,
    ) -> dudley::Result<()> {
        let picks = match &self.wanted {
            Wanted::Picks(picks) => Some(picks),
            _ => None,
        };
        list_params(stream, picks, options, show)
    }
}

/// Whether a part of a path is the number of an item of a list.
fn is_number(part: &Part) -> bool {
    matches!(part, Part::Name { text, quoted: false } if text.bytes().all(|byte| byte.is_ascii_digit()))
}

pub(crate) fn is_below(path: &str, below: &str) -> bool {
    path.strip_prefix(below)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '.', '[']))
}

fn human(
    stream: &Stream,
    options: RowOptions,
    below: &Below,
    out: &mut dyn Write,
) -> Result<Errors> {
    let mut lines = Lines {
        table: Table::new(&["path", "type", "shape", "address", "bytes", "unit", ""], &[3, 4], out),
        errors: Errors::default(),
        decoded: options.decoded,
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
    lines.table.finish().map_err(Failure::output)?;
    Ok(lines.errors)
}

/// The table of a listing while it is written.
struct Lines<'o> {
    table: Table<'o>,
    errors: Errors,
    /// What is listed has no addresses in the file.
    decoded: bool,
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
            Ok(value) => format!("= {value}"),
            Err(error) => {
                self.errors.add(dudley::Error::from(error).of_item(&row.path));
                "= ?".to_owned()
            }
        };
        let (dtype, address, bytes) = match row.stored {
            Some((dtype, Ok(placed))) => {
                (dtype, placed.address.to_string(), placed.bytes.to_string())
            }
            Some((dtype, Err(_))) => (dtype, "?".to_owned(), String::new()),
            None => ("param".to_owned(), String::new(), String::new()),
        };
        let path = path::of_param(&row.path);
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
            dudley::Dtype::Record(record) => format!("struct of {}", record.size),
            dudley::Dtype::Variable(_) => "struct, varying".to_owned(),
        };
        if let Some(filter) = data.filter() {
            dtype += &format!(" -> {}", filter.name);
        }
        let shape = dims(data.shape());
        let (address, bytes) = (self.address(data.address()), data.bytes().to_string());
        self.table.add(line(layout, row.doc, row.path, [&dtype, &shape, &address, &bytes]))?;
        row.members.iter().try_for_each(|member| self.member(layout, member))
    }

    fn member(&mut self, layout: &Layout, member: &MemberRow) -> std::io::Result<()> {
        let (dtype, shape) = match &member.kind {
            MemberKind::Field { dtype, shape, .. } | MemberKind::Part { dtype, shape, .. } => {
                (dtype.as_str(), dims(shape))
            }
            MemberKind::Param { dtype, value, .. } => {
                (dtype.as_str(), value.map_or(String::new(), |value| format!("= {value}")))
            }
            MemberKind::Instance { .. } => return Ok(()),
        };
        let dtype = if dtype.len() > 24 { "struct" } else { dtype };
        let key = member.doc.unwrap_or(DocKey::SUMMARY);
        let (path, address) = (format!("  {}", member.path), self.address(member.address));
        self.table.add(line(layout, key, path, [dtype, &shape, &address, ""]))
    }
}

/// A line that stands for many: the text goes where documentation does.
pub(crate) fn elided(path: String, text: String) -> Vec<String> {
    let empty = std::iter::repeat_n(String::new(), 5);
    std::iter::once(path).chain(empty).chain([text]).collect()
}

/// Dimensions as they are shown.
pub(crate) fn dims(shape: &[u64]) -> String {
    match shape {
        [] => String::new(),
        shape => {
            format!("[{}]", shape.iter().map(u64::to_string).collect::<Vec<_>>().join(", "))
        }
    }
}

/// A line of the table: what is given, and unit and documentation.
pub(crate) fn line(layout: &Layout, key: DocKey, path: String, cells: [&str; 4]) -> Vec<String> {
    const DOC_SHOWN: usize = 60;
    let mut line = vec![path];
    line.extend(cells.iter().map(|cell| (*cell).to_owned()));
    let unit = layout.unit(key).unwrap_or_default();
    line.push(unit.to_owned());
    let mut doc = layout.doc_without_unit(key).next().unwrap_or_default().trim().to_owned();
    if doc.chars().count() > DOC_SHOWN {
        doc = doc.chars().take(DOC_SHOWN - 1).chain(['…']).collect();
    }
    line.push(doc);
    line
}
