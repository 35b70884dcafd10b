//! A bar on a terminal for what takes long.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// What is done sooner is not worth a bar.
const PATIENCE: Duration = Duration::from_millis(700);

/// Shows how many bytes are written, if that takes a while and somebody is looking.
pub(crate) struct Progress {
    begun: Instant,
    total: Option<u64>,
    bytes: u64,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Of so many bytes, or of an unknown number.
    pub(crate) fn new(total: Option<u64>) -> Progress {
        Progress { begun: Instant::now(), total, bytes: 0, bar: None }
    }

    /// So many more are written.
    pub(crate) fn advance(&mut self, bytes: u64) {
        self.bytes += bytes;
        if self.bar.is_none() && self.begun.elapsed() > PATIENCE {
            self.bar = Some(bar(self.total));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.bytes);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Draws on standard error, and nothing where that is no terminal.
fn bar(total: Option<u64>) -> ProgressBar {
    let target = ProgressDrawTarget::stderr_with_hz(5);
    let form = match total {
        Some(_) => "{bar:40} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
        None => "{spinner} {bytes}, {bytes_per_sec}",
    };
    let bar = ProgressBar::with_draw_target(total, target);
    match ProgressStyle::with_template(form) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
