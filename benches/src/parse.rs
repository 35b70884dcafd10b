//! How fast texts become checked layouts.

use std::hint::black_box;

use crate::report::{Report, Target};
use crate::{Outcome, layouts, timing};

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let text = layouts::of_bytes(10_000_000)?;
    let seconds = least(&text)?;
    let speed = text.len() as f64 / 1e6 / seconds;
    report.add("parse and check a layout of 10 MB", speed, "MB/s", Target::AtLeast(40.0))?;
    let seconds = timing::least(|| {
        black_box(dudley_parser::parse::parse(black_box(text.as_bytes())));
        Ok(())
    })?;
    let speed = text.len() as f64 / 1e6 / seconds;
    report.add("the same, only the syntax", speed, "MB/s", Target::None)?;

    let text = layouts::of_lines(10_000)?;
    let what = format!("parse and check a layout of {} lines", text.lines().count());
    report.add(&what, least(&text)? * 1e3, "ms", Target::AtMost(60.0))
}

fn least(text: &str) -> Outcome<f64> {
    timing::least(|| {
        let checked = dudley_parser::check(black_box(text.as_bytes()));
        match checked.layout {
            Some(layout) => drop(black_box(layout)),
            None => return Err(format!("{:?}", checked.diagnostics.first()).into()),
        }
        Ok(())
    })
}
