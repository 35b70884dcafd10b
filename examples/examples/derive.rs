//! A struct that a simulation has anyway, dumped to a file that describes itself, and read back.

use dudley::ndarray::Array2;
use dudley::{Dudley, Stream};

/// A blast wave, as it is dumped now and then.
#[derive(Debug, PartialEq, Dudley)]
struct Blast {
    /// time of this dump
    #[dudley(unit = "us")]
    time: f64,
    cycle: usize,
    /// density of the zones
    #[dudley(unit = "g/cc", shape = "JMAX-, IMAX-")]
    rho: Array2<f64>,
    /// speed at the corners
    #[dudley(unit = "cm/us", shape = "JMAX, IMAX")]
    u: Array2<f64>,
    tracers: Vec<Tracer>,
    /// Where it was restarted from, if it was.
    parent: Option<String>,
}

/// A particle that goes with the flow.
#[derive(Clone, Debug, PartialEq, Dudley)]
#[dudley(record)]
struct Tracer {
    position: [f64; 2],
    phase: Phase,
}

#[derive(Clone, Debug, PartialEq, Dudley)]
#[repr(u8)]
enum Phase {
    Solid = 1,
    Gas = 2,
}

fn main() -> dudley::Result<()> {
    let blast = Blast {
        time: 1.5,
        cycle: 120,
        rho: Array2::ones((3, 4)),
        u: Array2::zeros((4, 5)),
        tracers: vec![
            Tracer { position: [0.5, 0.5], phase: Phase::Gas },
            Tracer { position: [1.5, 0.5], phase: Phase::Solid },
        ],
        parent: None,
    };
    let path = std::env::temp_dir().join(format!("blast-{}.bd", std::process::id()));
    blast.write_bd(&path)?;

    assert_eq!(Blast::read_bd(&path)?, blast);
    // One field, or one item by its path: nothing else is read.
    assert_eq!(Blast::open_bd(&path)?.tracers()?.len(), 2);
    assert_eq!(Stream::open(&path)?.get("/rho")?.unit(), Some("g/cc"));
    std::fs::remove_file(&path).map_err(|error| dudley::Error::io("cannot remove the dump", error))
}
