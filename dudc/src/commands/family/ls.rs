//! `dudc family ls`: the members of a catalog, with the values in the catalog.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use dudley::elements::Value;
use dudley::family::{Column, Family, Member, MemberId};
use dudley::{ByteOrder, StreamKind};

use super::{Which, open, say_elided, shown};
use crate::failure::{Failure, Result, printable};
use crate::json::{JsonSink, quoted};
use crate::options::Format;
use crate::terminal::{Table, one_line};

/// Lists the members: file, address, summary
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  dudc family ls runs.bd\n  dudc family ls runs.bd --where \
                        \"time > 1e-9 and file like '*_7.bd'\" --format json")]
pub(crate) struct LsArgs {
    /// A catalog
    catalog: PathBuf,
    #[command(flatten)]
    which: Which,
    /// Shows all members
    #[arg(long)]
    all: bool,
    /// How to print results
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command.
///
/// # Errors
/// If there is no such catalog, or the condition is wrong.
pub(super) fn run(args: &LsArgs) -> Result<()> {
    let family = open(&args.catalog)?;
    let picked = args.which.of(&family)?;
    let mut out = std::io::BufWriter::new(crate::kept::stdout());
    match args.format {
        Format::Human => human(&family, &picked, args.all, &mut out)?,
        Format::Json => json(&family, &picked, &mut out)?,
    }
    out.flush().map_err(Failure::output)
}

fn human(family: &Family, picked: &[MemberId], all: bool, out: &mut dyn Write) -> Result<()> {
    let io = |error| Failure::output(error);
    let (members, files) = (family.len(), family.files());
    let count = if picked.len() as u64 == members {
        members.to_string()
    } else {
        format!("{} of {members}", picked.len())
    };
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    let (s, of_files) = (plural(members), plural(files));
    let identity = family.identity();
    writeln!(out, "{count} member{s} in {files} file{of_files}, layout {identity:016x}")
        .map_err(io)?;
    let unplaced = family.unplaced();
    if !unplaced.is_empty() {
        let why = "the catalog alone cannot say how long these are; members are asked";
        writeln!(out, "{why}: {}", printable(&unplaced.join(", "))).map_err(io)?;
    }
    let columns = family.columns();
    let heads: Vec<String> = columns.iter().map(|column| head(family, column)).collect();
    let mut titles = vec!["member", "file", "address", "kind"];
    titles.extend(heads.iter().map(String::as_str));
    let right: Vec<usize> = (0..titles.len()).filter(|at| !matches!(at, 1 | 3)).collect();
    let shown = shown(picked.len(), all);
    let mut table = Table::new(&titles, &right, out);
    for id in &picked[..shown] {
        let member = family.member(*id)?;
        let mut row = vec![
            id.to_string(),
            member.file_name()?,
            member.start().to_string(),
            kind(&member).to_owned(),
        ];
        for column in columns {
            row.push(one_line(&member.value(&column.name)?));
        }
        table.add(row).map_err(io)?;
    }
    table.finish().map_err(io)?;
    say_elided(picked.len(), shown, out)
}

/// The name of a column, with its unit.
fn head(family: &Family, column: &Column) -> String {
    match column.unit(family.layout()) {
        Some(unit) => format!("{} ({unit})", column.name),
        None => column.name.clone(),
    }
}

fn kind(member: &Member<'_>) -> &'static str {
    match (member.is_missing(), member.kind(), member.order()) {
        (true, ..) => "missing",
        (_, StreamKind::Native, ByteOrder::Little) => "native <",
        (_, StreamKind::Native, ByteOrder::Big) => "native >",
        (_, StreamKind::Raw, ByteOrder::Little) => "raw <",
        (_, StreamKind::Raw, ByteOrder::Big) => "raw >",
    }
}

fn json(family: &Family, picked: &[MemberId], out: &mut dyn Write) -> Result<()> {
    let io = |error| Failure::output(error);
    let columns = family.columns().iter().map(|column| {
        serde_json::json!({
            "name": column.name,
            "path": column.path,
            "dtype": column.primitive.name(),
            "shape": column.shape,
            "table": column.table.name(),
            "unit": column.unit(family.layout()),
        })
    });
    let columns: Vec<serde_json::Value> = columns.collect();
    write!(
        out,
        "{{\"version\": 1, \"files\": {}, \"members\": {}, \"identity\": \"{:016x}\", \
         \"unplaced\": {}, \"columns\": {}, \"rows\": [",
        family.files(),
        family.len(),
        family.identity(),
        serde_json::json!(family.unplaced()),
        serde_json::json!(columns),
    )
    .map_err(io)?;
    for (at, id) in picked.iter().enumerate() {
        let member = family.member(*id)?;
        let native = member.kind() == StreamKind::Native;
        let comma = if at == 0 { "" } else { "," };
        write!(
            out,
            "{comma}\n{{\"member\": {id}, \"file\": {}, \"address\": {}, \"bytes\": {}, \
             \"kind\": \"{}\", \"order\": \"{}\", \"missing\": {}, \"values\": ",
            quoted(&member.file_name()?),
            member.start(),
            member.bytes(),
            if native { "native" } else { "raw" },
            member.order().symbol(),
            member.is_missing(),
        )
        .map_err(io)?;
        let mut values = Vec::new();
        for column in family.columns() {
            values.push((column.name.clone(), member.value(&column.name)?));
        }
        Value::Struct(values).emit(&mut JsonSink::new(out))?;
        write!(out, "}}").map_err(io)?;
    }
    writeln!(out, "]}}").map_err(io)
}
