//! How fast arrays are read into new memory, next to numpy's `astype`.

use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use dudley::ByteOrder;
use dudley_tests::python::Python;

use crate::Outcome;
use crate::decode::{SIZE, doubles};
use crate::report::{Report, Target};
use crate::timing::{compare, seconds};

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let mut numpy = Numpy::start(SIZE)?;
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

/// A process with numpy, which waits until it is asked.
pub(crate) struct Numpy {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Numpy {
    /// It holds so many bytes.
    pub(crate) fn start(size: usize) -> Outcome<Numpy> {
        let python = Python::get().ok_or("there is no numpy here to compare with")?;
        let mut command = python.command("astype.py");
        let mut child =
            command.arg(size.to_string()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let to = child.stdin.take().ok_or("no way to ask")?;
        let from = BufReader::new(child.stdout.take().ok_or("no way to hear")?);
        Ok(Numpy { child, to, from })
    }

    /// `go` takes a conversion's time, which is given in seconds; a dtype is what to convert.
    pub(crate) fn ask(&mut self, word: &str) -> Outcome<f64> {
        writeln!(self.to, "{word}")?;
        self.to.flush()?;
        let mut line = String::new();
        self.from.read_line(&mut line)?;
        Ok(line.trim().parse()?)
    }
}

impl Drop for Numpy {
    fn drop(&mut self) {
        // It ends when nobody asks any more; if not, it is ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
