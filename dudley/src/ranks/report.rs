//! The reports of ranks to rank 0 before it decides: the first error, the written elements and blocks.

use std::collections::BTreeMap;
use std::ops::Range;

use super::blocks::Blocks;
use crate::create::Coverage;
use crate::create::coverage::joined;
use crate::error::{Error, Result};

/// What some ranks report. Its size is that of items and of decompositions, however many ranks have joined it.
#[derive(Debug, Default)]
pub(super) struct Report {
    /// The lowest rank that has failed, and why.
    failed: Option<(Option<u64>, String)>,
    /// What was written without blocks.
    pub(super) coverage: Coverage,
    /// Which ranks have written their blocks, by the item and how it is decomposed.
    pub(super) blocks: BTreeMap<(String, Blocks), Vec<Range<u64>>>,
}

impl Report {
    /// That a rank has failed, unless the error says which.
    pub(super) fn fail(&mut self, rank: usize, error: &Error) {
        let failed = match error {
            Error::OfRank { rank, why } => (*rank, why.to_string()),
            error => (Some(rank as u64), error.to_string()),
        };
        self.keep(failed);
    }

    fn keep(&mut self, failed: (Option<u64>, String)) {
        let (rank, _) = &failed;
        if self.failed.as_ref().is_none_or(|(first, _)| rank < first) {
            self.failed = Some(failed);
        }
    }

    /// The error, if there is one.
    pub(super) fn check(self) -> Result<Report> {
        match self.failed {
            Some((rank, why)) => Err(Error::OfRank { rank, why: why.into() }),
            None => Ok(self),
        }
    }

    /// That a rank has written its block.
    pub(super) fn push_block(&mut self, path: String, blocks: Blocks, rank: u64) {
        self.blocks.entry((path, blocks)).or_default().push(rank..rank + 1);
    }

    /// Adds what other ranks report.
    pub(super) fn join(&mut self, other: Report) {
        if let Some(failed) = other.failed {
            self.keep(failed);
        }
        self.coverage.join(other.coverage);
        for (of, theirs) in other.blocks {
            let ours = self.blocks.entry(of).or_default();
            *ours = joined(std::mem::take(ours), theirs);
        }
    }

    /// As bytes, to be sent: lengths are 8 bytes, little-endian.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let number = |bytes: &mut Vec<u8>, number: u64| bytes.extend(number.to_le_bytes());
        let run = |bytes: &mut Vec<u8>, run: &[u8]| {
            number(bytes, run.len() as u64);
            bytes.extend_from_slice(run);
        };
        let numbers = |bytes: &mut Vec<u8>, numbers: &[u64]| {
            number(bytes, numbers.len() as u64);
            numbers.iter().for_each(|it| number(bytes, *it));
        };
        match &self.failed {
            // Nothing else matters then.
            Some((rank, why)) => {
                bytes.push(0);
                number(&mut bytes, rank.unwrap_or(u64::MAX));
                run(&mut bytes, why.as_bytes());
            }
            None => {
                bytes.push(1);
                run(&mut bytes, &self.coverage.to_bytes());
                number(&mut bytes, self.blocks.len() as u64);
                for ((path, blocks), ranks) in &self.blocks {
                    run(&mut bytes, path.as_bytes());
                    numbers(&mut bytes, blocks.shape());
                    numbers(&mut bytes, blocks.grid());
                    let ends: Vec<u64> = ranks.iter().flat_map(|it| [it.start, it.end]).collect();
                    numbers(&mut bytes, &ends);
                }
            }
        }
        bytes
    }

    /// Of the bytes that [`Self::to_bytes`] gave.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Report> {
        let mut rest = Parsed(bytes);
        rest.report().filter(|_| rest.0.is_empty()).ok_or_else(|| Error::WrongValue {
            item: crate::error::Item::UNKNOWN,
            expected: "what another rank reports".into(),
            found: format!("{} other bytes (do all ranks make the same calls?)", bytes.len())
                .into(),
        })
    }
}

/// What is left to be parsed.
struct Parsed<'b>(&'b [u8]);

impl<'b> Parsed<'b> {
    fn report(&mut self) -> Option<Report> {
        let mut report = Report::default();
        match self.take(1)? {
            [0] => {
                let rank = Some(self.number()?).filter(|rank| *rank != u64::MAX);
                report.failed = Some((rank, self.text()?));
            }
            _ => {
                let length = self.number()?;
                report.coverage = Coverage::from_bytes(self.take(length)?).ok()?;
                for _ in 0..self.number()? {
                    let path = self.text()?;
                    let (shape, grid) = (self.numbers()?, self.numbers()?);
                    let blocks = Blocks::new(&shape, &grid).ok()?;
                    let ends = self.numbers()?;
                    let ranks = ends.chunks_exact(2).map(|ends| ends[0]..ends[1]).collect();
                    report.blocks.insert((path, blocks), ranks);
                }
            }
        }
        Some(report)
    }

    fn take(&mut self, length: u64) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(usize::try_from(length).ok()?)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    fn numbers(&mut self) -> Option<Vec<u64>> {
        let bytes = self.number()?.checked_mul(8)?;
        let chunks = self.take(bytes)?.chunks_exact(8);
        chunks.map(|it| it.try_into().ok().map(u64::from_le_bytes)).collect()
    }

    fn text(&mut self) -> Option<String> {
        let length = self.number()?;
        String::from_utf8(self.take(length)?.to_vec()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reported_is_what_is_heard() {
        let blocks = Blocks::new(&[7, 5], &[2, 2]).expect("a grid");
        let mut report = Report::default();
        for rank in [0, 1, 3] {
            let mut one = Report::default();
            one.push_block("/ä".to_owned(), blocks.clone(), rank);
            report.join(one);
        }
        let bytes = report.to_bytes();
        let heard = Report::from_bytes(&bytes).expect("ours");
        assert_eq!(heard.blocks[&("/ä".to_owned(), blocks)], [0..2, 3..4]);
        for end in 0..bytes.len() {
            assert!(Report::from_bytes(&bytes[..end]).is_err(), "{end}");
        }
        report.fail(9, &Error::NotNative);
        report.fail(4, &Error::Finished);
        report.fail(5, &Error::NotNative);
        let heard = Report::from_bytes(&report.to_bytes()).expect("ours");
        assert!(heard.check().expect_err("failed").to_string().starts_with("rank 4: the writer"));
    }
}
