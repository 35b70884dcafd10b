//! The program of the tutorial: a struct of a code, dumped a few times, and a history that grows.

use dudley::ndarray::{Array1, Array2};
use dudley::{Dudley, Result};

/// A blast wave, as it is dumped now and then.
#[derive(Dudley)]
struct Blast {
    /// time of this dump
    #[dudley(unit = "us")]
    time: f64,
    /// edges of the zones
    #[dudley(unit = "cm", shape = "NR")]
    r: Array1<f64>,
    /// density of the zones
    #[dudley(unit = "g/cc", shape = "NZ-, NR-")]
    rho: Array2<f32>,
}

impl Blast {
    /// What the code would have computed.
    fn at(time: f64) -> Blast {
        let r = Array1::linspace(0.0, 2.0, 5);
        let rho = Array2::from_shape_fn((3, 4), |(z, r)| 1.0 + time as f32 * (z + 4 * r) as f32);
        Blast { time, r, rho }
    }
}

// One record a step. Its layout is written here; the types are made of it.
dudley::layout!(mod history = "STEPS : i8  step = [/ time = f8  mass = f8]*STEPS");

fn main() -> Result<()> {
    history::Writer::create("history.bd", &history::Params { steps: 0 })?.finish()?;
    let mut append = history::Append::open("history.bd")?;
    let mut steps = append.grow(|run| run.step())?;
    for step in 0..3_u8 {
        let blast = Blast::at(0.5 * f64::from(step));
        blast.write_bd(format!("blast{step}.bd"))?;
        let mass = f64::from(blast.rho.sum());
        steps.push_with(|record| {
            record.time().write(blast.time)?;
            record.mass().write(mass)
        })?;
        steps.commit()?; // all of it is there after a crash
    }
    let last = Blast::read_bd("blast2.bd")?;
    println!("the last dump is of {} us, its density at most {}", last.time, last.rho[[2, 3]]);
    Ok(())
}
