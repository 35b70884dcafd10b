//! The results of one measurement: printed as they come, and a section of the page.

use std::fmt::Write as _;
use std::time::Instant;

use crate::{Outcome, page, timing};

/// Bytes that are copied to tell how fast the machine is at that moment.
const COPY: usize = 64 << 20;

/// How near a ratio has to come to its target: two runs of the same differ by as much.
const NEAR: f64 = 0.05;

/// Rows of results.
pub(crate) struct Report {
    rows: Vec<Row>,
    started: Instant,
}

struct Row {
    what: String,
    found: String,
    /// What we want it to be, and whether it is.
    target: Option<(String, bool)>,
    /// GB/s of a plain copy at that time.
    copy: f64,
}

/// What a result should be.
pub(crate) enum Target {
    AtLeast(f64),
    AtMost(f64),
    None,
}

impl Report {
    pub(crate) fn new() -> Report {
        println!("{:58} {:>16}  {:24} memcpy beside it", "", "measured", "target");
        Report { rows: Vec::new(), started: Instant::now() }
    }

    /// Adds a result in a unit.
    pub(crate) fn add(
        &mut self,
        what: &str,
        value: f64,
        unit: &str,
        target: Target,
    ) -> Outcome<()> {
        let near = if is_ratio(unit) { NEAR } else { 0.0 };
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
        let (sign, wanted, fine) = match target {
            Target::AtLeast(least) => ("≥", least, value >= least - near),
            Target::AtMost(most) => ("≤", most, value <= most + near),
            Target::None => ("", 0.0, true),
        };
        let target = (!sign.is_empty())
            .then(|| (format!("{sign} {}{unit}", (wanted * 1e3).round() / 1e3), fine));
        let found = format!("{value:.digits$}{unit}");
        let row = Row { what: what.to_owned(), found, target, copy: copy()? };
        println!("{:58} {:>16}  {:24} {:.1} GB/s", row.what, row.found, row.verdict(), row.copy);
        self.rows.push(row);
        Ok(())
    }

    /// All results as a section of the page.
    pub(crate) fn section(&self, name: &str, title: &str) -> Outcome<String> {
        let mut section = format!("{}\n\n", page::heading(name, title));
        let seconds = self.started.elapsed().as_secs_f64();
        writeln!(section, "Measured on {}, in {seconds:.0} s.\n", machine())?;
        writeln!(section, "| what | measured | target | memcpy beside it |\n|---|---:|---|---:|")?;
        for row in &self.rows {
            let (what, found) = (&row.what, &row.found);
            writeln!(section, "| {what} | {found} | {} | {:.1} GB/s |", row.verdict(), row.copy)?;
        }
        Ok(section)
    }
}

impl Row {
    fn verdict(&self) -> String {
        match &self.target {
            Some((target, true)) => target.clone(),
            Some((target, false)) => format!("{target} **missed**"),
            None => String::new(),
        }
    }
}

/// Whether a result compares two times or sizes, and so has no unit of its own.
fn is_ratio(unit: &str) -> bool {
    unit.is_empty() || unit.starts_with("times") || unit.starts_with("of ")
}

/// GB/s of a plain copy between buffers that were written before.
fn copy() -> Outcome<f64> {
    let source = vec![1_u8; COPY];
    let mut target = vec![2_u8; COPY];
    let seconds = timing::least(|| {
        std::hint::black_box(&mut target).copy_from_slice(std::hint::black_box(&source));
        Ok(())
    })?;
    Ok(COPY as f64 / seconds / 1e9)
}

/// The processor, how many there are, and the system.
fn machine() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find(|line| line.starts_with("model name"));
    let model =
        model.and_then(|line| line.split_once(": ")).map_or("a processor", |(_, name)| name);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{cores} cores of {model}, {} {}", std::env::consts::OS, std::env::consts::ARCH)
}
