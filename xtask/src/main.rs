//! Chores of the repository, run as `cargo xtask <chore>`.

mod bench;
mod fuzz;
mod ranks;
#[cfg(unix)]
mod targets;
mod torture;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <chore>

  grammar                     make the parser from its grammar
  reader                      build what reads streams in the pages of `dudc doc`
  book                        build the pages of docs/ as one site with search, in target/book/site
  install-c --prefix DIR      build the C interface and install it, with headers, the module of Fortran, and what
                              pkg-config and CMake look for
  bench [name…] [--keep]      measure: parse, memory, resolve, scale, family, …; all of them
                              without a name; `mpi`, which takes an MPI, by itself; kept ones go to docs/performance.md
  fuzz [target…] [--runs N]   fuzz: parse, check, open, fmt; go on from earlier runs
  fuzz [target…] --minimise   keep in fuzz/corpus/ what reaches code alone
  torture --cycles N          kill writers that extend streams or update ASDF, N times in memory and N processes
  targets [triple…]           check the crates for other machines, and run tests on a big-endian
                              one, which takes about ten minutes
  targets [triple…] --check   run no tests
  targets … --strict          fail where something had to be skipped";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["grammar"] => xtask::grammar::update(),
        ["reader"] => xtask::reader::update(),
        ["book"] => xtask::book::build(),
        ["install-c", "--prefix", folder] => {
            xtask::install_c::build_and_install(std::path::Path::new(folder))
        }
        ["bench", ref names @ ..] => bench::run(names),
        ["fuzz", ref words @ ..] => fuzz::run(words),
        ["torture", "--cycles", cycles] => torture::run(cycles),
        #[cfg(unix)]
        ["targets", ref words @ ..] => targets::run(words),
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
