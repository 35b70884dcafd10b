//! `dudc demo`: a small layout and a stream made from it, and commands to try with them.

use std::path::{Path, PathBuf};

use clap::Args;
use dudley::ndarray::Array2;
use dudley::{Writer, parse_layout};

use crate::failure::Result;
use crate::options::Format;
use crate::output::{Existing, Output, write_files};
use crate::stream_args::StreamArgs;

/// The layout of the demonstration.
const LAYOUT: &str = include_str!("../../demo/blast.dud");

/// Nodes of the mesh.
const IMAX: usize = 9;
const JMAX: usize = 7;
/// Records of the history.
const RECORDS: usize = 4;

/// Writes a small layout and a stream of it into DIR, and shows commands to try
#[derive(Args, Debug)]
#[command(after_help = "Example:\n  dudc demo tour")]
pub(crate) struct DemoArgs {
    /// A new folder, or one without the demonstration's files
    pub dir: PathBuf,
    /// Overwrites existing files
    #[arg(long)]
    pub force: bool,
}

/// Runs the command.
///
/// # Errors
/// If the folder cannot be written to, or holds such files already.
pub(crate) fn run(args: &DemoArgs, output: &Output) -> Result<()> {
    let dir = &args.dir;
    let (dud, bd) = (dir.join("blast.dud"), dir.join("blast.bd"));
    let existing = if args.force { Existing::Replace } else { Existing::Keep };
    let files = [("blast.dud".to_owned(), LAYOUT.into()), ("blast.bd".to_owned(), stream()?)];
    write_files(dir, &files, existing)?;
    println!("A layout says where everything lies in a stream; {} is one:\n", dud.display());
    for line in LAYOUT.lines() {
        println!("    {line}");
    }
    println!("\n{} is a stream of that layout, with the layout appended.", bd.display());
    show(&bd, &dud, output)
}

/// Runs the next commands to try, and shows them.
fn show(bd: &Path, dud: &Path, output: &Output) -> Result<()> {
    let (bd, dud) = (bd.to_path_buf(), dud.to_path_buf());
    let stream = StreamArgs::default();
    println!("\nWhat is in it, and where:\n\n$ dudc ls {}", bd.display());
    super::ls::run(
        &super::ls::LsArgs {
            digests: false,
            words: vec![bd.clone()],
            stream: stream.clone(),
            all: false,
            format: Format::Human,
        },
        output,
    )?;
    println!(
        "\nA slice, of which only its bytes are read:\n\n$ dudc get {} '/rho[2:4, ::2]'",
        bd.display()
    );
    get(&bd, "/rho[2:4, ::2]", &stream, output)?;
    println!(
        "\nOne variable of all records of the history:\n\n$ dudc get {} '/history[:]/energy'",
        bd.display()
    );
    get(&bd, "/history[:]/energy", &stream, output)?;
    println!("\nThe addresses of another run, from the layout alone:\n");
    let params = [("IMAX", 513), ("JMAX", 257), ("NREC", 1000)];
    let given: Vec<String> =
        params.iter().map(|(name, value)| format!("--param {name}={value}")).collect();
    println!("$ dudc ls {} {}", dud.display(), given.join(" "));
    let params = params.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    super::ls::run(
        &super::ls::LsArgs {
            digests: false,
            words: vec![dud.clone()],
            stream: StreamArgs { params, ..stream },
            all: false,
            format: Format::Human,
        },
        output,
    )?;
    println!(
        "\nTry next:\n  dudc check {dud}\n  dudc dump {bd}\n  dudc get {bd} /rho -o rho.npy\n  \
         dudc dump {bd} --exact > blast.json && dudc pack {dud} -o copy.bd --data blast.json",
        dud = dud.display(),
        bd = bd.display()
    );
    Ok(())
}

fn get(file: &Path, path: &str, stream: &StreamArgs, output: &Output) -> Result<()> {
    let args = super::get::GetArgs {
        fill: Default::default(),
        file: file.to_path_buf(),
        paths: vec![path.to_owned()],
        stream: stream.clone(),
        output: None,
        force: false,
        scaled: false,
        all: false,
        format: Format::Human,
    };
    super::get::run(&args, output).map(|_| ())
}

/// A blast wave at one time, from the formula of its radius.
fn stream() -> Result<Vec<u8>> {
    let layout = parse_layout(LAYOUT.as_bytes())?;
    let radius = |energy: f64, time: f64| (energy * time * time).powf(0.2);
    let time = 1.5;
    let front = radius(4.0, time);
    let node = |j: usize, i: usize| (j as f64 * 0.4, i as f64 * 0.4);
    let r = Array2::from_shape_fn((JMAX, IMAX), |(j, i)| node(j, i).1);
    let z = Array2::from_shape_fn((JMAX, IMAX), |(j, i)| node(j, i).0);
    let rho = Array2::from_shape_fn((JMAX - 1, IMAX - 1), |(j, i)| {
        let (z, r) = (j as f64 * 0.4 + 0.2, i as f64 * 0.4 + 0.2);
        let distance = z.hypot(r) / front;
        if distance < 1.0 { (4.0 * distance.powi(9) * 1000.0).round() / 1000.0 } else { 1.0 }
    });
    let mut writer = Writer::new(layout)
        .attach(true)
        .param("/IMAX", IMAX as i128)
        .param("/JMAX", JMAX as i128)
        .param("/NREC", RECORDS as i128)
        .put("/time", time)
        .put("/title", "Sedov blast wave")
        .put("/r", &r)
        .put("/z", &z)
        .put("/rho", &rho);
    for record in 0..RECORDS {
        let time = 0.5 * (record + 1) as f64;
        writer = writer
            .put(format!("/history/{record}/t"), time)
            .put(format!("/history/{record}/energy"), 4.0 - 0.01 * time)
            .put(format!("/history/{record}/front"), radius(4.0, time) as f32);
    }
    Ok(writer.to_bytes()?)
}
