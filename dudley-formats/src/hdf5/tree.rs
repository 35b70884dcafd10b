//! The objects of a file, by the links that lead to them: each group is entered once.

use hashbrown::{HashMap, HashSet};

use dudley::model::Doubt;
use dudley::verify::Finding;
use dudley::{Result, Severity};

use super::attribute::{Attribute, attributes};
use super::dataset::{Array, array, is_array};
use super::file::File;
use super::group::{Link, Target, find, is_group, links};
use super::heap::Objects;
use super::object::{Message, is_linked_often, messages};

/// The deepest nesting of groups: dicts nest no deeper.
const DEEPEST: usize = 200;
/// The most links.
const MOST: usize = 1 << 22;

/// A group.
#[derive(Default)]
pub(super) struct Group {
    pub(super) attributes: Vec<Attribute>,
    /// In the order of the file, with unique names.
    pub(super) members: Vec<(String, Member)>,
    /// The index of each member, by its name.
    known: HashMap<String, usize>,
}

/// The target of a link.
pub(super) enum Member {
    Group(Group),
    Array(Box<Dataset>),
    /// The target path of a soft link.
    Path(String),
}

/// An array with its attributes.
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
    /// Whether the result depends on other objects in the file.
    is_unsure: bool,
    /// Whether only the requested objects were visited.
    pub(super) is_part: bool,
}

/// The root group of a file.
pub(super) struct Root {
    address: u64,
    messages: Vec<Message>,
}

impl Root {
    /// Reads its header.
    ///
    /// # Errors
    /// If it is no group or is malformed.
    pub(super) fn read(file: &File, address: u64) -> Result<Root> {
        let messages = messages(file, address)?;
        if !is_group(&messages) {
            let place = file.place(address)?;
            return Err(crate::cursor::malformed(place, "the root of the file is no group"));
        }
        Ok(Root { address, messages })
    }
}

/// Visits a whole file. Faults of its parts go to `found`.
///
/// # Errors
/// If the root group is malformed.
pub(super) fn whole<'f>(
    file: &'f File,
    root: &Root,
    found: &'f mut dyn FnMut(Finding),
) -> Result<Tree<'f>> {
    let mut tree = Tree::new(file, root.address, found);
    tree.root = tree.group(&root.messages, "", 0)?;
    Ok(tree)
}

/// Visits only the object at a path of names, with all that it contains, and tells whether the last name is the name of
/// that object. `None` if the result depends on other objects in the file, or if there is no object.
///
/// # Errors
/// If an object on the path is malformed.
pub(super) fn part<'f>(
    file: &'f File,
    root: &Root,
    names: &[String],
    found: &'f mut dyn FnMut(Finding),
) -> Result<Option<(Tree<'f>, bool)>> {
    let mut tree = Tree { is_part: true, ..Tree::new(file, root.address, found) };
    // The groups on the path below the root.
    let mut way: Vec<Vec<Message>> = Vec::new();
    let mut path = String::new();
    let mut above = Vec::new();
    let mut ends = None;
    for (depth, name) in names.iter().enumerate() {
        let here = way.last().unwrap_or(&root.messages);
        let Some(Link { to: Target::Object(address), .. }) = find(file, here, name)? else {
            return Ok(None);
        };
        let here_is = path.clone();
        path += &crate::headers::path(&[name]);
        let messages = messages(file, address)?;
        let is_last = depth + 1 == names.len();
        above.push((name.clone(), tree.attributes(here, if depth == 0 { "/" } else { &here_is })));
        if is_last || is_array(&messages) {
            let member = tree.object(address, Some(messages), name, &path, depth)?;
            ends = member.map(|member| (member, is_last));
            break;
        }
        if !is_group(&messages) || is_linked_often(&messages) || depth >= DEEPEST {
            return Ok(None);
        }
        tree.groups.insert(address, path.clone());
        way.push(messages);
    }
    let Some((mut member, is_last)) = ends else { return Ok(None) };
    tree.name_dims(&member, way.iter().rev().chain([&root.messages]))?;
    while let Some((name, attributes)) = above.pop() {
        member = Member::Group(Group::new(attributes, vec![(name, member)]));
    }
    let Member::Group(root) = member else { return Ok(None) };
    tree.root = root;
    Ok((!tree.is_unsure).then_some((tree, is_last)))
}

impl<'f> Tree<'f> {
    fn new(file: &'f File, root: u64, found: &'f mut dyn FnMut(Finding)) -> Tree<'f> {
        Tree {
            root: Group::default(),
            names: HashMap::new(),
            notes: Vec::new(),
            file,
            found,
            groups: HashMap::from([(root, "/".to_owned())]),
            broken: HashSet::new(),
            count: 0,
            is_unsure: false,
            is_part: false,
        }
    }
}

impl Tree<'_> {
    fn group(&mut self, header: &[Message], path: &str, depth: usize) -> Result<Group> {
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
                Target::Path(to) => {
                    // A path may lead anywhere.
                    self.is_unsure = true;
                    members.push((link.name, Member::Path(to)));
                }
                Target::File { file, path } => self.note(
                    &here,
                    format!("it is a link to `{path}` of the file `{file}`, which is not followed"),
                ),
                Target::Elsewhere(to) => {
                    self.note(&here, format!("it is a link to {to}, which is not followed"))
                }
                Target::Object(address) => {
                    match self.object(address, None, &link.name, &here, depth) {
                        Ok(Some(member)) => members.push((link.name, member)),
                        Ok(None) => {}
                        Err(error) => self.wrong(&here, error),
                    }
                }
            }
        }
        Ok(Group::new(attributes, members))
    }

    /// The object at an address, with its messages if they are known.
    fn object(
        &mut self,
        address: u64,
        header: Option<Vec<Message>>,
        name: &str,
        path: &str,
        depth: usize,
    ) -> Result<Option<Member>> {
        if let Some(known) = self.groups.get(&address) {
            let known = known.clone();
            self.note(path, format!("it is the group `{known}`"));
            return Ok(None);
        }
        let messages = header.map_or_else(|| messages(self.file, address), Ok)?;
        if is_array(&messages) {
            let array = array(self.file, &messages)?;
            let attributes = self.attributes(&messages, path);
            // The first link to a scale gives the dimension its name.
            self.is_unsure |= is_linked_often(&messages) && !attributes.is_empty();
            self.names.entry(address).or_insert_with(|| name.to_owned());
            return Ok(Some(Member::Array(Box::new(Dataset { address, array, attributes }))));
        }
        if is_group(&messages) {
            if depth >= DEEPEST {
                let why = format!("more than {DEEPEST} groups in groups");
                return Err(crate::cursor::malformed(self.file.place(address)?, why));
            }
            self.is_unsure |= is_linked_often(&messages);
            self.groups.insert(address, path.to_owned());
            return Ok(Some(Member::Group(self.group(&messages, path, depth + 1)?)));
        }
        self.note(path, "it is a type that has a name, which arrays have of their own here");
        Ok(None)
    }

    /// Finds the names of the dimensions of arrays: the names of scales in the groups on the path, the inner ones first.
    fn name_dims<'m>(
        &mut self,
        member: &Member,
        groups: impl Iterator<Item = &'m Vec<Message>>,
    ) -> Result<()> {
        let mut arrays = vec![member];
        let mut wanted = HashSet::new();
        let objects = Objects::default();
        while let Some(member) = arrays.pop() {
            match member {
                Member::Group(group) => arrays.extend(group.members.iter().map(|(_, it)| it)),
                Member::Path(_) => {}
                Member::Array(dataset) => {
                    let of = |name: &str| dataset.attributes.iter().find(|it| it.name == name);
                    if let Some(listed) = of("DIMENSION_LIST") {
                        let listed = listed.references(self.file, &objects).unwrap_or_default();
                        wanted.extend(listed.iter().filter_map(|it| it.first().copied()));
                    } else if let Some(numbers) = of("_Netcdf4Coordinates") {
                        let numbers = numbers.integers(self.file, &objects);
                        let own =
                            of("_Netcdf4Dimid").and_then(|it| it.integers(self.file, &objects));
                        // The numbers belong to other arrays.
                        self.is_unsure |= numbers.is_none() || own != numbers;
                    }
                }
            }
        }
        wanted.retain(|address| !self.names.contains_key(address));
        for group in groups {
            if wanted.is_empty() {
                break;
            }
            for link in links(self.file, group)? {
                if let Target::Object(address) = link.to
                    && wanted.remove(&address)
                {
                    self.is_unsure |= is_linked_often(&messages(self.file, address)?);
                    self.names.insert(address, link.name);
                }
            }
        }
        self.is_unsure |= !wanted.is_empty();
        Ok(())
    }

    fn attributes(&mut self, messages: &[Message], path: &str) -> Vec<Attribute> {
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

    /// Reports that the elements of an array are not in the file: no fault, but they cannot be read.
    pub(super) fn elsewhere(&mut self, path: &str, why: &str) {
        self.note(path, why);
        let message = format!("{why}, which are not read");
        (self.found)(Finding::new(Severity::Note, "elsewhere", message).of(path));
    }

    /// Reports an error, once for each place.
    pub(super) fn wrong(&mut self, path: &str, error: dudley::Error) {
        if error.address().is_none_or(|address| self.broken.insert(address)) {
            (self.found)(Finding::of_error(Severity::Error, "unreadable", &error).of(path));
        }
    }
}

impl Group {
    fn new(attributes: Vec<Attribute>, members: Vec<(String, Member)>) -> Group {
        let known = members.iter().enumerate().map(|(at, (name, _))| (name.clone(), at)).collect();
        Group { attributes, members, known }
    }

    /// The member at a path from this group.
    pub(super) fn at<'g>(&'g self, root: &'g Group, path: &str) -> Option<&'g Member> {
        let mut here = if path.starts_with('/') { root } else { self };
        let mut parts = path.split('/').filter(|part| !part.is_empty() && *part != ".").peekable();
        while let Some(part) = parts.next() {
            let (_, member) = here.members.get(*here.known.get(part)?)?;
            match (member, parts.peek()) {
                (member, None) => return Some(member),
                (Member::Group(group), Some(_)) => here = group,
                _ => return None,
            }
        }
        None
    }
}
