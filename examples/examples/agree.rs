//! A run whose restart file and history agree after a crash: `agree STEPS`, in the folder of the run.

use std::path::Path;

use dudley::Result;
use dudley::ndarray::Array1;
use dudley::typed::Create;

dudley::layout!(mod restart = "
    step = i8                ## steps done, and records of the history
    time = f8                ## (us) time of the state
    ZONES : i8  rho = f8[ZONES]  ## (g/cc) density
");
dudley::layout!(mod history = "
    NT : i8                  ## records so far
    history [/ time = f8  mass = f8]*NT
");

struct State {
    step: i64,
    time: f64,
    rho: Array1<f64>,
}

impl State {
    fn read() -> Result<State> {
        let file = restart::Reader::open("restart.bd")?;
        let (step, time) = (file.step().read()?, file.time().read()?);
        Ok(State { step, time, rho: file.rho().read()? })
    }

    /// The new file takes the place of the old one in one step, when it is complete.
    fn dump(&self) -> Result<()> {
        let params = restart::Params { zones: self.rho.len() };
        let file = Create::new().overwrite(true).file::<restart::Layout>("restart.bd", &params)?;
        file.step().write(self.step)?;
        file.time().write(self.time)?;
        file.rho().write(&self.rho)?;
        file.finish()
    }

    fn advance(&mut self) {
        self.step += 1;
        self.time += 0.5;
        self.rho *= 1.5;
    }
}

fn main() -> Result<()> {
    let steps = std::env::args().nth(1).and_then(|it| it.parse().ok()).unwrap_or(6);
    let mut state = State { step: 0, time: 0.0, rho: Array1::ones(4) };
    if Path::new("restart.bd").exists() {
        state = State::read()?;
    } else {
        let params = history::Params { nt: 0 };
        Create::new().overwrite(true).file::<history::Layout>("history.bd", &params)?.finish()?;
    }

    let mut append = history::Append::open("history.bd")?;
    // Records of steps that the restart file does not know are computed again.
    append.truncate(|run| run.history(), state.step.unsigned_abs())?;
    let mut records = append.grow(|run| run.history())?;
    println!("starts after step {}", state.step);
    while state.step < steps {
        state.advance();
        records.push_with(|record| {
            record.time().write(state.time)?;
            record.mass().write(state.rho.sum())
        })?;
        if state.step % 4 == 0 {
            records.commit()?; // first the history,
            state.dump()?; // then the file that counts on it
        }
    }
    records.commit()
}
