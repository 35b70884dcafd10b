//! Data that are decompressed from the first byte on, straight to where they are read to.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};

use dudley::filter::FilterError;

use super::Stored;
use super::stored::Bytes;

/// Bytes that were skipped and are kept: threads do not read in order.
const KEPT: usize = 16 << 20;
/// Bytes that are skipped at a time.
const STEP: u64 = 1 << 20;

/// The way through the data of a block, once. Who wants what is behind finds that it is gone; who comes after an error
/// has the same, since what is damaged would be so again.
pub(super) struct Sequence {
    state: Mutex<State>,
}

struct State {
    /// Or what went wrong.
    decoder: Result<Box<dyn Read + Send>, FilterError>,
    /// How many bytes were decompressed.
    at: u64,
    /// Bytes that were skipped, with their addresses.
    passed: VecDeque<(u64, Vec<u8>)>,
}

impl Sequence {
    /// `None` if the filter has no such way.
    pub(super) fn of(stored: &Stored) -> Option<Sequence> {
        let decoder = stored.filter.reader(&[], Box::new(Bytes::new(stored.source.clone())))?;
        let state = State { decoder: Ok(decoder), at: 0, passed: VecDeque::new() };
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
            if at > state.at {
                state.pass(stored, at)?;
            } else if at == state.at {
                state.decode(stored, &mut buf[done..])?;
                done = buf.len();
            } else {
                match state.copy(at, &mut buf[done..]) {
                    0 => {
                        return state
                            .decoder
                            .as_ref()
                            .map(|_| false)
                            .map_err(|why| stored.error(0, again(why)));
                    }
                    count => done += count,
                }
            }
        }
        Ok(true)
    }
}

impl State {
    /// Decompresses up to an address, and keeps what is skipped.
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

    /// Copies what of the wanted bytes was skipped and follows each other; how many those are.
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
        let decoder = self.decoder.as_mut().map_err(|why| stored.error(0, again(why)))?;
        let decoded = fill(&mut **decoder, self.at, stored, buf);
        if let Err(why) = decoded {
            let error = stored.error(0, again(&why));
            self.decoder = Err(why);
            return Err(error);
        }
        self.at += buf.len() as u64;
        Ok(())
    }
}

/// Decompresses the bytes from `at` on.
fn fill(
    decoder: &mut dyn Read,
    at: u64,
    stored: &Stored,
    buf: &mut [u8],
) -> Result<(), FilterError> {
    let expected = stored.len;
    let mut done = 0;
    let why = |found: u64, error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => FilterError::TooShort { expected, found },
        _ => FilterError::Damaged(error),
    };
    while done < buf.len() {
        let found = at + done as u64;
        match decoder.read(&mut buf[done..]) {
            Ok(0) => return Err(FilterError::TooShort { expected, found }),
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(why(found, error)),
        }
    }
    if at + done as u64 == expected {
        match decoder.read(&mut [0]) {
            Ok(0) => {}
            Ok(_) => return Err(FilterError::TooLong { expected }),
            Err(error) => match FilterError::of(error) {
                FilterError::Trailing { count } => stored.found_behind(count),
                FilterError::Damaged(error) => return Err(why(expected, error)),
                why => return Err(why),
            },
        }
    }
    Ok(())
}

/// The same error for the code that comes after it.
fn again(why: &FilterError) -> FilterError {
    match why {
        FilterError::TooShort { expected, found } => {
            FilterError::TooShort { expected: *expected, found: *found }
        }
        FilterError::TooLong { expected } => FilterError::TooLong { expected: *expected },
        FilterError::Unsupported(what) => FilterError::Unsupported(what.clone()),
        FilterError::Damaged(error) => {
            FilterError::Damaged(io::Error::new(error.kind(), error.to_string()))
        }
        why => FilterError::Damaged(io::Error::other(why.to_string())),
    }
}
