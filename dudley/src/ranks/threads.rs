//! Ranks that are threads of this process: to try a parallel program, and to count what its ranks tell each other.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::Communicator;
use crate::error::{Error, Result};

/// Bytes of stack of a thread: there may be many.
const STACK: usize = 512 << 10;

/// What was sent to one rank and not received yet.
#[derive(Default)]
struct Mailbox {
    mail: Mutex<Mail>,
    changed: Condvar,
}

#[derive(Default)]
struct Mail {
    /// By the rank that sent it.
    queues: BTreeMap<usize, VecDeque<Vec<u8>>>,
    /// Whether this rank has ended.
    ended: bool,
}

impl Mailbox {
    fn lock(&self) -> MutexGuard<'_, Mail> {
        self.mail.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A rank that is a thread: see [`threads`].
pub struct Thread<'m> {
    rank: usize,
    boxes: &'m [Mailbox],
    messages: AtomicU64,
    bytes: AtomicU64,
}

impl Thread<'_> {
    /// The number of messages that it has sent so far, and their bytes.
    pub fn sent(&self) -> (u64, u64) {
        (self.messages.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed))
    }

    fn gone(rank: usize) -> Error {
        Error::OfRank {
            rank: Some(rank as u64),
            why: "it has ended, and others wait for it".into(),
        }
    }
}

impl Communicator for Thread<'_> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.boxes.len()
    }

    fn send(&self, to: usize, bytes: &[u8]) -> Result<()> {
        self.messages.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        let mailbox = &self.boxes[to];
        let mut mail = mailbox.lock();
        if mail.ended {
            return Err(Thread::gone(to));
        }
        mail.queues.entry(self.rank).or_default().push_back(bytes.to_vec());
        mailbox.changed.notify_all();
        Ok(())
    }

    fn receive(&self, from: usize) -> Result<Vec<u8>> {
        let mailbox = &self.boxes[self.rank];
        let mut mail = mailbox.lock();
        loop {
            if let Some(bytes) = mail.queues.get_mut(&from).and_then(VecDeque::pop_front) {
                return Ok(bytes);
            }
            drop(mail);
            // What it has sent before it ended is here: looked at once more below.
            let ended = self.boxes[from].lock().ended;
            mail = mailbox.lock();
            let empty = mail.queues.get(&from).is_none_or(VecDeque::is_empty);
            if empty && ended {
                return Err(Thread::gone(from));
            }
            if empty {
                let wait = std::time::Duration::from_millis(20);
                let waited = mailbox.changed.wait_timeout(mail, wait);
                mail = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }
}

impl Drop for Thread<'_> {
    fn drop(&mut self) {
        self.boxes[self.rank].lock().ended = true;
    }
}

/// Runs this many ranks as threads, and returns their results. If a rank ends early, or panics, the others do
/// not wait for it.
///
/// # Panics
/// If a rank panics, or a thread cannot be started.
pub fn threads<T: Send>(ranks: usize, rank: impl Fn(&Thread<'_>) -> T + Sync) -> Vec<T> {
    let boxes: Vec<Mailbox> = (0..ranks).map(|_| Mailbox::default()).collect();
    std::thread::scope(|scope| {
        let started: Vec<_> = (0..ranks)
            .map(|number| {
                let (boxes, run) = (&boxes, &rank);
                let thread = std::thread::Builder::new().stack_size(STACK);
                let body = move || {
                    let comm = Thread {
                        rank: number,
                        boxes,
                        messages: AtomicU64::new(0),
                        bytes: AtomicU64::new(0),
                    };
                    run(&comm)
                };
                thread.spawn_scoped(scope, body).expect("a thread")
            })
            .collect();
        let joined = started.into_iter().map(|thread| thread.join());
        joined.map(|it| it.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    })
}
