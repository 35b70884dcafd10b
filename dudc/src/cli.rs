//! What can be said on the command line.
//!
//! Options that several commands share are structs here; a command flattens those it needs into its
//! own `Args`.

use crate::commands::{check, completions, explain, fmt, lint, man};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Check, format and explore Dudley layouts and the streams they describe
#[derive(Debug, Parser)]
#[command(name = "dudc", version, propagate_version = true, after_help = HELP)]
pub(crate) struct Cli {
    /// When to use colours; `auto` is on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const HELP: &str = "\
Exit status: 0 done, 1 the input has errors or something was found, 2 wrong usage, 3 could not \
read or write.

Example: dudc check model.dud";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Report what is wrong with layouts
    Check(check::Args),
    /// Say the rule behind a diagnostic, with a wrong and a right example
    Explain(explain::Args),
    /// Bring layouts into canonical form; comments are kept
    Fmt(fmt::Args),
    /// Report what is legal in layouts and could be better
    Lint(lint::Args),
    /// Print completions for a shell
    Completions(completions::Args),
    /// Print the manual page, or write those of all commands into a folder
    Man(man::Args),
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Human,
    /// For programs; stable
    Json,
}

/// `--format`.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct FormatArgs {
    /// How to print results
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) format: Format,
}

/// `--force`.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ForceArgs {
    /// Overwrite what exists
    #[arg(long)]
    pub(crate) force: bool,
}

/// How a stream is opened; for the commands that open one.
#[derive(Clone, Debug, Args)]
#[allow(dead_code, reason = "shared by the commands that open streams")]
pub(crate) struct StreamArgs {
    /// The layout of a raw stream, or one to use in place of an attached one
    #[arg(long, value_name = "LAYOUT")]
    pub(crate) layout: Option<PathBuf>,
    /// The value of a param; NAME may be a path such as /grp/N or N#2
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = param)]
    pub(crate) params: Vec<(String, i128)>,
    /// The byte order of a raw stream that does not say its own
    #[arg(long, value_name = "ORDER")]
    pub(crate) order: Option<Order>,
    /// The stream has no signature, whatever it begins with; addresses begin at 0
    #[arg(long)]
    pub(crate) raw: bool,
    /// The stream begins at byte N of the file
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) base: u64,
}

/// A byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(dead_code, reason = "shared by the commands that open streams")]
pub(crate) enum Order {
    /// Least significant byte first
    Little,
    /// Most significant byte first
    Big,
}

/// Reads `NAME=VALUE`.
fn param(text: &str) -> Result<(String, i128), String> {
    let (name, value) = text.rsplit_once('=').ok_or("expected NAME=VALUE")?;
    let value = value.trim().parse().map_err(|_| format!("`{value}` is no integer"))?;
    match name.trim() {
        "" => Err("expected a name before `=`".to_owned()),
        name => Ok((name.to_owned(), value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn definitions_hold() {
        Cli::command().debug_assert();
    }

    #[test]
    fn params() {
        assert_eq!(param("/grp/N#2=-1"), Ok(("/grp/N#2".to_owned(), -1)));
        assert!(param("N").is_err() && param("=3").is_err() && param("N=x").is_err());
    }

    #[test]
    fn every_command_has_an_example() {
        for command in Cli::command().get_subcommands().filter(|c| c.get_name() != "help") {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("dudc "), "{} has no example", command.get_name());
        }
    }
}
