//! The command line of Dudley.

mod bare;
mod commands;
mod diagnostics;
mod export;
mod failure;
mod json;
mod npy;
mod rows;
mod stream_args;
mod supply;
mod terminal;
mod zip;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Checks, lists, reads and writes binary data through Dudley layouts
#[derive(Parser)]
#[command(name = "dudc", version, about, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Ls(commands::ls::LsArgs),
    Get(commands::get::GetArgs),
    Dump(commands::dump::DumpArgs),
    Pack(commands::pack::PackArgs),
    Attach(commands::attach::AttachArgs),
    Detach(commands::attach::DetachArgs),
    Demo(commands::demo::DemoArgs),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match &cli.command {
        Command::Ls(args) => commands::ls::run(args),
        Command::Get(args) => commands::get::run(args),
        Command::Dump(args) => commands::dump::run(args),
        Command::Pack(args) => commands::pack::run(args),
        Command::Attach(args) => commands::attach::attach(args),
        Command::Detach(args) => commands::attach::detach(args),
        Command::Demo(args) => commands::demo::run(args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
