//! `dudc salvage`: the newest complete state of a damaged stream, or the items of a given layout.

use std::path::{Path, PathBuf};

use clap::Args;
use dudley::append::{Salvaged, salvage, salvage_with};
use dudley::bytes::AtomicFile;
use dudley::bytes::SIGNATURE_LEN;
use dudley::bytes::{FileSource, Source};
use dudley::index::Index;
use dudley::model::{Salvaged as Kept, Target};
use dudley::{Error, verify};
use serde_json::{Value, json};

use crate::failure::{Failure, Result, Status, printable};
use crate::filters;
use crate::formats::formats;
use crate::input::{need_another, need_file};
use crate::json::Safe;
use crate::names::name_of;
use crate::nodes;
use crate::options::{Format, FormatArgs};
use crate::output::{Output, warn};
use crate::stream_args::{StreamArgs, read_layout};

/// Finds the newest complete state in a damaged native stream, or what can be read of an ASDF file or Blosc2 frame
///
/// If the address of the layout is wrong, or the end of the file is missing, salvage searches for
/// the layout: a text without errors that describes the bytes before it. If the layout itself is
/// cut off or damaged, pass --layout; salvage then takes what that layout describes, as far as the
/// bytes go. Of an ASDF or FINF file it keeps all readable arrays and blocks, and the tree says why
/// the others are missing. Of a Blosc2 frame it keeps all readable chunks and metalayers, and puts
/// NaN into arrays of floats and zeros elsewhere for the others. If the index of a frame is damaged
/// or cut off, chunks are taken in the order in which they lie. Of a sparse frame without
/// `chunks.b2frame`, and of a chunk without a frame, the bytes are kept, as a frame. FILE is not
/// changed. The exit status is 0 if all of the data is kept, and 1 if some of it is lost or may be
/// wrong; the output is written in both cases.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  dudc salvage run.bd\n  dudc salvage run.bd -o repaired.bd\n  dudc \
                        salvage run.bd --layout run.dud -o repaired.bd"
)]
pub(crate) struct SalvageArgs {
    /// A native stream, an ASDF or FINF file, or a Blosc2 frame
    pub file: PathBuf,
    /// The layout, if the attached one is cut off or damaged
    #[arg(long, value_name = "X.dud")]
    pub layout: Option<PathBuf>,
    /// Writes the saved state as a new stream; without the layout, if some of the data is missing
    #[arg(value_name = "OUT")]
    pub out: Option<PathBuf>,
    /// As OUT
    #[arg(short, long, value_name = "OUT", conflicts_with = "out")]
    pub output: Option<PathBuf>,
    /// Overwrites an existing output
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub format: FormatArgs,
}

/// Runs the command.
///
/// # Errors
/// If there is no such state, or the output cannot be written.
pub(crate) fn run(args: &SalvageArgs, output: &Output) -> Result {
    if !args.file.is_dir() {
        need_file(&args.file, "salvage")?;
    }
    let out = args.out.as_ref().or(args.output.as_ref());
    if let Some(out) = out {
        need_another(out, [&*args.file].into_iter().chain(args.layout.as_deref()))?;
    }
    // With a layout the file is a stream, whatever its first bytes are.
    if args.layout.is_none()
        && let Some(found) = of_format(args, out.map(PathBuf::as_path))?
    {
        found.remarks.iter().for_each(|remark| warn(remark));
        output.print(match args.format.format {
            Format::Human => {
                let lines = found.facts.iter().filter_map(|fact| fact.shown.as_deref());
                printable(&lines.map(|line| format!("{line}\n")).collect::<String>())
            }
            Format::Json => format!("{:#}\n", Safe(nodes::document(&found.facts))),
        })?;
        return Ok(if found.is_partial { Status::Found } else { Status::Done });
    }
    if args.layout.is_none() {
        no_stream(&args.file)?;
    }
    let of_file = |error| Failure::of_file(&name_of(&args.file), error);
    let layout = args.layout.as_deref().map(read_layout).transpose()?;
    let (source, found) = match layout {
        Some(layout) => at_one_moment(&args.file, &|source| salvage_with(source, layout.clone()))
            .map_err(of_file)?,
        None => at_one_moment(&args.file, &|source| salvage(source))
            .map_err(|error| nothing(&args.file, error))?,
    };
    if let Some(path) = out {
        let mut out = AtomicFile::create(path, args.force)?;
        found.write(&source, &mut out)?;
        out.commit()?;
    }
    let left = Left::new(&args.file, &found, source.len());
    let missing = if found.is_whole() { Vec::new() } else { missing(&found, source) };
    output.print(match args.format.format {
        Format::Human => lines(&found, &left, &missing),
        Format::Json => format!("{:#}\n", Safe(json(&found, &left, &missing))),
    })?;
    Ok(if found.is_whole() { Status::Done } else { Status::Found })
}

/// The contents of a file at one moment, even if a writer cuts off its end and writes it anew.
fn at_one_moment(
    file: &Path,
    look: &dyn Fn(&FileSource) -> dudley::Result<Salvaged>,
) -> dudley::Result<(FileSource, Salvaged)> {
    const TRIES: u32 = 100;
    for _ in 1..TRIES {
        let source = FileSource::open(file)?;
        match look(&source) {
            Err(Error::Shortened { .. }) => {}
            found => return Ok((source, found?)),
        }
    }
    let source = FileSource::open(file)?;
    let found = look(&source)?;
    Ok((source, found))
}

/// The parts of a file that its own format can save; `None` for formats that cannot.
fn of_format(args: &SalvageArgs, out: Option<&Path>) -> Result<Option<Kept>> {
    let candidate = StreamArgs::default().candidate(&args.file)?;
    let to = out.map(|path| Target { path, overwrite: args.force });
    let kept = formats().salvage(&candidate, to);
    kept.map_err(|error| Failure::of_file(&name_of(&args.file), error))
}

/// Checks that a file has a format from which something can be salvaged.
fn no_stream(file: &Path) -> Result<()> {
    if crate::input::length(file)? == 0 {
        return Err(Failure::input(format!("{}: the file is empty", name_of(file))));
    }
    Ok(())
}

/// The message that nothing was found, with a remedy.
fn nothing(file: &Path, error: Error) -> Failure {
    let name = name_of(file);
    match error {
        Error::NothingToSalvage { .. } => Failure::input(format!(
            "{name}: {error}; `--layout X.dud` gives one, of which the data is taken as far as it goes"
        )),
        error => Failure::of_file(&name, error),
    }
}

/// The bytes that are neither data nor layout.
struct Left {
    /// The room for more data, before the layout.
    reserve: u64,
    /// The index behind the layout.
    index: u64,
    /// Everything else.
    unused: u64,
}

impl Left {
    fn new(file: &Path, found: &Salvaged, length: u64) -> Left {
        let text = found.text.clone().unwrap_or(found.there..found.there);
        let (mut reserve, mut index) = (0, 0);
        if found.intact {
            reserve = text.start - found.end;
            // One that is damaged is of no use.
            index = Index::of_file(file).ok().flatten().map_or(0, |index| index.bytes());
        }
        let used = found.there + (text.end - text.start) + reserve + index;
        Left { reserve, index, unused: length.saturating_sub(used) }
    }
}

/// The items of which bytes are missing.
fn missing(found: &Salvaged, source: FileSource) -> Vec<verify::Finding> {
    let mut missing = Vec::new();
    let mut add = |finding: verify::Finding| {
        if finding.severity == dudley::Severity::Error {
            missing.push(finding);
        }
    };
    let open = filters::opener().layout(found.layout.clone());
    verify::verify(open, source, &mut add, &mut |_| ());
    missing
}

fn lines(found: &Salvaged, left: &Left, missing: &[verify::Finding]) -> String {
    let how = if found.intact {
        "where the signature says"
    } else {
        "by looking for it: the address in the signature is wrong, or what it leads to"
    };
    let length = found.layout.text().len();
    let mut lines = match &found.text {
        Some(text) => {
            format!("layout   {length} bytes at address {}, found {how}\n", text.start)
        }
        None => format!("layout   {length} bytes, given with --layout\n"),
    };
    let bytes = found.there - SIGNATURE_LEN;
    lines += &format!("data     {bytes} bytes, to address {}\n", found.there);
    if !found.is_whole() {
        lines += &format!(
            "missing  {} bytes or more, to address {}; what is there is read with --layout\n",
            found.end - found.there,
            found.end
        );
    }
    for finding in missing {
        let path = finding.path.as_deref().unwrap_or_default();
        lines += &format!("  {path}  {}\n", finding.message);
    }
    for (what, bytes) in [("reserve", left.reserve), ("index", left.index)] {
        if bytes > 0 {
            lines += &format!("{what:8} {bytes} bytes\n");
        }
    }
    lines + &format!("not used {} bytes\n", left.unused)
}

fn json(found: &Salvaged, left: &Left, missing: &[verify::Finding]) -> Value {
    let address = found.text.as_ref().map(|text| text.start);
    let missing = missing.iter().map(|it| json!({ "path": it.path, "message": it.message }));
    json!({
        "version": 1,
        "intact": found.intact,
        "whole": found.is_whole(),
        "layout": { "address": address, "bytes": found.layout.text().len() },
        "data": { "address": SIGNATURE_LEN, "bytes": found.there - SIGNATURE_LEN },
        "missing": missing.collect::<Vec<_>>(),
        "reserve": left.reserve,
        "index": left.index,
        "unused": left.unused,
    })
}
