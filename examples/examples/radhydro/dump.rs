//! What a run writes, and how it continues from that: restart dumps and a history.
//!
//! A dump appears when all of it is on disk, so a run that is killed leaves whole dumps. The history is one
//! file that grows: its moments are committed before each dump. So however the run ends, the history has all
//! moments up to the newest dump, and maybe some more, which a restart cuts off and makes again.

use std::fs;
use std::path::{Path, PathBuf};

use dudley::typed::Create;

use crate::Result;
use crate::state::{Material, State};

dudley::layout!(pub(crate) mod restart = "restart.dud");
dudley::layout!(pub(crate) mod history = "history.dud");

use history::Moment;

const TITLE: &str = "radhydro: blast in a box";

const HISTORY: &str = "history.bd";

/// The file of moments, held by a run from its start to its end.
pub(crate) struct History(history::Append);

impl History {
    /// A new one in a folder, with the moment of the start.
    pub(crate) fn start(folder: &Path, first: &Moment) -> dudley::Result<History> {
        let path = folder.join(HISTORY);
        let params = history::Params { moments: 0 };
        let file = Create::new().overwrite(true).file::<history::Layout>(&path, &params)?;
        file.title().write(TITLE)?;
        file.finish()?;
        let mut history = History(history::Append::open(&path)?);
        history.push(first)?;
        Ok(history)
    }

    /// That beside a dump, or a copy of it in another folder, cut back to the moments up to the step of the dump: one
    /// for each, and one for the start.
    pub(crate) fn go_on(dump: &Path, folder: &Path, step: i64) -> Result<History> {
        let (beside, path) = (dump.with_file_name(HISTORY), folder.join(HISTORY));
        if fs::canonicalize(&beside)? != fs::canonicalize(folder)?.join(HISTORY) {
            fs::copy(beside, &path)?;
        }
        let mut append = history::Append::open(path)?;
        append.truncate(|file| file.history(), step.unsigned_abs() + 1)?;
        Ok(History(append))
    }

    /// Adds a moment. It is kept for [`Self::commit`].
    pub(crate) fn push(&mut self, moment: &Moment) -> dudley::Result<()> {
        self.0.grow(|file| file.history())?.push(moment)
    }

    /// Makes all moments durable that were added.
    pub(crate) fn commit(&mut self) -> dudley::Result<()> {
        self.0.grow(|file| file.history())?.commit()
    }

    /// Ends with a file that has no room for more.
    pub(crate) fn close(self) -> dudley::Result<()> {
        self.0.close()
    }
}

/// Writes a dump into a folder; where it is.
pub(crate) fn write(folder: &Path, state: &State) -> dudley::Result<PathBuf> {
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
    file.title().write(TITLE)?;
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

/// The state of a dump.
pub(crate) fn read(path: &Path) -> dudley::Result<State> {
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

/// The moments of the history in a folder.
pub(crate) fn moments(folder: &Path) -> dudley::Result<Vec<Moment>> {
    Ok(history::Reader::open(folder.join(HISTORY))?.history().read()?.into_raw_vec_and_offset().0)
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
