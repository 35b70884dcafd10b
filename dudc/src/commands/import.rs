//! `dudc import`: layouts from descriptions of data that other tools made.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use dudley::error::file_name;

use crate::failure::{Failure, Result};
use crate::import::dwarf;
use crate::import::names;
use crate::import::structs::{self, Storage};
use crate::input::need_another;
use crate::options::ForceArgs;
use crate::output::{Existing, print_text, write_file};

/// What to import.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  dudc import dwarf ./simulation --type particle -o particle.dud
  cc -g -c -fno-eliminate-unused-debug-types -x c particle.h -o particle.o   # a header alone:
  dudc import dwarf particle.o --type particle -o particle.dud               # compile it, import that")]
pub(crate) struct ImportArgs {
    /// From what
    #[command(subcommand)]
    from: From,
}

#[derive(Debug, Subcommand)]
enum From {
    /// The layout of a struct of a compiled program, from its debugging information
    ///
    /// The program may be written in C, C++ or Fortran, and is an ELF file that was compiled with -g: a
    /// program, a shared library, or an object file. The layout describes structs one after the other
    /// to the end of a file, as `fwrite` leaves them. Members that a layout cannot describe (bit
    /// fields, data allocated elsewhere) are named in its documentation, and their bytes are gaps.
    #[command(after_help = "\
Examples:
  dudc import dwarf ./simulation --type particle -o particle.dud
  dudc ls dump.raw --layout particle.dud --raw
  dudc import dwarf ./code --type state --records   # as `write` of Fortran leaves a file
  dudc import dwarf ./code --type state --packed    # the same with access='stream'")]
    Dwarf(DwarfArgs),
    /// Headers are read by compilers alone, and there are programs that look for this
    #[command(hide = true)]
    C {
        /// Whatever is requested
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        rest: Vec<String>,
    },
}

#[derive(Args, Debug)]
struct DwarfArgs {
    /// The program, a shared library, or an object file
    #[arg(value_name = "BINARY")]
    binary: PathBuf,
    /// The name of the struct, class or derived type; `ns::name` if there are several. Without it, they are listed
    #[arg(long = "type", value_name = "NAME")]
    name: Option<String>,
    /// Members follow each other without gaps, as unformatted `write` of Fortran puts them with access='stream'
    #[arg(long)]
    packed: bool,
    /// As --packed, but in records of Fortran: the length of a record stands before and after it
    ///
    /// This is what `write` leaves in a file that is not opened with access='stream'. A record holds one
    /// struct, or an array of them.
    #[arg(long, conflicts_with = "packed")]
    records: bool,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "OUT.dud")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: ForceArgs,
}

pub(crate) fn run(args: &ImportArgs) -> Result<()> {
    let From::Dwarf(args) = &args.from else {
        return Err(Failure::usage(
            "headers are not read: compile the header to an object file, and import that:\n  \
             cc -g -c -fno-eliminate-unused-debug-types -x c NAME.h -o NAME.o\n  \
             dudc import dwarf NAME.o --type STRUCT",
        ));
    };
    let file = file_name(&args.binary);
    let data = std::fs::read(&args.binary).map_err(|error| Failure::io("read", &file, &error))?;
    let wrong = |why: String| Failure::input(format!("{file}: {why}"));
    let types = dwarf::Types::read(&data).map_err(wrong)?;
    let program = args.binary.file_name().unwrap_or_default().to_string_lossy();
    let storage = match (args.records, args.packed) {
        (true, _) => Storage::Records,
        (false, true) => Storage::Packed,
        (false, false) => Storage::InMemory,
    };
    let Some(name) = &args.name else {
        let all = names::names(&types);
        return Err(Failure::usage(format!("{file}: name a struct with --type: {all}")));
    };
    let text = structs::layout(&types, &program, name, storage).map_err(wrong)?;
    match &args.output {
        Some(output) => {
            need_another(output, [&*args.binary])?;
            let existing = if args.force.force { Existing::Replace } else { Existing::Keep };
            write_file(output, text.as_bytes(), existing)?;
        }
        None => print_text(text.as_bytes())?,
    }
    Ok(())
}
