//! What a run writes, and how it goes on from that: restart dumps and a history.
//!
//! A file appears when all of it is on disk, so a run that is killed leaves whole files. Files do not
//! grow yet: the history is written anew with each dump, and before it. So however the run ends, the
//! history has all moments up to the newest dump, and maybe some more, which a restart forgets and
//! makes again.

use std::fs;
use std::path::{Path, PathBuf};

use dudley::typed::Create;

use crate::Result;
use crate::state::{Material, State};

dudley::layout!(pub(crate) mod restart = "restart.dud");
dudley::layout!(pub(crate) mod history = "history.dud");

use history::Moment;

const TITLE: &str = "radhydro: blast in a box";

/// Writes the history, then the dump; where the dump is.
pub(crate) fn write(folder: &Path, state: &State, moments: &[Moment]) -> Result<PathBuf> {
    write_history(&folder.join("history.bd"), moments)?;
    let path = folder.join(format!("dump-{:06}.bd", state.step));
    write_state(&path, state)?;
    Ok(path)
}

fn write_state(path: &Path, state: &State) -> dudley::Result<()> {
    let (jmax, imax) = state.rho.dim();
    let ntracer = state.tracers.len();
    let params = restart::Params { jmax, imax, ntracer, radiation: state.erad.is_some() };
    let file = Create::new().overwrite(true).file::<restart::Layout>(path, &params)?;
    file.step().write(state.step)?;
    file.time().write(state.time)?;
    file.dt().write(state.dt)?;
    file.title().set(TITLE)?;
    let material = file.material();
    material.gamma().write(state.material.gamma)?;
    material.cv().write(state.material.cv)?;
    material.kappa().write(state.material.kappa)?;
    material.width().write(state.material.width)?;
    file.rho().write(&state.rho)?;
    file.momentum().write(&state.momentum)?;
    file.energy().write(&state.energy)?;
    if let (Some(item), Some(erad)) = (file.erad()?, &state.erad) {
        item.write(erad)?;
    }
    file.tracers().write_slice(&state.tracers)?;
    file.finish()
}

fn write_history(path: &Path, moments: &[Moment]) -> dudley::Result<()> {
    let params = history::Params { moments: moments.len() };
    let file = Create::new().overwrite(true).file::<history::Layout>(path, &params)?;
    file.title().set(TITLE)?;
    for (item, moment) in file.history().iter()?.zip(moments) {
        item?.set(moment)?;
    }
    file.finish()
}

/// The state of a dump, and the history up to it, from the folder that the dump is in.
pub(crate) fn read(path: &Path) -> Result<(State, Vec<Moment>)> {
    let state = read_state(path)?;
    let mut moments = read_history(&path.with_file_name("history.bd"))?;
    moments.retain(|moment| moment.step <= state.step);
    match moments.last() {
        Some(last) if last.step == state.step => Ok((state, moments)),
        _ => Err(format!("the history ends before step {}", state.step).into()),
    }
}

fn read_state(path: &Path) -> dudley::Result<State> {
    let file = restart::Reader::open(path)?;
    let material = file.material();
    Ok(State {
        step: file.step().read()?,
        time: file.time().read()?,
        dt: file.dt().read()?,
        material: Material {
            gamma: material.gamma().read()?,
            cv: material.cv().read()?,
            kappa: material.kappa().read()?,
            width: material.width().read()?,
        },
        rho: file.rho().read()?,
        momentum: file.momentum().read()?,
        energy: file.energy().read()?,
        erad: file.erad()?.map(|erad| erad.read()).transpose()?,
        tracers: file.tracers().read()?.to_vec(),
    })
}

fn read_history(path: &Path) -> dudley::Result<Vec<Moment>> {
    Ok(history::Reader::open(path)?.history().read()?.to_vec())
}

/// The dump of the latest step in a folder.
pub(crate) fn newest(folder: &Path) -> Result<Option<PathBuf>> {
    let files = fs::read_dir(folder)?.collect::<std::io::Result<Vec<_>>>()?;
    let dumps = files.iter().map(fs::DirEntry::path).filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("dump-") && name.ends_with(".bd")
    });
    Ok(dumps.max())
}
