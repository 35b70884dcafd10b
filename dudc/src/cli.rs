//! The command line: its commands, the options of all commands, and the dispatch.

use crate::commands::{
    append, attach, breaking, check, checkpoint, completions, convert, demo, describe, diff, doc,
    dump, explain, family, fmt, r#gen, get, import, index, lint, ls, man, pack, refs, salvage,
    stat, verify,
};
use crate::failure::{Failure, Result, Status};
use crate::kept::{is_kept, stderr, stdout};
use crate::options::Color;
use crate::output::Output;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::io::Write;

/// Read, write, check and convert binary files through layouts
#[derive(Debug, Parser)]
#[command(name = "dudc", version, propagate_version = true, after_help = HELP)]
pub(crate) struct Cli {
    /// Uses colours `always`, `never`, or `auto`: on a terminal, unless NO_COLOR is set
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_possible_values = true,
        display_order = 900
    )]
    pub(crate) color: Color,
    /// The command.
    #[command(subcommand)]
    pub(crate) command: Command,
}

const HELP: &str = "\
Exit status:
  0  done
  1  the input has errors or lacks what was asked for (a path, an index, a param), a check found
     something, or `salvage` could not save all
  2  wrong usage, whatever the files hold
  3  could not read or write, or --force is missing to overwrite

Example: dudc check model.dud";

/// The commands. Their long help is the documentation of their arguments; a comment here would hide it.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    #[command(about = "Report errors and warnings of layouts")]
    Check(check::Args),
    #[command(about = "Explain a diagnostic, with a wrong and a right example")]
    Explain(explain::Args),
    #[command(about = "Format layouts; comments are kept")]
    Fmt(fmt::Args),
    #[command(about = "Report what a changed layout breaks")]
    Breaking(breaking::Args),
    #[command(about = "Report legal parts of layouts that could be better")]
    Lint(lint::Args),
    #[command(about = "List items: path, type, shape, address, bytes, unit, documentation")]
    Ls(ls::LsArgs),
    #[command(about = "Get one array, or a slice of it")]
    Get(get::GetArgs),
    #[command(about = "Print a layout that reads a foreign file in place")]
    Describe(describe::Args),
    #[command(about = "Show all values")]
    Dump(dump::DumpArgs),
    #[command(about = "Write a stream from a layout and values")]
    Pack(pack::PackArgs),
    #[command(about = "Show where two streams, or two layouts, differ")]
    Diff(diff::DiffArgs),
    #[command(about = "Show minimum, maximum, mean and standard deviation of each item")]
    Stat(stat::StatArgs),
    #[command(about = "Convert between formats; rewrite a stream in another byte order")]
    Convert(convert::ConvertArgs),
    #[command(about = "Add items, or records of a list, to a native stream, in place")]
    Append(append::AppendArgs),
    #[command(about = "Find and read many streams of one layout through a catalog")]
    Family(family::FamilyArgs),
    #[command(about = "List the checkpoints of a directory, and verify them")]
    Checkpoint(checkpoint::CheckpointArgs),
    #[command(about = "Append a layout to a native stream")]
    Attach(attach::AttachArgs),
    #[command(about = "Print the layout appended to a stream, or remove it")]
    Detach(attach::DetachArgs),
    #[command(about = "Find all errors of files")]
    Verify(verify::VerifyArgs),
    #[command(about = "Make, check or remove the index of an attached layout")]
    Index(index::IndexArgs),
    #[command(about = "Save the newest complete state of a damaged file")]
    Salvage(salvage::SalvageArgs),
    #[command(about = "Write references through which zarr reads the arrays of files in place")]
    Refs(refs::RefsArgs),
    #[command(about = "Make a layout of a struct of a compiled program")]
    Import(import::ImportArgs),
    #[command(about = "Generate code from a layout")]
    Gen(r#gen::Args),
    #[command(about = "Make documentation from layouts: pages, Markdown, maps of the memory")]
    Doc(doc::Args),
    #[command(about = "Write a small layout and a stream of it, and show commands to try")]
    Demo(demo::DemoArgs),
    #[command(about = "Print completions for a shell")]
    Completions(completions::Args),
    #[command(about = "Print the manual page, or write those of all commands into a folder")]
    Man(man::Args),
}

/// The commands by what users do with them, as the help lists them.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Look at files", &["ls", "get", "dump", "stat", "diff", "verify", "describe"]),
    (
        "Write and convert files",
        &["pack", "append", "convert", "attach", "detach", "index", "refs"],
    ),
    ("Many files, and files after a crash", &["family", "checkpoint", "salvage"]),
    ("Layouts", &["check", "explain", "fmt", "lint", "breaking", "import", "gen", "doc"]),
    ("Help", &["demo", "completions", "man", "help"]),
];

/// The command line. Its help groups the commands.
pub(crate) fn command() -> clap::Command {
    let command = Cli::command();
    let mut template = String::from("{about}\n\n{usage-heading} {usage}\n");
    for (group, names) in GROUPS {
        template += &format!("\n{group}:\n");
        for name in names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            // clap adds `help` itself.
            let about = about.map_or("Print the help of a command".to_owned(), ToString::to_string);
            template += &format!("  {name:<11}  {about}\n");
        }
    }
    command.help_template(template + "\nOptions:\n{options}{after-help}")
}

/// The requested command, or what the parser answers without one.
pub(crate) fn parse(words: Vec<std::ffi::OsString>) -> std::result::Result<Cli, clap::Error> {
    let mut command = command();
    let matches = command.try_get_matches_from_mut(words)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Runs the requested command.
pub(crate) fn run(command: Command, output: &Output) -> Result {
    let done = match command {
        Command::Check(args) => return check::run(&args, output),
        Command::Explain(args) => return explain::run(&args, output),
        Command::Checkpoint(args) => return checkpoint::run(&args, output),
        Command::Fmt(args) => return fmt::run(&args, output),
        Command::Lint(args) => return lint::run(&args, output),
        Command::Doc(args) => return doc::run(&args, output),
        Command::Breaking(args) => return breaking::run(&args, output),
        Command::Diff(args) => return diff::run(&args, output),
        Command::Gen(args) => return r#gen::run(&args, output),
        Command::Index(args) => return index::run(&args, output),
        Command::Ls(args) => return ls::run(&args, output),
        Command::Get(args) => return get::run(&args, output),
        Command::Stat(args) => return stat::run(&args, output),
        Command::Verify(args) => return verify::run(&args, output),
        Command::Salvage(args) => {
            return output.about(&args.file, |output| salvage::run(&args, output));
        }
        Command::Completions(args) => return completions::run(&args, Cli::command(), output),
        Command::Man(args) => return man::run(&args, Cli::command(), output),
        Command::Describe(args) => output.about(&args.file, |_| describe::run(&args)),
        Command::Dump(args) => output.about(&args.file, |output| dump::run(&args, output)),
        Command::Family(args) => family::run(&args),
        Command::Refs(args) => refs::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Pack(args) => {
            let given = args.data.as_ref().unwrap_or(&args.layout);
            output.about(given, |output| pack::run(&args, output))
        }
        Command::Convert(args) => output.about(&args.input, |_| convert::run(&args)),
        Command::Append(args) => output.about(&args.file, |output| append::run(&args, output)),
        Command::Attach(args) => output.about(&args.file, |_| attach::attach(&args)),
        Command::Detach(args) => output.about(&args.file, |_| attach::detach(&args)),
        Command::Demo(args) => demo::run(&args, output),
    };
    done.map(|()| Status::Done)
}

/// The answer of the parser without a command: help, the version, or an error.
pub(crate) fn said(said: &clap::Error) -> Result {
    let printed = match (is_kept(), said.use_stderr()) {
        (true, true) => write!(stderr(), "{said}"),
        (true, false) => write!(stdout(), "{said}"),
        (false, _) => said.print(),
    };
    match (printed, said.use_stderr()) {
        (_, true) => Err(Failure::said_usage()),
        (Ok(()), false) => Ok(Status::Done),
        (Err(error), false) => Err(Failure::output(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_hold() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let command = Cli::command();
        let mut there: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
        there.push("help");
        grouped.sort_unstable();
        there.sort_unstable();
        assert_eq!(grouped, there);
    }

    #[test]
    fn every_command_has_an_example() {
        for command in Cli::command().get_subcommands().filter(|c| c.get_name() != "help") {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.contains("dudc "), "{} has no example", command.get_name());
        }
    }
}
