//! How fast pages are made of a layout of many items.

use std::fmt::Write;
use std::hint::black_box;

use dudley_doc::Source;

use crate::report::{Report, Target};
use crate::{Outcome, timing};

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let mut text = String::from("N : i8  ## zones\nM : 12\n");
    for group in 0..100 {
        writeln!(text, "g{group}/  ## group {group}")?;
        for item in 0..100 {
            let dtype = ["f8", "f4", "i4", "u1"][item % 4];
            writeln!(text, "  v{item} = {dtype}[N, M]  ## (cm) quantity {item} of {group}")?;
        }
        writeln!(text, "/")?;
    }
    let seconds = timing::least(|| {
        let checked = dudley_parser::check(black_box(text.as_bytes()));
        let layout = checked.layout.ok_or("a layout of ours has errors")?;
        drop(black_box(dudley_doc::site(&[Source::new("many.dud", &layout)])));
        Ok(())
    })?;
    report.add("pages of a layout of 10 000 items", seconds * 1e3, "ms", Target::AtMost(1000.0))
}
