//! Headers that say one thing which cannot be, and are read for what they must have been: where the block ends tells.

use super::super::array::rows::row_size;
use super::super::error::Result;
use super::super::form::{Fields, STREAMED};
use super::super::ndarray::{Source, Spec, is_array};
use super::super::report::Code;
use super::super::tree::Tree;
use super::{Blocks, Walk, search};

impl Blocks {
    /// What the header of the next block must say; what is wrong with it is reported.
    pub(super) fn mended(&self, walk: &mut Walk, mut fields: Fields, at: u64) -> Result<Fields> {
        let index = walk.found.len();
        let expected = fields.form.header_size();
        if self.is_short(&fields, at) {
            let found = fields.header;
            let reason = format!("expected a header of {expected} bytes or more, found {found}");
            walk.report.add_block(Code::BadHeader, at, index, reason);
            fields.header = expected;
        }
        if self.is_long(&fields, at)? || self.is_long_stream(&fields, at, index) {
            let found = fields.header;
            let reason = format!(
                "expected a header of {expected} bytes, found {found}, which is not where the data begin"
            );
            walk.report.add_block(Code::BadHeader, at, index, reason);
            fields.header = expected;
        }
        if self.is_no_stream(&fields, at) {
            fields.flags &= !STREAMED;
            let reason = "expected a streamed block to be the last one, found what follows it";
            walk.report.add_block(Code::BadHeader, at, index, reason);
        }
        Ok(fields)
    }

    /// Whether a header says of itself that it is shorter than headers are, and is one all the same: with the bytes
    /// that it must have, the block ends where another one begins, or the index, or the file.
    pub(super) fn is_short(&self, fields: &Fields, at: u64) -> bool {
        let start = fields.form.start(at, fields.form.header_size());
        let sizes = [fields.allocated, fields.used, fields.decoded.unwrap_or(0)];
        let streamed = fields.flags & STREAMED != 0 && sizes == [0; 3];
        fields.header < fields.form.least() && (streamed || self.lands(fields, start))
    }

    /// Whether a block is no streamed one, though its flag says so: it states its sizes, and ends where another one
    /// begins, or the index.
    fn is_no_stream(&self, fields: &Fields, at: u64) -> bool {
        let start = fields.start(at);
        let goes_on =
            start.checked_add(fields.allocated).is_some_and(|end| end < self.source.len());
        fields.flags & STREAMED != 0 && goes_on && self.lands(fields, start)
    }

    /// Whether a header says of itself that it is longer than it is. Without the bytes that it need not have, the block
    /// ends where another one begins that is sound; or where a block may end, which it else does not. Or another one is
    /// within what it says.
    fn is_long(&self, fields: &Fields, at: u64) -> Result<bool> {
        let least = fields.form.header_size();
        if fields.header <= least || fields.flags & STREAMED != 0 {
            return Ok(false);
        }
        let (start, stated) = (fields.form.start(at, least), fields.start(at));
        if let Some(end) = start.checked_add(fields.allocated)
            && (search::is_sound(self, end)? || self.is_end(end) && !self.lands(fields, stated))
        {
            return Ok(true);
        }
        Ok(search::sound_within(self, start..stated)?.is_some())
    }

    /// As [`Self::is_long`], of a streamed block: its data would begin behind the end of the file; or the rows of the
    /// arrays in it end with the file if they begin where they should, and else do not.
    fn is_long_stream(&self, fields: &Fields, at: u64, index: usize) -> bool {
        let least = fields.form.header_size();
        if fields.header <= least || fields.flags & STREAMED == 0 {
            return false;
        }
        let behind = |header| self.source.len().checked_sub(fields.form.start(at, header));
        let (Some(least), stated) = (behind(least), behind(fields.header)) else { return false };
        let (Some(stated), Some(Ok(tree))) = (stated, self.tree.get()) else {
            return stated.is_none();
        };
        let rows = rows_in(tree, index);
        let fit = |bytes: u64| {
            let whole = |(offset, size): &(u64, u64)| {
                bytes.checked_sub(*offset).is_some_and(|left| left.checked_rem(*size) == Some(0))
            };
            rows.iter().all(whole)
        };
        fit(least) && !fit(stated)
    }
}

/// Of the arrays in a streamed block, which is the last one, where their rows begin in it, and how long each is.
fn rows_in(tree: &Tree, index: usize) -> Vec<(u64, u64)> {
    let arrays = tree.nodes().filter(|node| is_array(*node));
    let rows = arrays.filter_map(|node| match Spec::parse(node, "").ok()? {
        Spec::Stored(stored) if stored.streamed => match stored.source {
            Source::Block(number) if number == -1 || usize::try_from(number) == Ok(index) => {
                Some((stored.offset, row_size(&stored)?))
            }
            _ => None,
        },
        _ => None,
    });
    rows.collect()
}
