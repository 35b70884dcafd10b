//! One run: from a blast or a dump to the end, with dumps on the way.

use std::fs;
use std::path::PathBuf;

use crate::Result;
use crate::dump::{self, history::Moment};
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
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) state: State,
    pub(crate) moments: Vec<Moment>,
}

impl Run {
    fn start(blast: Blast) -> Run {
        let state = blast.start();
        let moments = vec![moment(&state)];
        Run { state, moments }
    }

    /// Goes on until it is done, and says so of each dump.
    pub(crate) fn all(options: &Options, mut say: impl FnMut(String)) -> Result<Run> {
        fs::create_dir_all(&options.folder)?;
        let mut run = match &options.restart {
            Some(path) => {
                let (state, moments) = dump::read(path)?;
                Run { state, moments }
            }
            None => Run::start(options.blast),
        };
        while !run.is_done(options) {
            run.step();
            if run.state.step % options.dump_every == 0 || run.is_done(options) {
                let path = dump::write(&options.folder, &run.state, &run.moments)?;
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                say(format!("step {}, {:.6} us: {name}", run.state.step, run.state.time));
            }
        }
        Ok(run)
    }

    fn is_done(&self, options: &Options) -> bool {
        self.state.step >= options.steps || self.state.time >= Blast::END
    }

    fn step(&mut self) {
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
        self.moments.push(moment(state));
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
