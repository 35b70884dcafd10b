//! The commands, each in a file of its own: its `Args`, and `run`.

pub(crate) mod append;
pub(crate) mod attach;
pub(crate) mod breaking;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod demo;
pub(crate) mod describe;
pub(crate) mod diff;
pub(crate) mod doc;
pub(crate) mod dump;
pub(crate) mod explain;
pub(crate) mod family;
pub(crate) mod fmt;
pub(crate) mod r#gen;
pub(crate) mod get;
pub(crate) mod index;
pub(crate) mod lint;
pub(crate) mod ls;
pub(crate) mod man;
pub(crate) mod pack;
pub(crate) mod salvage;
pub(crate) mod stat;
pub(crate) mod verify;

use crate::cli::Command;
use crate::failure::{Result, Status};
use crate::output::Output;

/// Does what was asked for.
pub(crate) fn run(command: Command, output: &Output) -> Result {
    let done = match command {
        Command::Check(args) => return check::run(&args, output),
        Command::Explain(args) => return explain::run(&args, output),
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
        Command::Completions(args) => return completions::run(&args, output),
        Command::Man(args) => return man::run(&args, output),
        Command::Describe(args) => output.about(&args.file, |_| describe::run(&args)),
        Command::Dump(args) => output.about(&args.file, |output| dump::run(&args, output)),
        Command::Family(args) => family::run(&args),
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
