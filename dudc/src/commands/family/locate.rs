//! `dudc family locate`: where something lies in members, from the catalog alone.

use dudley::error::file_name;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use dudley::family::{Family, Located, MemberId};

use super::{Which, open, say_elided, shown};
use crate::failure::{Failure, Result};
use crate::json::Safe;
use crate::options::Format;
use crate::terminal::Table;
use crate::terminal::cells::dims;

/// Says where something lies in members, without opening them
///
/// A file that changed since the catalog was made is an error; one that is not there is none.
///
/// Where elements do not lie side by side, `strides` says how many bytes are from one index to the next, and
/// `from` and `to` where all of them lie.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  dudc family locate runs.bd '/rho[0, :]' 7\n  dudc family \
                        locate runs.bd /rho --where 'time > 1e-9' --format json")]
pub(crate) struct LocateArgs {
    /// A catalog
    catalog: PathBuf,
    /// The path of an item, with a slice as numpy writes it
    path: String,
    /// The number of a member; by default all, or those of --where
    #[arg(value_name = "MEMBER", conflicts_with_all = ["condition", "members"])]
    member: Option<u64>,
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
/// If there is no such catalog, member or item.
pub(super) fn run(args: &LocateArgs) -> Result<()> {
    let family = open(&args.catalog)?;
    let picked = match args.member {
        Some(member) => vec![MemberId(member)],
        None => args.which.of(&family)?,
    };
    for id in &picked {
        let member = family.member(*id)?;
        let name = file_name(&member.file()?);
        member.check_file().map_err(|error| Failure::of_file(&name, error))?;
    }
    let mut out = std::io::BufWriter::new(crate::kept::stdout());
    match args.format {
        Format::Human => human(&family, args, &picked, &mut out)?,
        Format::Json => json(&family, args, &picked, &mut out)?,
    }
    out.flush().map_err(Failure::output)
}

fn human(
    family: &Family,
    args: &LocateArgs,
    picked: &[MemberId],
    out: &mut dyn Write,
) -> Result<()> {
    let io = |error| Failure::output(error);
    let shown = shown(picked.len(), args.all);
    let mut locator = family.locator(&args.path)?;
    let located = picked[..shown].iter().map(|id| locator.locate(*id));
    let located = located.collect::<dudley::Result<Vec<Located>>>()?;
    // A program that reads this many bytes from the address on must know that the elements lie
    // apart.
    let strided = located.iter().flat_map(|it| &it.spots).any(|spot| !spot.is_contiguous());
    let mut titles = vec!["member", "file", "address", "bytes", "type", "shape"];
    if strided {
        titles.extend(["strides", "from", "to"]);
    }
    let mut table = Table::new(&titles, &[0, 2, 3, 7, 8], out);
    for Located { member, file, dtype, spots, .. } in located {
        for spot in spots {
            let mut row = vec![
                member.to_string(),
                file_name(&file),
                spot.address.to_string(),
                spot.bytes.to_string(),
                dtype.clone(),
                dims(&spot.shape),
            ];
            if strided {
                let span = spot.span();
                row.push(format!("{:?}", spot.strides));
                row.extend([span.start.to_string(), span.end.to_string()]);
            }
            table.add(row).map_err(io)?;
        }
    }
    table.finish().map_err(io)?;
    say_elided(picked.len(), shown, out)
}

fn json(
    family: &Family,
    args: &LocateArgs,
    picked: &[MemberId],
    out: &mut dyn Write,
) -> Result<()> {
    let io = |error| Failure::output(error);
    let mut locator = family.locator(&args.path)?;
    let path = crate::json::quoted(&args.path);
    write!(out, "{{\"version\": 1, \"path\": {path}, \"members\": [").map_err(io)?;
    for (at, id) in picked.iter().enumerate() {
        let Located { file, dtype, shape, spots, .. } = locator.locate(*id)?;
        let places: Vec<serde_json::Value> = spots
            .iter()
            .map(|spot| {
                serde_json::json!({
                    "address": spot.address,
                    "bytes": spot.bytes,
                    "shape": spot.shape,
                    "strides": spot.strides,
                    "span": [spot.span().start, spot.span().end],
                })
            })
            .collect();
        let row = serde_json::json!({
            "member": id.0,
            "file": file.to_string_lossy(),
            "dtype": dtype,
            "shape": shape,
            "places": places,
        });
        let comma = if at == 0 { "" } else { "," };
        write!(out, "{comma}\n{}", Safe(row)).map_err(io)?;
    }
    writeln!(out, "]}}").map_err(io)
}
