//! How fast arrays are read into new memory, next to numpy's `astype`.

use std::hint::black_box;

use dudley::ByteOrder;

use crate::Outcome;
use crate::decode::{SIZE, doubles};
use crate::process::Process;
use crate::report::{Report, Target};
use crate::timing::{compare, seconds};

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let mut numpy = numpy(SIZE)?;
    for (order, symbol, name, target) in [
        (ByteOrder::Big, ">f8", "big-endian", Target::AtLeast(0.9)),
        (ByteOrder::Little, "<f8", "little-endian", Target::None),
    ] {
        let item = doubles(order, SIZE)?;
        numpy.ask(symbol)?;
        let compared = compare(
            || {
                seconds(|| {
                    black_box(item.read::<f64>()?);
                    Ok(())
                })
            },
            || numpy.ask("go"),
        )?;
        let what = format!("64 MiB of {name} f8 into a new array, to numpy");
        report.add(&what, compared.ratio, "", target)?;
        let speed = SIZE as f64 / compared.ours / 1e9;
        report.add("its fastest run", speed, "GB/s", Target::None)?;
    }
    Ok(())
}

/// numpy, which holds this many bytes.
///
/// `go` takes a conversion's time, which is given in seconds; a dtype is what to convert.
pub(crate) fn numpy(size: usize) -> Outcome<Process> {
    Process::start("astype.py", [size.to_string()])
}
