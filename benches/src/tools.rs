//! How fast all numbers of an array are counted and compared, next to numpy.

use std::hint::black_box;

use dudley::diff::{Diff, Tolerance};
use dudley::stat::Survey;
use dudley::{Item, Open};

use crate::Outcome;
use crate::decode::SIZE;
use crate::fresh::numpy;
use crate::report::{Report, Target};
use crate::timing::{compare, least, seconds};

/// The numbers 0, 1, … and `more` each.
fn numbers(more: f64) -> Outcome<Item> {
    let numbers = (0..SIZE / 8).flat_map(|at| (at as f64 + more).to_le_bytes());
    let bytes: Vec<u8> = numbers.collect();
    let layout = format!("x = f8[{}]", SIZE / 8);
    let open = Open::new().layout_text(&layout)?.raw().order(dudley::ByteOrder::Little);
    Ok(open.bytes(bytes)?.get("/x")?)
}

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let (one, other) = (numbers(0.0)?, numbers(1e-9)?);
    statistics(report, &one)?;
    differences(report, &one, &other)
}

fn statistics(report: &mut Report, item: &Item) -> Outcome<()> {
    let count = |threads: usize| {
        seconds(|| {
            let mut survey = Survey::new().threads(threads);
            survey.add(item);
            black_box(survey.finish());
            Ok(())
        })
    };
    let mut numpy = numpy(SIZE)?;
    numpy.ask("numbers")?;
    let compared = compare(|| count(1), || numpy.ask("stat"))?;
    let what = "min, max, mean, std, NaN, Inf, zeros of 64 MiB of f8 on one thread, to numpy";
    report.add(what, compared.ratio, "", Target::AtLeast(4.0))?;
    let speed = SIZE as f64 / compared.ours / 1e9;
    report.add("its fastest run", speed, "GB/s", Target::None)?;
    let two = least(|| count(2).map(drop))?;
    report.add("the same on two threads", SIZE as f64 / two / 1e9, "GB/s", Target::None)
}

fn differences(report: &mut Report, one: &Item, other: &Item) -> Outcome<()> {
    let same = numbers(0.0)?;
    let diff = |other: &Item, tolerance: Tolerance| {
        let mut found = 0;
        let time = seconds(|| {
            let diff = Diff::new().threads(1).tolerance(tolerance);
            diff.items(one, other, &mut |_| found += 1);
            Ok(())
        });
        if found == 0 { time } else { Err("they should not differ".into()) }
    };
    let equal = least(|| diff(&same, Tolerance::EXACT).map(drop))?;
    let speed = SIZE as f64 / equal / 1e9;
    report.add("64 MiB of f8 compared with equal ones", speed, "GB/s", Target::None)?;
    let close = Tolerance { rtol: 1e-6, atol: 1e-8, ..Tolerance::EXACT };
    let mut numpy = numpy(SIZE)?;
    numpy.ask("numbers")?;
    let compared = compare(|| diff(other, close), || numpy.ask("close"))?;
    let what = "64 MiB of f8 compared with close ones on one thread, to numpy's `allclose`";
    report.add(what, compared.ratio, "", Target::AtLeast(2.0))?;
    report.add("its fastest run", SIZE as f64 / compared.ours / 1e9, "GB/s", Target::None)
}
