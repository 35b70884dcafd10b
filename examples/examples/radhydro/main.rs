//! A small simulation: gas and radiation in two dimensions, with restart dumps and a history.
//!
//!     radhydro [--folder DIR] [--zones N] [--radiation] [--steps N] [--dump-every N]
//!     radhydro --restart FILE [--folder DIR] [--steps N] [--dump-every N]
//!
//! The first line runs a blast from its start, the second continues from a dump; the folder is that of
//! the dump, if none is given. A run may be killed at any time. Gone on from its newest dump, it
//! writes the same bytes as one that was not. Without arguments, the example shows that in a
//! temporary folder, and compares what it computes with what is known.

mod demo;
mod dump;
mod hydro;
mod radiation;
mod run;
mod state;

use std::path::{Path, PathBuf};

use run::{Options, Run};
use state::Blast;

pub(crate) type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    match options(std::env::args().skip(1))? {
        Some(options) => Run::all(&options, |line| println!("{line}")).map(|_| ()),
        None => demo::demo(),
    }
}

/// What the arguments say; nothing if there are none.
fn options(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>> {
    let mut any = false;
    let mut folder = None;
    let mut options = Options {
        folder: PathBuf::new(),
        steps: i64::MAX,
        dump_every: 50,
        restart: None,
        blast: Blast { zones: 64, radiation: false },
    };
    while let Some(name) = arguments.next() {
        any = true;
        let mut value = || arguments.next().ok_or(format!("{name}: its value is missing"));
        match name.as_str() {
            "--folder" => folder = Some(PathBuf::from(value()?)),
            "--restart" => options.restart = Some(PathBuf::from(value()?)),
            "--steps" => options.steps = value()?.parse()?,
            "--dump-every" => options.dump_every = value()?.parse::<i64>()?.max(1),
            "--zones" => options.blast.zones = value()?.parse::<usize>()?.clamp(8, 1 << 12),
            "--radiation" => options.blast.radiation = true,
            _ => return Err(format!("`{name}`: no such argument").into()),
        }
    }
    let beside = options.restart.as_deref().and_then(Path::parent).map(Path::to_path_buf);
    options.folder = folder.or(beside).filter(|it| it != Path::new("")).unwrap_or(".".into());
    Ok(any.then_some(options))
}
