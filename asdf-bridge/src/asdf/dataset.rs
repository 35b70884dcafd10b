//! ASDF and FINF files as the model has them: which they are, and the nodes of their trees.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dudley::bytes::check_target;
use dudley::model::{
    Candidate, Claim, Content, Dataset, Depth, Description, Doubt, Fact, Format, LeftBehind, Loose,
    Masked, Node, Portable, Salvaged, Sections, Table, Target,
};
use dudley::read::Parts;
use dudley::read::path::{Part, parse, without_slices};
use dudley::read::select::Selected;
use dudley::verify::Finding;
use dudley::{ByteOrder, Dtype, Primitive, Severity};

use super::array::missing::Missing;
use super::doubts::Doubts;
use super::entry::node;
use super::error::{Error, Result};
use super::external::Folder;
use super::file::{AsdfFile, Open};
use super::first_line::WrongBytes;
use super::lodged::Lodged;
use super::portable;
use super::report::Code;
use super::rescue;
use super::sections;
use super::tables;
use super::text::Dialect;
use crate::Recognised;

/// The format of ASDF files, or that of FINF files.
pub(crate) struct Trees(pub(crate) Recognised);

impl Format for Trees {
    fn describe(&self) -> &'static str {
        self.0.describe()
    }

    fn recognise(&self, candidate: &Candidate) -> dudley::Result<Option<Claim>> {
        self.0.claim(candidate)
    }

    fn open(&self, candidate: &Candidate, open: &dudley::Open) -> dudley::Result<Dataset> {
        Ok(Dataset::new(candidate.name(), opened(candidate, open, None)?))
    }

    fn verify(
        &self,
        candidate: &Candidate,
        open: &dudley::Open,
        found: &mut dyn FnMut(Finding),
        _: &mut dyn FnMut(u64),
    ) -> dudley::Result<()> {
        opened(candidate, open, None)?.verify()?.findings.into_iter().map(finding).for_each(found);
        Ok(())
    }

    fn sections(
        &self,
        candidate: &Candidate,
        opened: Option<&Dataset>,
        path: Option<&str>,
    ) -> dudley::Result<Option<Sections>> {
        let Some(file) = opened.and_then(Dataset::content) else { return Ok(None) };
        let source = candidate.bytes()?;
        let found = match path {
            Some(path) => sections::picked(file, path)?,
            None => sections::all(file, source.len())?,
        };
        Ok(Some(Sections { name: "asdf", order: None, source, sections: found, fault: None }))
    }

    fn salvage(
        &self,
        candidate: &Candidate,
        to: Option<Target<'_>>,
    ) -> dudley::Result<Option<Salvaged>> {
        let file = opened(candidate, &dudley::Open::new(), None)?;
        if let (Some(to), Some(path)) = (to, candidate.path()) {
            let read = file.files(path.parent().unwrap_or(Path::new("")));
            check_target(to.path, read.iter().map(PathBuf::as_path))?;
        }
        Ok(Some(rescue::salvage(&file, to)?))
    }

    fn mend(&self, path: &Path, found: &[Finding]) -> dudley::Result<Option<String>> {
        if !found.iter().any(|finding| finding.code == Code::FirstLine.as_str()) {
            return Ok(None);
        }
        Ok(WrongBytes::mend(path)?.map(|wrong| match wrong.expected.len() as u64 {
            1 => format!("byte {} of the first line is corrected", wrong.address),
            count => {
                let range = wrong.address..wrong.address + count;
                format!("bytes {range:?} of the first line are corrected")
            }
        }))
    }
}

/// The file that something is, or that lies in it.
pub(super) fn opened(
    candidate: &Candidate,
    open: &dudley::Open,
    lodged: Option<Lodged>,
) -> dudley::Result<AsdfFile> {
    let mut how = Open::new().work(open.how_to_read().clone());
    // What is within another file has no folder of its own.
    if let Some(path) = candidate.path().filter(|_| candidate.base() == 0) {
        how = how.external(Folder::new(path.parent().unwrap_or(Path::new(""))));
    }
    let bytes = lodged.as_ref().map_or_else(|| candidate.bytes(), |it| Ok(it.bytes.clone()))?;
    how.lodged = lodged.map(Arc::new);
    Ok(how.source(bytes)?)
}

pub(super) fn finding(own: super::report::Finding) -> Finding {
    let severity = if own.code.is_error() { Severity::Error } else { Severity::Warning };
    let block = own.block.map_or(String::new(), |block| format!("block {block}: "));
    Finding {
        code: own.code.as_str(),
        severity,
        address: Some(own.address),
        bytes: None,
        path: None,
        message: block + &own.reason,
    }
}

impl Content for AsdfFile {
    fn describe(&self) -> &'static str {
        if self.host().is_some() {
            return "an ASDF file in a file of another format";
        }
        match self.text().dialect {
            Dialect::Asdf | Dialect::Early => Recognised::Asdf.describe(),
            Dialect::Finf => Recognised::Finf.describe(),
        }
    }

    fn name(&self) -> &'static str {
        match self.text().dialect {
            Dialect::Asdf | Dialect::Early => "asdf",
            Dialect::Finf => "finf",
        }
    }

    fn root(&self) -> dudley::Result<Node> {
        Ok(node(AsdfFile::root(self)?))
    }

    fn get(&self, path: &str) -> dudley::Result<Node> {
        Ok(node(AsdfFile::get(self, path)?))
    }

    fn select(&self, path: &str) -> dudley::Result<Selected> {
        Ok(picked(self, path, Masked::Null)?)
    }

    fn select_with(&self, path: &str, masked: Masked<'_>) -> dudley::Result<Selected> {
        Ok(picked(self, path, masked)?)
    }

    fn missing(&self, path: &str) -> dudley::Result<Option<Vec<bool>>> {
        let found = self.spread(path)?.paths.into_iter().map(|path| missing(self, &path));
        let found: Vec<Option<Missing>> = found.collect::<Result<_>>()?;
        // What is stacked is alike, so that what is masked of one tells how many cells all have.
        let first = found.iter().flatten().next();
        let none = vec![false; first.map_or(0, |missing| missing.cells().len())];
        if !found.iter().flatten().any(Missing::any) {
            return Ok(None);
        }
        let cells = found.iter().flat_map(|missing| match missing {
            Some(missing) => missing.cells().iter().copied().collect(),
            None => none.clone(),
        });
        Ok(Some(cells.collect()))
    }

    fn is_masked(&self, path: &str) -> dudley::Result<bool> {
        for path in self.spread(path)?.paths {
            if missing(self, &path)?.is_some_and(|missing| missing.any()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn whole(&self, path: &str) -> dudley::Result<Node> {
        Content::get(self, &without_slices(&self.path_of_value(path)?)?)
    }

    fn paths(&self, path: &str) -> dudley::Result<Vec<String>> {
        Ok(self.spread(path)?.paths)
    }

    fn nodes(&self, path: &str) -> dudley::Result<Vec<Node>> {
        // Blocks need no tree.
        if path == "/" && matches!(self.tree(), Err(Error::NoTree)) {
            return Ok(Vec::new());
        }
        let paths = self.spread(path)?.paths;
        paths.iter().map(|path| Ok(node(AsdfFile::get(self, path)?))).collect()
    }

    fn portable(
        &self,
        path: Option<&str>,
        take: &mut dyn FnMut(Portable) -> dudley::Result<()>,
    ) -> dudley::Result<LeftBehind> {
        let mut left = LeftBehind::default();
        portable::each(self, path, &mut left, take)?;
        Ok(left)
    }

    fn path_here(&self, elsewhere: &str) -> dudley::Result<String> {
        Ok(portable::path_here(self, elsewhere)?)
    }

    fn doubts(&self, paths: &[&str], depth: Depth) -> dudley::Result<Vec<Doubt>> {
        let mut doubts = match depth {
            Depth::Opened | Depth::Headers => Doubts::of_headers(self),
            Depth::Checksums => Doubts::of_digests(self),
        };
        Ok(doubts.of_paths(paths)?)
    }

    fn layout(&self) -> dudley::Result<Option<Description>> {
        // Its data lie where the host says, and its own addresses are none of the file.
        if let Some(host) = self.host() {
            let layout = host.layout()?;
            return Ok(layout.map(|layout| Description { same_paths: false, ..layout }));
        }
        let described = self.describe()?;
        let notes = described.arrays.iter().filter_map(|array| {
            array.item.as_ref()?;
            let why = array.reason.as_ref()?.to_string();
            Some(Doubt { path: Some(array.path.clone()), why })
        });
        let notes = notes.collect();
        // Blocks without a tree have paths in the description only.
        let same_paths = self.tree().is_ok();
        Ok(Some(Description { text: described.text, same_paths, notes, fault: None }))
    }

    fn facts(&self) -> dudley::Result<Vec<Fact>> {
        let text = self.text();
        Ok(vec![
            Fact::new("format", text.version.clone()),
            Fact::new("standard", text.standard.clone()),
            Fact::new("comments", text.comments.clone()),
            Fact::new("findings", tables::findings(self)?),
        ])
    }

    fn tables(&self, depth: Depth) -> dudley::Result<Vec<Table>> {
        Ok(vec![tables::blocks(self, depth)?])
    }

    fn files(&self, folder: &Path) -> Vec<PathBuf> {
        let folder = Folder::new(folder);
        let named = self.named_files().unwrap_or_default();
        named.iter().filter_map(|uri| folder.path(uri).ok()).collect()
    }

    fn loose(&self) -> dudley::Result<Vec<Loose>> {
        let blocks = self.blocks_without_arrays()?.into_iter();
        let loose = blocks.map(|block| {
            let (file, index) = (self.clone(), block.index);
            let data = move || {
                let bytes = file.block_data(index as i64)?;
                let byte = Dtype::Primitive(Primitive::U1, ByteOrder::Little);
                Parts::new(byte, &[bytes.len() as u64]).data(bytes)
            };
            Loose { name: format!("block {index}"), kind: "block", data: Box::new(data) }
        });
        Ok(loose.collect())
    }

    fn remarks(&self) -> dudley::Result<Vec<Doubt>> {
        let found = self.check()?.findings;
        Ok(found.iter().map(|found| Doubt { path: None, why: found.to_string() }).collect())
    }
}

/// Which cells have no value of what a path without slices of lists picks.
fn missing(file: &AsdfFile, path: &str) -> Result<Option<Missing>> {
    let (path, is_sliced) = (file.path_of_value(path)?, parse(path)?.iter().any(is_slice));
    let item = file.get(&without_slices(&path)?)?;
    match item.quantity() {
        _ if item.is_array() || is_sliced => file.missing(&path),
        Some(quantity) => quantity.array()?.map_or(Ok(None), |array| array.missing()),
        None => Ok(None),
    }
}

/// The result of a path. A slice of a quantity is a slice of its value.
fn picked(file: &AsdfFile, path: &str, masked: Masked<'_>) -> Result<Selected> {
    let one = |path: &str| match masked {
        Masked::Null => AsdfFile::select(file, path),
        Masked::Stored => file.select_stored(path),
        Masked::Filled(values) => file.select_filled(path, values),
    };
    if !parse(path)?.iter().any(is_slice) {
        return one(path);
    }
    let spread = file.spread(path)?;
    let mut parts = Vec::new();
    for path in &spread.paths {
        parts.extend(one(&file.path_of_value(path)?)?.parts);
    }
    spread.stack(parts)
}

fn is_slice(part: &Part) -> bool {
    matches!(part, Part::Slice(_) | Part::Field(_))
}
