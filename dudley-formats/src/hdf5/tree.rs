//! The objects of a file, by the links that lead to them: each group is gone into once.

use std::collections::{HashMap, HashSet};

use dudley::model::Doubt;
use dudley::verify::Finding;
use dudley::{Result, Severity};

use super::attribute::{Attribute, attributes};
use super::dataset::{Array, array, is_array};
use super::file::File;
use super::group::{Target, is_group, links};
use super::object::messages;

/// Groups in groups at most: dicts nest no deeper.
const DEEPEST: usize = 200;
/// Objects at most.
const MOST: usize = 1 << 22;

/// A group.
#[derive(Default)]
pub(super) struct Group {
    pub(super) attributes: Vec<Attribute>,
    pub(super) members: Vec<(String, Member)>,
}

/// What a link leads to.
pub(super) enum Member {
    Group(Group),
    Array(Box<Dataset>),
    /// What stands at a path: a soft link.
    Path(String),
}

/// An array with what is said of it.
pub(super) struct Dataset {
    /// The address of its header.
    pub(super) address: u64,
    pub(super) array: Array,
    pub(super) attributes: Vec<Attribute>,
}

/// The objects of a file.
pub(super) struct Tree<'f> {
    pub(super) root: Group,
    /// The names of arrays, by the addresses of their headers.
    pub(super) names: HashMap<u64, String>,
    pub(super) notes: Vec<Doubt>,
    file: &'f File,
    found: &'f mut dyn FnMut(Finding),
    groups: HashMap<u64, String>,
    broken: HashSet<u64>,
    count: usize,
}

/// Goes through a file. What is wrong with a part of it goes to `found`.
///
/// # Errors
/// If something is wrong with the root group.
pub(super) fn tree<'f>(
    file: &'f File,
    root: u64,
    found: &'f mut dyn FnMut(Finding),
) -> Result<Tree<'f>> {
    let mut tree = Tree {
        root: Group::default(),
        names: HashMap::new(),
        notes: Vec::new(),
        file,
        found,
        groups: HashMap::from([(root, "/".to_owned())]),
        broken: HashSet::new(),
        count: 0,
    };
    let messages = messages(file, root)?;
    if !is_group(&messages) {
        let place = file.place(root)?;
        return Err(crate::cursor::malformed(place, "the root of the file is no group"));
    }
    tree.root = tree.group(&messages, "", 0)?;
    Ok(tree)
}

impl Tree<'_> {
    fn group(
        &mut self,
        header: &[super::object::Message],
        path: &str,
        depth: usize,
    ) -> Result<Group> {
        let attributes = self.attributes(header, if path.is_empty() { "/" } else { path });
        let mut members: Vec<(String, Member)> = Vec::new();
        let mut names = HashSet::new();
        for link in links(self.file, header)? {
            let here = format!("{path}{}", crate::headers::path(&[&link.name]));
            self.count += 1;
            if self.count > MOST {
                self.wrong(&here, crate::cursor::malformed(0, format!("more than {MOST} links")));
                break;
            }
            if link.name.is_empty() || !names.insert(link.name.clone()) {
                self.note(&here, "a link without a name of its own is left out");
                continue;
            }
            match link.to {
                Target::Path(to) => members.push((link.name, Member::Path(to))),
                Target::Elsewhere(to) => {
                    self.note(&here, format!("it is a link to {to}, which is not followed"))
                }
                Target::Object(address) => match self.object(address, &link.name, &here, depth) {
                    Ok(Some(member)) => members.push((link.name, member)),
                    Ok(None) => {}
                    Err(error) => self.wrong(&here, error),
                },
            }
        }
        Ok(Group { attributes, members })
    }

    fn object(
        &mut self,
        address: u64,
        name: &str,
        path: &str,
        depth: usize,
    ) -> Result<Option<Member>> {
        if let Some(known) = self.groups.get(&address) {
            let known = known.clone();
            self.note(path, format!("it is the group `{known}`"));
            return Ok(None);
        }
        let messages = messages(self.file, address)?;
        if is_array(&messages) {
            let array = array(self.file, &messages)?;
            let attributes = self.attributes(&messages, path);
            self.names.entry(address).or_insert_with(|| name.to_owned());
            return Ok(Some(Member::Array(Box::new(Dataset { address, array, attributes }))));
        }
        if is_group(&messages) {
            if depth >= DEEPEST {
                let why = format!("more than {DEEPEST} groups in groups");
                return Err(crate::cursor::malformed(self.file.place(address)?, why));
            }
            self.groups.insert(address, path.to_owned());
            return Ok(Some(Member::Group(self.group(&messages, path, depth + 1)?)));
        }
        self.note(path, "it is a type that has a name, which arrays have of their own here");
        Ok(None)
    }

    fn attributes(&mut self, messages: &[super::object::Message], path: &str) -> Vec<Attribute> {
        let mut wrong = Vec::new();
        let found = attributes(self.file, messages, &mut |error| wrong.push(error));
        let found = found.unwrap_or_else(|error| {
            wrong.push(error);
            Vec::new()
        });
        wrong.into_iter().for_each(|error| self.wrong(path, error));
        found
    }

    pub(super) fn note(&mut self, path: &str, why: impl Into<String>) {
        self.notes.push(Doubt { path: Some(path.to_owned()), why: why.into() });
    }

    /// Says what is wrong with something, once for each place.
    pub(super) fn wrong(&mut self, path: &str, error: dudley::Error) {
        if error.address().is_none_or(|address| self.broken.insert(address)) {
            (self.found)(Finding::of_error(Severity::Error, "unreadable", &error).of(path));
        }
    }
}

impl Group {
    /// What is at a path, from this group on.
    pub(super) fn at<'g>(&'g self, root: &'g Group, path: &str) -> Option<&'g Member> {
        let mut here = if path.starts_with('/') { root } else { self };
        let mut parts = path.split('/').filter(|part| !part.is_empty() && *part != ".").peekable();
        while let Some(part) = parts.next() {
            let (_, member) = here.members.iter().find(|(name, _)| name == part)?;
            match (member, parts.peek()) {
                (member, None) => return Some(member),
                (Member::Group(group), Some(_)) => here = group,
                _ => return None,
            }
        }
        None
    }
}
