//! The thread on which requests to stores run.
//!
//! The caller waits for the answer without being part of any runtime, so programs that have one of
//! their own can ask too.

use std::future::Future;
use std::sync::{Mutex, PoisonError, mpsc};

use tokio::runtime::{Builder, Handle};

use crate::error::StoreFault;

/// What a future comes to.
pub(super) fn run<T: Send + 'static>(
    future: impl Future<Output = T> + Send + 'static,
) -> Result<T, StoreFault> {
    let (answer, wait) = mpsc::sync_channel(1);
    let asked = handle().map_err(StoreFault::refused)?.spawn(async move {
        // Who asked waits, so the answer is always taken.
        let _ = answer.send(future.await);
    });
    drop(asked);
    wait.recv().map_err(StoreFault::refused)
}

/// The runtime, whose thread begins with the first request and stays.
fn handle() -> std::io::Result<Handle> {
    static RUNTIME: Mutex<Option<Handle>> = Mutex::new(None);
    let mut known = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(handle) = &*known {
        return Ok(handle.clone());
    }
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    std::thread::Builder::new()
        .name("dudley-store".to_owned())
        .spawn(move || runtime.block_on(std::future::pending::<()>()))?;
    *known = Some(handle.clone());
    Ok(handle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_with_a_runtime_can_ask() {
        let own = Builder::new_current_thread().build().expect("a runtime");
        let answer = own.block_on(async { run(async { 7 }) });
        assert_eq!(answer.expect("an answer"), 7);
        let tasks = (0..4).map(|at| std::thread::spawn(move || run(async move { at })));
        for (at, task) in tasks.collect::<Vec<_>>().into_iter().enumerate() {
            assert_eq!(task.join().expect("no panic").expect("an answer"), at);
        }
    }

    #[test]
    fn a_task_that_is_lost_is_an_error() {
        assert!(run(async { panic!("on purpose") }).is_err());
    }
}
