//! A disk in memory that stops, fills up, writes short, or loses what was not made durable.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard};

use dudley::append::Storage;

/// What a disk writes at once.
const SECTOR: u64 = 512;

/// Small random numbers that are the same on every machine.
#[derive(Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    /// One below a bound.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound.max(1)
    }
}

/// What happens at a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    /// The process ends before it.
    Stop,
    /// A write is done in part, then the process ends.
    Part,
    /// The disk is full; the process continues.
    Full,
}

/// What was done and is not durable.
enum Pending {
    Write(u64, Vec<u8>),
    Length(u64),
}

struct State {
    durable: Vec<u8>,
    now: Vec<u8>,
    pending: Vec<Pending>,
    calls: u64,
    syncs: u64,
    fault: Option<(u64, Fault)>,
    stopped: bool,
    short: Option<Random>,
    /// Bytes that are written at once, at addresses that are multiples of it.
    at_once: u64,
}

/// A disk with one file; clones are the same disk.
#[derive(Clone)]
pub(crate) struct Disk(Arc<Mutex<State>>);

impl Disk {
    pub(crate) fn new(contents: Vec<u8>) -> Disk {
        Disk(Arc::new(Mutex::new(State {
            durable: contents.clone(),
            now: contents,
            pending: Vec::new(),
            calls: 0,
            syncs: 0,
            fault: None,
            stopped: false,
            short: None,
            at_once: 8,
        })))
    }

    /// Writes what is in one sector at once, whatever happens.
    pub(crate) fn sectors(self) -> Disk {
        self.state().at_once = SECTOR;
        self
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no panic in a call")
    }

    /// Lets something happen at a call that changes the file, from 0.
    pub(crate) fn fault(self, call: u64, fault: Fault) -> Disk {
        let at = self.state().calls + call;
        self.state().fault = Some((at, fault));
        self
    }

    /// Writes only some bytes at a time.
    pub(crate) fn short(self, random: Random) -> Disk {
        self.state().short = Some(random);
        self
    }

    /// Calls so far that change the file.
    pub(crate) fn calls(&self) -> u64 {
        self.state().calls
    }

    pub(crate) fn syncs(&self) -> u64 {
        self.state().syncs
    }

    /// What is there for other processes.
    pub(crate) fn contents(&self) -> Vec<u8> {
        self.state().now.clone()
    }

    /// What is there after the power was cut: any of the sectors that were not made durable.
    pub(crate) fn after_power_cut(&self, random: &mut Random) -> Vec<u8> {
        let state = self.state();
        let mut bytes = state.durable.clone();
        // All lost, or the last ones, or any.
        let (kept, all) = match random.below(4) {
            0 => (0, false),
            1 => (random.below(state.pending.len() as u64 + 1), true),
            _ => (state.pending.len() as u64, false),
        };
        for pending in state.pending.iter().take(kept as usize) {
            match pending {
                Pending::Length(len) if all || random.below(2) == 0 => {
                    bytes.resize(*len as usize, 0)
                }
                Pending::Length(_) => {}
                Pending::Write(at, written) => {
                    let mut from = *at;
                    let end = at + written.len() as u64;
                    while from < end {
                        let to = end.min((from / SECTOR + 1) * SECTOR);
                        if all || random.below(2) == 0 {
                            put(
                                &mut bytes,
                                from,
                                &written[(from - at) as usize..(to - at) as usize],
                            );
                        }
                        from = to;
                    }
                }
            }
        }
        bytes
    }
}

fn put(bytes: &mut Vec<u8>, at: u64, written: &[u8]) {
    let end = at as usize + written.len();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[at as usize..end].copy_from_slice(written);
}

impl State {
    /// Counts a call; what is to happen at it.
    fn call(&mut self) -> io::Result<Option<Fault>> {
        if self.stopped {
            return Err(io::Error::other("the process has ended"));
        }
        let fault = self.fault.filter(|(at, _)| *at == self.calls).map(|(_, fault)| fault);
        self.calls += 1;
        match fault {
            Some(Fault::Stop) => {
                self.stopped = true;
                Err(io::Error::other("the process ends"))
            }
            Some(Fault::Full) => Err(io::ErrorKind::StorageFull.into()),
            other => Ok(other),
        }
    }

    /// How many of the bytes of a write are written, if it should be `wished`: of what is written at once there
    /// is no part.
    fn part(&self, address: u64, whole: u64, wished: u64) -> u64 {
        match self.at_once {
            8 if whole > 8 => wished,
            8 => 0,
            at_once => ((address + wished) / at_once * at_once).saturating_sub(address).min(whole),
        }
    }

    fn write(&mut self, address: u64, bytes: &[u8]) {
        put(&mut self.now, address, bytes);
        self.pending.push(Pending::Write(address, bytes.to_vec()));
    }
}

impl Storage for Disk {
    fn len(&self) -> io::Result<u64> {
        Ok(self.state().now.len() as u64)
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> io::Result<usize> {
        let state = self.state();
        let there = state.now.get(address as usize..).unwrap_or_default();
        let length = there.len().min(buf.len());
        buf[..length].copy_from_slice(&there[..length]);
        Ok(length)
    }

    fn write_at(&self, address: u64, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.state();
        if state.call()? == Some(Fault::Part) {
            let part = state.part(address, bytes.len() as u64, bytes.len() as u64 / 2);
            state.write(address, &bytes[..part as usize]);
            state.stopped = true;
            return Err(io::Error::other("the process ends"));
        }
        let whole = bytes.len() as u64;
        let length = state.short.as_mut().map_or(whole, |random| 1 + random.below(whole));
        let length = match state.part(address, whole, length) {
            0 => whole,
            length => length,
        };
        state.write(address, &bytes[..length as usize]);
        Ok(length as usize)
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut state = self.state();
        state.call()?;
        state.now.resize(len as usize, 0);
        state.pending.push(Pending::Length(len));
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        let mut state = self.state();
        state.call()?;
        state.syncs += 1;
        state.durable = state.now.clone();
        state.pending.clear();
        Ok(())
    }
}
