//! Headers that say one thing which cannot be, and are read for what they must have been: where the block ends tells.

use super::super::error::Result;
use super::super::form::{Fields, STREAMED};
use super::super::report::Code;
use super::{Blocks, Walk, search};

impl Blocks {
    /// What the header of the next block must say; what is wrong with it is told.
    pub(super) fn mended(&self, walk: &mut Walk, mut fields: Fields, at: u64) -> Result<Fields> {
        let index = walk.found.len();
        let expected = fields.form.header_size();
        if self.is_short(&fields, at) {
            let found = fields.header;
            let reason = format!("expected a header of {expected} bytes or more, found {found}");
            walk.report.add_block(Code::BadHeader, at, index, reason);
            fields.header = expected;
        }
        if self.is_long(&fields, at)? {
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
}
