//! A progress bar on a terminal for long operations.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use dudley::Work;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::options::JobArgs;

/// A shorter operation needs no bar.
const PATIENCE: Duration = Duration::from_millis(700);

/// Shows the progress in bytes or other units, if the operation takes a while and standard error is
/// a terminal.
pub(crate) struct Progress {
    begun: Instant,
    total: Option<u64>,
    /// The counted unit, if it is not bytes.
    what: Option<&'static str>,
    done: u64,
    /// Whether standard error is a terminal.
    is_shown: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Of this many bytes, or of an unknown number.
    pub(crate) fn new(total: Option<u64>) -> Progress {
        let is_shown = crate::kept::shows_messages();
        Progress { begun: Instant::now(), total, what: None, done: 0, is_shown, bar: None }
    }

    /// Of this many things.
    pub(crate) fn of(what: &'static str, total: u64) -> Progress {
        let mut progress = Progress::new(Some(total));
        progress.what = Some(what);
        progress
    }

    /// This many more are done.
    pub(crate) fn advance(&mut self, more: u64) {
        self.done += more;
        if self.is_shown && self.bar.is_none() && self.begun.elapsed() > PATIENCE {
            self.bar = Some(bar(self.total, self.what));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
        }
    }
}

/// This many threads, and a bar for how many bytes they have done.
pub(crate) fn watched(jobs: JobArgs) -> Work {
    let progress = Mutex::new(Progress::new(None));
    let watch = move |bytes| {
        progress.lock().unwrap_or_else(PoisonError::into_inner).advance(bytes);
        ControlFlow::Continue(())
    };
    Work::new().threads(jobs.threads()).watch(Arc::new(watch))
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Draws on standard error, and nothing where that is no terminal.
fn bar(total: Option<u64>, what: Option<&str>) -> ProgressBar {
    let target = ProgressDrawTarget::stderr_with_hz(5);
    let form = match total {
        _ if what.is_some() => "{bar:40} {pos} of {len} {msg}, {eta} left",
        Some(_) => "{bar:40} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left",
        None => "{spinner} {bytes}, {bytes_per_sec}",
    };
    let bar = ProgressBar::with_draw_target(total, target);
    bar.set_message(what.unwrap_or_default().to_owned());
    match ProgressStyle::with_template(form) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
