//! `dudc family`: many streams of one layout, found through a catalog.

mod build;
mod get;
mod locate;
mod ls;
mod names;

use std::io::Write;
use std::path::Path;

use clap::{Args, Subcommand};
use dudley::family::{Family, MemberId};

use crate::failure::{Failure, Result};
use crate::filters;
use crate::input::need_file;
use crate::names::name_of;

/// Builds a catalog of many streams of one layout; lists, locates and reads members
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  dudc family build runs.bd runs/\n  dudc family ls runs.bd \
                        --where 'time > 1e-9'\n  dudc family get runs.bd '/rho[0, :]' --where \
                        'time > 1e-9 and IMAX = 512' -o rho.npy\n\nConditions compare what the \
                        catalog holds: columns by their names (`family ls` shows them), `member`, \
                        `file`, `start`,\n`native`, `big`, `missing`; with = != < <= > >=, and, \
                        or, not, in (…), like 'a*.bd', + - * /.")]
pub(crate) struct FamilyArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a catalog of files
    Build(build::BuildArgs),
    /// Read files that are new or changed since the catalog was made
    Update(build::UpdateArgs),
    /// List the members: file, address, summary
    Ls(ls::LsArgs),
    /// Locate an item in members without opening them
    Locate(locate::LocateArgs),
    /// Get an item of members, stacked into one array
    Get(get::GetArgs),
}

/// Runs the command.
///
/// # Errors
/// If the requested command fails.
pub(crate) fn run(args: &FamilyArgs) -> Result<()> {
    match &args.command {
        Command::Build(args) => build::build(args),
        Command::Update(args) => build::update(args),
        Command::Ls(args) => ls::run(args),
        Command::Locate(args) => locate::run(args),
        Command::Get(args) => get::run(args),
    }
}

/// The selected members.
#[derive(Args, Clone, Debug, Default)]
struct Which {
    /// Only members that satisfy a condition, such as 'time > 1e-9 and IMAX in (256, 512)'
    #[arg(long = "where", value_name = "CONDITION", allow_hyphen_values = true)]
    condition: Option<String>,
    /// Only members with these numbers
    #[arg(long = "member", value_name = "N")]
    members: Vec<u64>,
}

impl Which {
    fn of(&self, family: &Family) -> Result<Vec<MemberId>> {
        for (at, member) in self.members.iter().enumerate() {
            if self.members[..at].contains(member) {
                return Err(Failure::usage(format!("--member {member} is given twice")));
            }
        }
        let mut picked = match &self.condition {
            Some(condition) => family.select(condition)?,
            None if !self.members.is_empty() => {
                let members = self.members.iter().map(|member| MemberId(*member));
                return members.map(|id| Ok(family.member(id).map(|_| id)?)).collect();
            }
            None => family.ids(),
        };
        if !self.members.is_empty() {
            picked.retain(|id| self.members.contains(&id.0));
        }
        Ok(picked)
    }
}

/// Opens a catalog.
fn open(catalog: &Path) -> Result<Family> {
    need_file(catalog, "family")?;
    let family =
        Family::open(catalog).map_err(|error| Failure::of_file(&name_of(catalog), error))?;
    Ok(family.filters(filters::registry()))
}

/// Rows of a table that are shown without `--all`.
const SHOWN: usize = 40;

/// How many of `count` rows are shown.
fn shown(count: usize, all: bool) -> usize {
    // A line that says that one is left out is no shorter than that one.
    if all || count <= SHOWN + 1 { count } else { SHOWN }
}

fn say_elided(count: usize, shown: usize, out: &mut dyn Write) -> Result<()> {
    match count - shown {
        0 => Ok(()),
        more => writeln!(out, "… {more} more (--all shows them)").map_err(Failure::output),
    }
}
