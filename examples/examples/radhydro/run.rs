//! One run: from a blast or a dump to the end, with dumps on the way.

use std::fs;
use std::path::PathBuf;

use crate::Result;
use crate::dump::{self, History, history::Moment};
use crate::state::{Blast, State};

/// What the command line says.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Where to write.
    pub(crate) folder: PathBuf,
    /// The run ends at this step, if it has not come to the end of time before.
    pub(crate) steps: i64,
    pub(crate) dump_every: i64,
    /// A dump to go on from, instead of the blast.
    pub(crate) restart: Option<PathBuf>,
    pub(crate) blast: Blast,
}

/// A run so far.
pub(crate) struct Run {
    pub(crate) state: State,
    history: History,
}

impl Run {
    fn begin(options: &Options) -> Result<Run> {
        fs::create_dir_all(&options.folder)?;
        let Some(path) = &options.restart else {
            let state = options.blast.start();
            let history = History::start(&options.folder, &moment(&state))?;
            return Ok(Run { state, history });
        };
        let state = dump::read(path)?;
        let history = History::go_on(path, &options.folder, state.step)?;
        Ok(Run { state, history })
    }

    /// Continues until it is done, and says so of each dump; the state at the end.
    pub(crate) fn all(options: &Options, mut say: impl FnMut(String)) -> Result<State> {
        let mut run = Run::begin(options)?;
        while !run.is_done(options) {
            run.step()?;
            if run.state.step % options.dump_every == 0 || run.is_done(options) {
                run.history.commit()?;
                let path = dump::write(&options.folder, &run.state)?;
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                say(format!("step {}, {:.6} us: {name}", run.state.step, run.state.time));
            }
        }
        run.history.close()?;
        Ok(run.state)
    }

    fn is_done(&self, options: &Options) -> bool {
        self.state.step >= options.steps || self.state.time >= Blast::END
    }

    fn step(&mut self) -> Result<()> {
        let state = &mut self.state;
        let dt = state.time_step();
        let left = Blast::END - state.time;
        // Nothing of a step depends on what came before the state: that is what a dump has.
        state.move_tracers(dt.min(left));
        state.move_gas(dt.min(left));
        state.radiate(dt.min(left));
        state.step += 1;
        state.dt = dt;
        state.time = if dt < left { state.time + dt } else { Blast::END };
        self.history.push(&moment(&self.state))?;
        Ok(())
    }
}

fn moment(state: &State) -> Moment {
    let totals = state.totals();
    Moment {
        step: state.step,
        time: state.time,
        mass: totals.mass,
        gas: totals.gas,
        kinetic: totals.kinetic,
        rad: totals.rad,
        shock: state.shock(),
    }
}
