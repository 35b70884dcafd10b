//! A file whose blocks are files of their own.

use dudley::error::file_name;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use dudley::bytes::{AtomicFile, AtomicFiles};

use super::super::error::{Error, Result};
use super::super::external::escape;
use super::block::NewBlock;
use super::builder::Builder;
use super::builder::plan::Plan;
use super::provenance::Provenance;
use super::standard::Target;
use super::target::ToFile;
use super::yaml::Yaml;

impl Builder<'_> {
    /// Writes the tree to a file, and each block to a file of its own beside it: `run.asdf`, `run0000.asdf`,
    /// `run0001.asdf`. That of the tree comes last. Blocks that something names by a number which is no array stay
    /// with the tree, and have these numbers, as [`Self::blocks_of`] says.
    ///
    /// # Errors
    /// As [`Self::write_file`]; [`Error::Unwritable`](super::super::error::Error::Unwritable) for a path whose
    /// name is no text, and for streamed arrays. Then all files are as they were, or not there.
    ///
    /// ```
    /// use asdf_bridge::asdf::{AsdfFile, Builder, NewArray};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.asdf");
    /// Builder::new().put("x", NewArray::from(vec![1_u8, 2])).write_exploded(&path, false)?;
    /// assert!(path.with_file_name("run0000.asdf").exists());
    /// assert_eq!(AsdfFile::open(&path)?.array("/x")?.read::<u8>()?[[1]], 2);
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn write_exploded(&self, path: impl AsRef<Path>, overwrite: bool) -> Result<()> {
        let path = path.as_ref();
        let names = Names::of(path)?;
        let plan = self.apart(&names)?;
        let targets = targets(&plan, &names, path);
        let is_taken = |target: &&PathBuf| fs::symlink_metadata(target).is_ok();
        if let Some(taken) = targets.iter().find(|target| !overwrite && is_taken(target)) {
            return Err(dudley::Error::Exists { path: taken.clone() }.into());
        }
        let files = AtomicFiles::create(path, overwrite)?;
        self.write_apart(&plan, &names, files.path(), path)?;
        let targets: Vec<_> = targets.iter().filter_map(|target| target.file_name()).collect();
        Ok(files.commit(&targets)?)
    }

    /// The files that [`Self::write_exploded`] writes, that of the tree last.
    ///
    /// # Errors
    /// As [`Self::write_exploded`].
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray};
    ///
    /// let file = Builder::new().put("x", NewArray::from(vec![1_u8, 2]));
    /// let paths = file.exploded_paths("folder/run.asdf")?;
    /// assert!(paths[0].ends_with("run0000.asdf") && paths[1].ends_with("run.asdf"));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn exploded_paths(&self, path: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
        let names = Names::of(path.as_ref())?;
        Ok(targets(&self.apart(&names)?, &names, path.as_ref()))
    }

    fn apart(&self, names: &Names<'_>) -> Result<Plan<'_>> {
        let plan = self.plan(Some(&|number| Yaml::from(escape(&names.of_block(number)))))?;
        if plan.streamed {
            Err(Error::unwritable(
                "/",
                "arrays of an unknown number of rows in files of their own",
                "a streamed one",
            ))
        } else {
            Ok(plan)
        }
    }

    fn write_apart(
        &self,
        plan: &Plan<'_>,
        names: &Names<'_>,
        folder: &Path,
        path: &Path,
    ) -> Result<()> {
        let rest = Builder {
            tree: Yaml::mapping::<&str, Yaml<'_>>([]),
            provenance: Provenance { entries: Vec::new(), ..self.provenance.clone() },
            carried: None,
            ..self.clone()
        };
        for (number, block) in leaving(plan) {
            let to = ToFile::new(AtomicFile::create(folder.join(names.of_block(number)), false)?);
            let mut alone = rest.plan(None)?;
            if matches!(self.target, Target::Finf { .. }) {
                alone.text = self.target.head();
            }
            alone.blocks.push(block.clone());
            self.write(&alone, &to)?;
            to.commit()?;
        }
        let name = path.file_name().unwrap_or_default();
        let to = ToFile::new(AtomicFile::create(folder.join(name), false)?);
        self.write(&left(plan), &to)?;
        to.commit()
    }
}

/// What the files of blocks are called.
struct Names<'p> {
    stem: &'p str,
    extension: &'p str,
}

impl<'p> Names<'p> {
    fn of(path: &'p Path) -> Result<Names<'p>> {
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let extension = path.extension().unwrap_or_default().to_str();
        match (stem, extension) {
            (Some(stem), Some(extension)) => Ok(Names { stem, extension }),
            _ => {
                let shown = file_name(&path);
                Err(Error::unwritable(&shown, "a path of Unicode", "another one"))
            }
        }
    }

    fn of_block(&self, number: usize) -> String {
        let dot = if self.extension.is_empty() { "" } else { "." };
        format!("{}{number:04}{dot}{}", self.stem, self.extension)
    }
}

/// The blocks that go to files of their own.
fn leaving<'p, 'a>(plan: &'p Plan<'a>) -> impl Iterator<Item = (usize, &'p NewBlock<'a>)> {
    let blocks = plan.blocks.iter().enumerate();
    blocks.filter(|(number, _)| plan.arrays.contains(number) && !plan.staying.contains(number))
}

fn targets(plan: &Plan<'_>, names: &Names<'_>, path: &Path) -> Vec<PathBuf> {
    let blocks = leaving(plan).map(|(number, _)| path.with_file_name(names.of_block(number)));
    blocks.chain([path.to_owned()]).collect()
}

/// What stays with the tree: with empty blocks for those that go, so that the others keep their numbers.
fn left<'a>(plan: &Plan<'a>) -> Plan<'a> {
    let blocks = plan.blocks.iter().take(plan.carried).enumerate();
    let blocks =
        blocks.map(
            |(number, block)| {
                if plan.staying.contains(&number) { block.clone() } else { NewBlock::empty() }
            },
        );
    Plan {
        text: plan.text.clone(),
        blocks: if plan.staying.is_empty() { Vec::new() } else { blocks.collect() },
        staying: BTreeSet::new(),
        arrays: BTreeSet::new(),
        ..*plan
    }
}
