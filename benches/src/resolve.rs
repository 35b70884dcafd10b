//! How fast addresses are found.

use std::hint::black_box;

use dudley_parser::layout::ArrayId;
use dudley_parser::resolve::{
    Event, Fault, Flow, Given, ParamAt, Resolver, State, Values, WalkOptions,
};

use crate::report::{Report, Target};
use crate::{Outcome, layouts, timing};

const ITEMS: usize = 1_000_000;

/// Every streamed param is 7.
struct Seven;

impl Values for Seven {
    fn param(&self, _: &ParamAt) -> Result<i128, Fault> {
        Ok(7)
    }

    fn stored(&self, _: ArrayId, _: u64) -> Result<u64, Fault> {
        Ok(7)
    }
}

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let text = layouts::of_items(ITEMS)?;
    let checked = dudley_parser::check(text.as_bytes());
    let layout = checked.layout.ok_or("the layout has errors")?;
    let given = Given::default();
    let seconds = timing::least(|| {
        let mut state = State::new();
        let mut resolver = Resolver::new(&layout, &given, &Seven, &mut state);
        black_box(resolver.data_end()?);
        Ok(())
    })?;
    let what = "addresses of 1,000,000 items";
    report.add(what, seconds * 1e3, "ms", Target::AtMost(100.0))?;

    let seconds = timing::least(|| {
        let mut state = State::new();
        let mut resolver = Resolver::new(&layout, &given, &Seven, &mut state);
        let mut seen = 0;
        resolver.walk(WalkOptions::default(), &mut |_: &mut Resolver<'_>, event: Event<'_>| {
            seen += event.path.len();
            Flow::Continue
        });
        black_box(seen);
        Ok(())
    })?;
    report.add("a walk over them, with their paths", seconds * 1e3, "ms", Target::None)?;

    let text = "N : i8\nl [/ M : i4  x = f8[3]  y = u1]*1000000000\nz = f8";
    let checked = dudley_parser::check(text.as_bytes());
    let layout = checked.layout.ok_or("the layout has errors")?;
    let seconds = timing::least(|| {
        let mut state = State::new();
        let mut resolver = Resolver::new(&layout, &given, &Seven, &mut state);
        black_box(resolver.data_end()?);
        Ok(())
    })?;
    report.add("the end of a list of 1,000,000,000 repeats", seconds * 1e6, "µs", Target::None)
}
