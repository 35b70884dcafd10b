//! Data that are decompressed from the first byte on, straight to where they are read to.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};

use dudley::filter::FilterError;

use super::Stored;
use super::stored::Bytes;

/// Bytes that were passed by and are kept: threads do not read in order.
const KEPT: usize = 16 << 20;
/// Bytes that are passed by at a time.
const STEP: u64 = 1 << 20;

/// The way through the data of a block, once. Who wants what is behind finds that it is gone, and so does
/// who comes after an error.
pub(super) struct Sequence {
    state: Mutex<State>,
}

struct State {
    /// None after an error.
    decoder: Option<Box<dyn Read + Send>>,
    /// How many bytes were decompressed.
    at: u64,
    /// Bytes that were passed by, with their addresses.
    passed: VecDeque<(u64, Vec<u8>)>,
}

impl Sequence {
    /// None if the filter has no such way.
    pub(super) fn of(stored: &Stored) -> Option<Sequence> {
        let decoder = stored.filter.reader(&[], Box::new(Bytes::new(stored.source.clone())))?;
        let state = State { decoder: Some(decoder), at: 0, passed: VecDeque::new() };
        Some(Sequence { state: Mutex::new(state) })
    }

    /// Fills `buf`; false if something of it is behind and gone.
    pub(super) fn read(
        &self,
        stored: &Stored,
        address: u64,
        buf: &mut [u8],
    ) -> dudley::Result<bool> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let mut done = 0;
        while done < buf.len() {
            let at = address + done as u64;
            if at >= state.at && state.decoder.is_none() {
                return Ok(false);
            }
            if at > state.at {
                state.pass(stored, at)?;
            } else if at == state.at {
                state.decode(stored, &mut buf[done..])?;
                done = buf.len();
            } else {
                match state.copy(at, &mut buf[done..]) {
                    0 => return Ok(false),
                    count => done += count,
                }
            }
        }
        Ok(true)
    }
}

impl State {
    /// Decompresses up to an address, and keeps what is passed by.
    fn pass(&mut self, stored: &Stored, to: u64) -> dudley::Result<()> {
        while self.at < to {
            let at = self.at;
            let mut bytes = vec![0; (to - at).min(STEP) as usize];
            self.decode(stored, &mut bytes)?;
            self.passed.push_back((at, bytes));
            while self.passed.len() > KEPT / STEP as usize {
                self.passed.pop_front();
            }
        }
        Ok(())
    }

    /// Copies what of the wanted bytes was passed by and follows each other; how many those are.
    fn copy(&self, at: u64, buf: &mut [u8]) -> usize {
        let found = self.passed.iter().find_map(|(start, bytes)| {
            let skipped = usize::try_from(at.checked_sub(*start)?).ok()?;
            bytes.get(skipped..).filter(|rest| !rest.is_empty())
        });
        let Some(found) = found else { return 0 };
        let count = found.len().min(buf.len());
        buf[..count].copy_from_slice(&found[..count]);
        count
    }

    /// Decompresses the next bytes.
    fn decode(&mut self, stored: &Stored, buf: &mut [u8]) -> dudley::Result<()> {
        let Some(mut decoder) = self.decoder.take() else { return Ok(()) };
        let expected = stored.len;
        let mut done = 0;
        let fail = |at: u64, error: io::Error| {
            let why = match error.kind() {
                io::ErrorKind::UnexpectedEof => FilterError::TooShort { expected, found: at },
                _ => FilterError::Damaged(error),
            };
            stored.error(0, why)
        };
        while done < buf.len() {
            let found = self.at + done as u64;
            match decoder.read(&mut buf[done..]) {
                Ok(0) => return Err(stored.error(0, FilterError::TooShort { expected, found })),
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(fail(found, error)),
            }
        }
        self.at += done as u64;
        if self.at == expected {
            match decoder.read(&mut [0]) {
                Ok(0) => {}
                Ok(_) => return Err(stored.error(0, FilterError::TooLong { expected })),
                Err(error) => match FilterError::of(error) {
                    FilterError::Trailing { count } => stored.found_behind(count),
                    FilterError::Damaged(error) => return Err(fail(expected, error)),
                    why => return Err(stored.error(0, why)),
                },
            }
        }
        self.decoder = Some(decoder);
        Ok(())
    }
}
