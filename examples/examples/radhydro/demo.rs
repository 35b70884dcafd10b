//! Does it compute what is known, and go on after it was killed as if nothing had been?

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use dudley::ndarray::{Array2, Axis};

use crate::radiation::{LIGHT, absorbed, spread};
use crate::run::{Options, Run};
use crate::state::{Blast, RADIATION_CONSTANT};
use crate::{Result, dump};

pub(crate) fn demo() -> Result<()> {
    let folder = tempfile::tempdir()?;
    known_diffusion()?;
    known_equilibrium()?;
    known_blast(&folder.path().join("sedov"))?;
    killed(folder.path())
}

fn options(folder: &Path, zones: usize, radiation: bool) -> Options {
    Options {
        folder: folder.to_owned(),
        steps: i64::MAX,
        dump_every: 20,
        restart: None,
        blast: Blast { zones, radiation },
    }
}

fn check(what: &str, found: f64, known: f64, tolerance: f64) -> Result<()> {
    let off = (found / known - 1.0).abs();
    println!("{what}: {found:.6}, known: {known:.6}");
    if off < tolerance { Ok(()) } else { Err(format!("{what}: off by {off:.1e}").into()) }
}

/// The square of the distance from the axis grows by 4 D t on average: of the equations and, before
/// anything has come to a wall, of what solves them.
fn known_diffusion() -> Result<()> {
    let (zones, width, absorption, dt) = (60, 0.01, 500.0, 2e-7);
    let middle = |i: usize| width * (i as f64 + 0.5);
    let square = |j, i| middle(j).powi(2) + middle(i).powi(2);
    let mut erad = Array2::from_shape_fn((zones, zones), |(j, i)| (-square(j, i) / 2e-4).exp());
    let absorption = Array2::from_elem((zones, zones), absorption);
    let mean = |erad: &Array2<f64>| {
        erad.indexed_iter().map(|((j, i), e)| e * square(j, i)).sum::<f64>() / erad.sum()
    };
    let before = mean(&erad);
    for _ in 0..50 {
        spread(&mut erad, &absorption, Axis(0), dt, width);
        spread(&mut erad, &absorption, Axis(1), dt, width);
    }
    let known = 4.0 * (LIGHT / (3.0 * absorption[[0, 0]])) * 50.0 * dt;
    check("spread of radiation (cm2)", mean(&erad) - before, known, 1e-4)
}

/// Left alone, gas and radiation come to one temperature.
fn known_equilibrium() -> Result<()> {
    let (heat, capacity, erad) = (0.5, 0.01, 0.01);
    let gain = absorbed(heat, capacity, erad, 1e9);
    let gas = (heat + gain) / capacity;
    let radiation = ((erad - gain) / RADIATION_CONSTANT).powf(0.25);
    check("equilibrium (eV)", gas, radiation, 1e-6)
}

/// Without radiation, the front of the shock is where L. I. Sedov (1946) says.
fn known_blast(folder: &Path) -> Result<()> {
    let state = Run::all(&options(folder, 64, false), |_| {})?;
    check("front of the blast (cm)", state.shock(), Blast::RADIUS, 0.03)?;
    conserved(folder)
}

fn conserved(folder: &Path) -> Result<()> {
    let moments = dump::moments(folder)?;
    let [Some(first), Some(last)] = [moments.first(), moments.last()] else {
        return Err("no history".into());
    };
    check("mass (g/cm)", last.mass, first.mass, 1e-12)?;
    check("energy (Mbar cm2)", last.gas + last.rad, first.gas + first.rad, 1e-12)
}

/// A run is killed, and another continues from its newest dump. All files of both are those of a run
/// that was not killed.
fn killed(folder: &Path) -> Result<()> {
    let (whole, parts) = (folder.join("whole"), folder.join("parts"));
    Run::all(&options(&whole, 48, true), |_| {})?;
    conserved(&whole)?;

    let arguments = ["--radiation", "--zones", "48", "--dump-every", "20", "--folder"];
    let mut child = Command::new(std::env::current_exe()?)
        .args(arguments)
        .arg(&parts)
        .stdout(Stdio::piped())
        .spawn()?;
    // Two dumps are there; and it is on its way to the next one.
    let lines = child.stdout.take().map(BufReader::new).into_iter().flat_map(BufRead::lines);
    for line in lines.take(2) {
        println!("{}", line?);
    }
    child.kill()?;
    println!("killed: {}", child.wait()?);

    let newest = dump::newest(&parts)?;
    let options = Options { restart: newest, ..options(&parts, 48, true) };
    Run::all(&options, |line| println!("{line}"))?;
    let mut files = 0;
    for file in fs::read_dir(&whole)? {
        let path = file?.path();
        let name = path.file_name().unwrap_or_default();
        if fs::read(&path)? != fs::read(parts.join(name))? {
            return Err(format!("{}: not the same", name.display()).into());
        }
        files += 1;
    }
    println!("{files} files, the same bytes as without a kill");
    Ok(())
}
