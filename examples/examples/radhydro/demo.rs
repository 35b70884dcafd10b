//! x
use crate::*;
pub(crate) fn demo() -> Result<()> { 
    for radiation in [false, true] {
        let o = Options { folder: "/tmp/rh".into(), steps: i64::MAX, dump_every: 50, restart: None, blast: Blast { zones: 64, radiation }};
        let run = Run::all(&o, |l| println!("{l}"))?;
        for m in run.moments.iter().step_by(40) { println!("{m:?}"); }
        println!("{:?}", run.moments.last());
        for (j, e) in run.state.rho.row(0).iter().enumerate() { 
        let h = run.state.energy[[0,j]] - run.state.kinetic(0,j);
        println!("{j} {e} {} {} {} {:?}", run.state.rho[[j,0]], run.state.rho[[j,j]], h/ e / 0.1, run.state.erad.as_ref().map(|x| (x[[0, j]]/state::RADIATION_CONSTANT).powf(0.25))); }
        println!("{:?}", run.state.tracers[3]);
    }
    Ok(()) }
