//! All that is odd or wrong with a file.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use dudley::bytes::Source as _;

use super::array::Array;
use super::block_use;
use super::blocks::{Block, IndexState};
use super::error::{Error, Result};
use super::file::AsdfFile;
use super::item::Item;
use super::ndarray::Source;
use super::report::{Code, Finding, Report};
use super::text::Dialect;
use super::tree::breaks;
use super::walk::References;

/// Bytes of decompressed data that are looked at together.
const STEP: u64 = 4 << 20;

impl AsdfFile {
    /// Oddities and faults of the text, its keys, the headers of the blocks, and the index. It reads no data.
    ///
    /// # Errors
    /// [`Error::Engine`] if the file cannot be read.
    pub fn check(&self) -> Result<Report> {
        let mut report = self.inner.report.clone();
        if let Some(Err(error)) = self.parsed() {
            let address = error.address().unwrap_or_default();
            report.add(Code::BadTree, address, error.to_string());
        }
        report.findings.append(&mut self.inner.blocks.report()?.0.findings);
        self.check_presence(&mut report)?;
        self.keys(&mut report);
        self.line_breaks(&mut report);
        for block in self.blocks()?.into_iter().flatten() {
            if !self.inner.codecs.knows(&block) {
                let found = block.compression().unwrap_or_default();
                let reason = format!("expected a compression that is known, found `{found}`");
                report.add_block(Code::UnknownCompression, block.address, block.index, reason);
            }
        }
        report.findings.sort_by_key(|finding| finding.address);
        Ok(report)
    }

    /// Looks whether there is anything at all, and as many blocks as the tree names. What is blank in front of the first
    /// may be the header of another one that was written over.
    fn check_presence(&self, report: &mut Report) -> Result<()> {
        let (text, blocks) = (self.text(), self.blocks()?);
        let address = blocks.first().and_then(|block| match block {
            Ok(block) => Some(block.address),
            Err(error) => error.address(),
        });
        match address {
            None if text.tree.is_none() => {
                let reason = "expected a tree or blocks, found the end of the file";
                let is_cut = report.of(Code::CutOff).next().is_some();
                match (is_cut, text.dialect) {
                    // What ends within a line had more.
                    (true, _) => report.add(Code::Empty, text.end, reason),
                    (false, Dialect::Asdf) => report.add(Code::CutOff, text.end, reason),
                    // FINF without anything was written by programs.
                    (false, _) => {}
                }
            }
            Some(address) => self.check_count(&blocks, address, report)?,
            None => {}
        }
        Ok(())
    }

    /// Looks whether there are as many blocks as arrays name, the first of which is at `address`, where the index does
    /// not say so. Of a file that is cut off in one, those in front of it have their numbers.
    fn check_count(
        &self,
        blocks: &[Result<Arc<Block>>],
        address: u64,
        report: &mut Report,
    ) -> Result<()> {
        if matches!(self.index()?, IndexState::Good { .. }) {
            return Ok(());
        }
        let Some(Ok(tree)) = self.parsed() else { return Ok(()) };
        let (start, found) = (self.text().end, blocks.len());
        let Some(named) = block_use::beyond(tree, found) else { return Ok(()) };
        let expected =
            format!("expected block {named}, which the tree names, found {found} in all");
        let ends_at = |end: u64| end == self.source().len();
        if address > start {
            let reason = format!(
                "{expected}, and the first at {address}: one in front of it may be lost, and blocks may have other \
                 numbers"
            );
            report.add(Code::NotAdjacent, start, reason);
        } else if blocks
            .last()
            .is_some_and(|last| last.as_ref().is_ok_and(|last| ends_at(last.end())))
        {
            let reason = format!("{expected}: some are lost, and blocks may have other numbers");
            report.add(Code::MissingBlock, address, reason);
        }
        Ok(())
    }

    /// As [`Self::check`], and reads everything: the data of all blocks are compared with their digests and
    /// decompressed, and all arrays of the tree are looked for.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Code, Open};
    ///
    /// let tree = "a: !core/ndarray-1.1.0 {source: 3, datatype: int8, byteorder: big, shape: [2]}";
    /// let text = format!("#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\n{tree}\n...\n");
    /// let report = Open::new().bytes(text)?.verify()?;
    /// assert_eq!(report.findings[0].code, Code::BadArray);
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::check`].
    pub fn verify(&self) -> Result<Report> {
        let mut report = self.check()?;
        let blocks: Vec<_> = self.blocks()?.into_iter().flatten().collect();
        let found = Mutex::new(Vec::new());
        self.inner.work.run(blocks.len() as u64, blocks.iter(), |block| {
            let findings = self.verify_block(block);
            found.lock().unwrap_or_else(PoisonError::into_inner).extend(findings);
            Ok(0)
        })?;
        report.extend(found.into_inner().unwrap_or_else(PoisonError::into_inner));
        self.arrays(&mut report);
        self.circles(&mut report);
        self.misfits(&mut report);
        let key = |finding: &super::report::Finding| (finding.address, finding.block, finding.code);
        report.findings.sort_by_key(key);
        Ok(report)
    }

    /// Oddities and faults of the data of a block. It reads all the data, compares them with their digest and
    /// decompresses them. [`Self::check`] reports data that are cut off.
    pub fn verify_block(&self, block: &Block) -> Vec<Finding> {
        let mut found = Vec::new();
        let mut add = |code, address, reason| {
            found.push(Finding { code, address, block: Some(block.index), reason });
        };
        match self.digest(block) {
            Ok(state) => {
                if let Some((code, why)) = state.finding() {
                    add(code, block.address, why.to_owned());
                }
            }
            // The walk has found that the data are not there.
            Err(_) => return found,
        }
        if block.compression().is_none() || !self.inner.codecs.knows(block) {
            return found;
        }
        match self.decompress(block) {
            Ok(0) => {}
            Ok(count) => {
                let address = block.data.end.saturating_sub(count);
                let reason =
                    format!("expected compressed data up to their end, found {count} bytes behind");
                add(Code::TrailingBytes, address, reason);
            }
            Err(error) => add(Code::BadData, block.address, error.to_string()),
        }
        found
    }

    /// Decompresses all of a block, and keeps nothing; how many bytes are behind what is compressed.
    fn decompress(&self, block: &Block) -> Result<u64> {
        let decoded = self.decompressed(block)?;
        let mut piece = Vec::new();
        let mut at = 0;
        while at < decoded.len() {
            piece.resize((decoded.len() - at).min(STEP) as usize, 0);
            decoded.read_at(at, &mut piece)?;
            at += piece.len() as u64;
        }
        Ok(decoded.trailing())
    }

    /// Looks for line breaks that not all readers of YAML have: what was meant as a character of a text may be read as
    /// the end of a line.
    fn line_breaks(&self, report: &mut Report) {
        let Ok(tree) = self.tree() else { return };
        let Some(first) = breaks::first_old(tree.text()) else { return };
        let found = tree.text()[first..].chars().next().map_or(0, u32::from);
        let more = match breaks::count_old(tree.text()) - 1 {
            0 => String::new(),
            more => format!(" and {more} more such breaks"),
        };
        let reason = format!(
            "expected lines that end with a line feed, found U+{found:04X}{more}: to YAML 1.1, and so to Python, \
             U+0085, U+2028 and U+2029 end a line, and U+0085 is read as a line feed; to YAML 1.2 they are text"
        );
        report.add(Code::LineBreak, tree.address() + first as u64, reason);
    }

    /// Looks for keys that stand twice in their mapping, however they are written.
    fn keys(&self, report: &mut Report) {
        let Ok(tree) = self.tree() else { return };
        for node in tree.nodes() {
            let mut known = HashMap::new();
            for (key, _) in node.written_entries() {
                let text = key.as_key().text();
                if text == "<<" {
                    continue;
                }
                let Some(before) = known.insert(key.key_meaning(), text) else { continue };
                let reason = if before == text {
                    format!("expected each key once, found `{text}` again, which counts")
                } else {
                    format!(
                        "expected each key once, found `{text}`, which is equal to `{before}`: Python has the last \
                         one alone"
                    )
                };
                report.add(Code::DuplicateKey, key.address(), reason);
            }
        }
    }

    /// Looks for all arrays of the tree, and for what it refers to. What is lost because of its block was found there.
    fn arrays(&self, report: &mut Report) {
        let Ok(root) = self.root() else { return };
        let mut others = HashMap::new();
        // Only who visits can fail.
        let _ = root.walk_once(References::Kept, &mut |item, _| {
            if item.reference().is_some() {
                if let Err(error) = item.clone().resolve() {
                    let reason = error.named(item.path());
                    report.add(Code::BadReference, item.node().address(), reason);
                }
                return Ok(false);
            }
            if item.is_chunked() {
                chunks(item, report);
                return Ok(true);
            }
            if !item.is_array() {
                return Ok(true);
            }
            let there = item.array().and_then(|array| whole(&array, &mut others, report));
            if let Err(error) = there {
                let reason = error.named(item.path());
                report.add(Code::BadArray, item.node().address(), reason);
            }
            Ok(false)
        });
    }
}

/// Looks for an array in chunks; each of these is looked for by itself.
fn chunks(item: &Item, report: &mut Report) {
    match item.array().and_then(|array| array.odd()) {
        Ok(odd) => report.extend(odd),
        Err(error) => {
            report.add(Code::BadArray, item.node().address(), error.named(item.path()));
        }
    }
}

/// What is wrong with the blocks of other files, by the names that the tree has for these.
type Others = HashMap<String, Vec<Finding>>;

/// Looks for an array and its mask.
fn whole(array: &Array, others: &mut Others, report: &mut Report) -> Result<()> {
    part(array, others, report)?;
    if let Some(mask) = array.mask_array() {
        part(&mask, others, report)?;
    }
    ignore_block(array.check_mask())
}

/// Looks for an array, or for one that is a mask. What is lost because of its block was found there.
fn part(array: &Array, others: &mut Others, report: &mut Report) -> Result<()> {
    report.extend(array.odd()?);
    let Some(Source::External(uri)) = array.source() else {
        return ignore_block(array.check_elements());
    };
    array.check_elements()?;
    let Some((home, block)) = array.stored_in()? else { return Ok(()) };
    let found = others.entry(uri.clone()).or_insert_with(|| home.verify_block(&block));
    let (path, address) = (array.path(), array.node()?.address());
    for Finding { code, reason, .. } in found {
        report.add(*code, address, format!("`{path}`, which is in `{uri}`: {reason}"));
    }
    Ok(())
}

/// No error of a block that has an address: the walk along the blocks has found it.
fn ignore_block(there: Result<()>) -> Result<()> {
    match there {
        Err(Error::Block { address: Some(_), .. }) => Ok(()),
        there => there,
    }
}
