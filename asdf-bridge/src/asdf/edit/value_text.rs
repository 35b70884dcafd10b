//! A value as text that is put into a tree.

use super::super::error::Result;
use super::super::tree::{Style, Tree, breaks};
use super::super::write::text::Emitter;
use super::super::write::yaml::Yaml;

/// A value to be put into a text.
pub(super) struct Spelt<'t> {
    value: Yaml<'static>,
    /// What the handle `!` stands for in the text.
    prefix: &'t str,
}

impl<'t> Spelt<'t> {
    /// A value without arrays and shared parts, and the text that it is put into.
    pub(super) fn new(value: Yaml<'static>, text: &'t str) -> Spelt<'t> {
        Spelt { value, prefix: prefix(text) }
    }

    fn emitted(&self, emit: impl FnOnce(&mut Emitter<'t>) -> Result<()>) -> Result<String> {
        let mut emitter = Emitter::new(String::new(), self.prefix);
        emit(&mut emitter)?;
        let mut text = emitter.finish();
        text.truncate(text.trim_end_matches('\n').len());
        Ok(text)
    }

    /// In lines that may stand anywhere, brackets included.
    pub(super) fn inline(&self, indent: usize) -> Result<String> {
        self.emitted(|out| out.flow(&self.value, indent))
    }

    /// An entry in brackets: with its key, if it has one.
    pub(super) fn inline_entry(&self, key: Option<&str>) -> Result<String> {
        let key = key.map(|key| self.key(key)).transpose()?;
        let key = key.map_or(String::new(), |key| key + " ");
        Ok(key + &self.inline(2)?)
    }

    /// A key with its colon.
    pub(super) fn key(&self, key: &str) -> Result<String> {
        let key = Yaml::key(key);
        Ok(self.emitted(|out| out.flow(&key, 2))? + ":")
    }

    /// An entry in a block of this column: behind a key, or behind a dash.
    pub(super) fn entry(&self, key: Option<&str>, column: usize) -> Result<String> {
        match key {
            Some(key) => self.emitted(|out| out.entry(&Yaml::key(key), &self.value, column)),
            None => Ok(format!("-{}", self.behind_dash(column)?)),
        }
    }

    /// What stands behind `key:`, a blank or a line end first; the key is in this column.
    pub(super) fn behind_key(&self, column: usize) -> Result<String> {
        let entry = self.entry(Some("k"), column)?;
        Ok(entry.strip_prefix("k:").unwrap_or(&entry).to_owned())
    }

    /// What stands behind `-`, which is in this column.
    pub(super) fn behind_dash(&self, column: usize) -> Result<String> {
        let list = Yaml::sequence([self.value.clone()]).styled(Style::Block);
        let list = self.emitted(|out| out.block(&list, column))?;
        Ok(list.split_once('-').map_or_else(|| list.clone(), |(_, behind)| behind.to_owned()))
    }

    /// The value as a tree of its own.
    pub(super) fn tree(&self) -> Result<Tree> {
        let handle = match self.prefix {
            LOCAL => String::new(),
            prefix => format!("%TAG ! {prefix}\n"),
        };
        Tree::parse(&format!("%YAML 1.1\n{handle}--- {}\n", self.inline(2)?))
    }
}

/// What the handle `!` stands for where nothing is said.
const LOCAL: &str = "!";

/// What the handle `!` stands for in a text.
fn prefix(text: &str) -> &str {
    let lines = text.split(breaks::BREAKS);
    let directives = lines.take_while(|line| !line.starts_with("---"));
    let mut handles =
        directives.filter_map(|line| line.strip_prefix("%TAG")?.trim().strip_prefix("! "));
    handles.next().map_or(LOCAL, str::trim)
}
