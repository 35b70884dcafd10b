//! References of kerchunk, through which zarr finds arrays in files of other formats.
//!
//! A file of references is a JSON text. For each key of a zarr store it has the content, or the bytes of a file:
//! <https://fsspec.github.io/kerchunk/spec.html>, version 1. The metadata has zarr's format 2 or 3.

mod array;
mod blocks;
mod types;
mod zarr;

use std::collections::{BTreeMap, BTreeSet};

use dudley::model::{Dataset, Doubt, Kind, Node};
use dudley::{Data, Error, Result};
use dudley_parser::layout::path::push_name;
use serde_json::{Map, Value as Json, json};

use crate::table::{DEEPEST, MOST_ITEMS, is_table};
use crate::words::attributes;
use array::{Found, Parts};
pub use types::Version;

/// The greatest number of references of one array.
const MOST: u64 = 1 << 20;

/// A file, and its address for readers of the references.
///
/// ```
/// use dudley_formats::references::Member;
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("run.bd");
/// # let layout = dudley::parse_layout(b"x = f8")?;
/// # dudley::Writer::new(layout).put("/x", 0.5).attach(true).write_file(&path, false)?;
/// let dataset = dudley_formats::all().file(&path, &dudley::Open::new())?;
/// let member = Member { url: "s3://runs/run.bd".into(), base: 0, dataset };
/// assert_eq!(member.dataset.get("/x")?.data()?.shape(), [0; 0]);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Member {
    /// The path of the file, or its address.
    pub url: String,
    /// The byte of the file where the dataset begins.
    pub base: u64,
    /// The file.
    pub dataset: Dataset,
}

/// How references are made.
///
/// ```
/// use dudley_formats::references::{Options, Version};
///
/// let options = Options { version: Version::V3, chunk_bytes: 1 << 20, ..Options::default() };
/// assert_eq!(options.member, "member");
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// The format of zarr's metadata.
    pub version: Version,
    /// The name of the dimension that counts files, where there are several.
    pub member: String,
    /// An array without gaps is cut along its first dimension into chunks of at most this many bytes, where that divides it.
    pub chunk_bytes: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { version: Version::V2, member: "member".to_owned(), chunk_bytes: 1 << 26 }
    }
}

/// The references of a dataset, and what of it they leave out.
///
/// ```
/// use dudley_formats::references::References;
///
/// let none = References::default();
/// assert!(none.left_out.is_empty() && none.to_json()["refs"].is_object());
/// ```
#[derive(Debug, Default)]
pub struct References {
    keys: Map<String, Json>,
    /// The arrays that zarr cannot find, and the reasons.
    pub left_out: Vec<Doubt>,
}

impl References {
    /// The references as JSON.
    ///
    /// ```
    /// assert_eq!(dudley_formats::references::References::default().to_json()["version"], 1);
    /// ```
    pub fn to_json(&self) -> Json {
        json!({ "version": 1, "refs": self.keys })
    }
}

/// The references of files: of one, its arrays; of several of the same arrays, each array with one more dimension in
/// front, which counts the files.
///
/// ```
/// use dudley::Open;
/// use dudley::model::Formats;
/// use dudley_formats::references::{Member, Options, references};
///
/// let open = Open::new().layout_text("> x = f4[2, 3]  ## (m) depth\n #: dims = [\"y\", \"x\"]")?.raw();
/// let dataset = Formats::builtin().source("a.raw", vec![0; 24], &open)?;
/// let member = Member { url: "a.raw".into(), base: 0, dataset };
/// let found = references(&[member], &Options::default())?.to_json();
/// assert_eq!(found["refs"]["x/0.0"], serde_json::json!(["a.raw", 0, 24]));
/// assert!(found["refs"]["x/.zattrs"].as_str().is_some_and(|text| text.contains(r#""units":"m""#)));
/// # Ok::<(), dudley::Error>(())
/// ```
///
/// # Errors
/// If reading a file fails. An array that cannot be read, or that zarr cannot find, is left out and named.
pub fn references(members: &[Member], options: &Options) -> Result<References> {
    let mut found = References::default();
    let (mut files, mut groups) = (Vec::new(), None);
    for member in members {
        let mut walk = Walk {
            member,
            options,
            groups: BTreeMap::new(),
            arrays: Vec::new(),
            left_out: Vec::new(),
        };
        walk.node(&member.dataset.root()?, "", 0)?;
        found.left_out.append(&mut walk.left_out);
        match &mut groups {
            None => groups = Some(walk.groups),
            Some(groups) => in_common(groups, &walk.groups),
        }
        files.push(walk.arrays);
    }
    let arrays = match &mut files[..] {
        [arrays] => std::mem::take(arrays),
        files => stacked(members, files, options, &mut found.left_out),
    };
    zarr::write(options.version, &groups.unwrap_or_default(), arrays, &mut found.keys);
    Ok(found)
}

/// Keeps only those attributes of dicts and lists that all files have.
fn in_common(
    groups: &mut BTreeMap<String, Map<String, Json>>,
    others: &BTreeMap<String, Map<String, Json>>,
) {
    for (key, attributes) in groups {
        let other = others.get(key);
        attributes.retain(|name, value| other.and_then(|it| it.get(name)) == Some(value));
    }
}

/// The arrays of several files with a dimension in front that counts the files.
fn stacked(
    members: &[Member],
    files: &mut [Vec<Found>],
    options: &Options,
    left_out: &mut Vec<Doubt>,
) -> Vec<Found> {
    let count = files.len() as u64;
    let mut others: Vec<BTreeMap<String, Found>> = files
        .iter_mut()
        .skip(1)
        .map(|arrays| arrays.drain(..).map(|it| (it.key.clone(), it)).collect())
        .collect();
    let first = files.first_mut().map(std::mem::take).unwrap_or_default();
    let mut arrays = Vec::new();
    for mut array in first {
        let more: Vec<_> = others.iter_mut().map(|file| file.remove(&array.key)).collect();
        let path = Some(array.path.clone());
        if more.iter().flatten().count() < more.len() {
            left_out.push(Doubt { path, why: "not every file has it".to_owned() });
        } else if !more.iter().flatten().all(|other| array.is_like(other)) {
            let why = "files differ in its type, its shape, or how it is stored".to_owned();
            left_out.push(Doubt { path, why });
        } else if is_coordinate(&array) && is_equal(members, &array.path) {
            arrays.push(array);
        } else {
            array.stack(more.into_iter().flatten(), &options.member, count);
            arrays.push(array);
        }
    }
    let known: BTreeSet<_> = left_out.iter().filter_map(|doubt| doubt.path.clone()).collect();
    for array in others.into_iter().flat_map(BTreeMap::into_values) {
        if !known.contains(&array.path) {
            let why = "not every file has it".to_owned();
            left_out.push(Doubt { path: Some(array.path), why });
        }
    }
    left_out.sort_by(|a, b| a.path.cmp(&b.path));
    left_out.dedup();
    arrays
}

/// Whether an array has the coordinates along its only dimension, which xarray recognises by its name.
fn is_coordinate(array: &Found) -> bool {
    let name = array.key.rsplit('/').next();
    matches!(&array.dims[..], [Some(dim)] if Some(&**dim) == name)
}

/// Whether an array has the same elements in all files, so that one file is enough.
fn is_equal(members: &[Member], path: &str) -> bool {
    let read = |member: &Member| {
        let data = member.dataset.get(path).and_then(|node| node.data()).ok()?;
        if data.bytes() > MOST { None } else { data.raw().ok() }
    };
    let first = members.first().and_then(read);
    first.is_some() && members.iter().skip(1).all(|member| read(member) == first)
}

/// Visits a file.
struct Walk<'w> {
    member: &'w Member,
    options: &'w Options,
    /// The attributes of each dict and list, by its key.
    groups: BTreeMap<String, Map<String, Json>>,
    arrays: Vec<Found>,
    left_out: Vec<Doubt>,
}

impl Walk<'_> {
    fn node(&mut self, node: &Node, key: &str, depth: usize) -> Result<()> {
        let path = node.path();
        match node.kind() {
            Kind::Value => Ok(()),
            Kind::Array => match node.data().ok().filter(|data| data.blocks().is_some()) {
                Some(data) => self.blocks(node, &data, key),
                None => self.take(Parts::of_node(node), path, key),
            },
            _ if depth > DEEPEST || node.within_itself().is_some() => {
                self.leave_out(path, "it is in itself, or too deep");
                Ok(())
            }
            Kind::List if !self.member.dataset.is_decoded() && is_table(node)? => {
                self.table(node, key)
            }
            Kind::Dict | Kind::List => {
                self.groups.insert(key.to_owned(), attributes(node));
                for (at, child) in node.children()?.enumerate() {
                    if at as u64 == MOST_ITEMS {
                        self.leave_out(path, "no more than its first items are looked at");
                        break;
                    }
                    let child = match child {
                        Err(error) if !error.is_unread() => {
                            self.leave_out(path, error.to_string());
                            break;
                        }
                        child => child?,
                    };
                    if let Some(key) = self.key(key, &child.name(), child.path()) {
                        self.node(&child, &key, depth + 1)?;
                    }
                }
                Ok(())
            }
        }
    }

    /// A list of items of one form: an array of each array of an item.
    fn table(&mut self, list: &Node, key: &str) -> Result<()> {
        let mut open = vec![(
            list.children()?.next().transpose()?,
            format!("{}[:]", list.path()),
            key.to_owned(),
        )];
        while let Some((node, path, key)) = open.pop() {
            let Some(node) = node else { continue };
            match node.kind() {
                Kind::Value => {}
                Kind::Array => {
                    let parts = Parts::of_column(&self.member.dataset, &path, &node);
                    self.take(parts, path, &key)?;
                }
                Kind::List => {
                    let first = node.children()?.next().transpose()?;
                    open.push((first, path + "[:]", key));
                }
                Kind::Dict => {
                    self.groups.insert(key.clone(), attributes(&node));
                    let children: Vec<Node> = node.children()?.collect::<Result<_>>()?;
                    for child in children.into_iter().rev() {
                        let mut path = format!("{path}/");
                        push_name(&mut path, &child.name());
                        if let Some(key) = self.key(&key, &child.name(), path.clone()) {
                            open.push((Some(child), path, key));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes an array in blocks.
    fn blocks(&mut self, node: &Node, data: &Data, key: &str) -> Result<()> {
        let Some(blocks) = data.blocks() else { return Ok(()) };
        match blocks::found(self.member, (node, key), (data, blocks), self.options) {
            Ok(Ok(found)) => self.arrays.push(found),
            Ok(Err(why)) => self.leave_out(node.path(), why),
            Err(error) if error.is_unread() || matches!(error, Error::Cancelled) => {
                return Err(error);
            }
            Err(error) => self.leave_out(node.path(), error.to_string()),
        }
        Ok(())
    }

    /// Takes an array, or the fields of structs as a group of arrays.
    fn take(
        &mut self,
        parts: Result<Result<Parts, String>>,
        path: String,
        key: &str,
    ) -> Result<()> {
        let why = match parts {
            Ok(Ok(parts)) => return self.parts(parts, key),
            Ok(Err(why)) => why,
            Err(error) if error.is_unread() || matches!(error, Error::Cancelled) => {
                return Err(error);
            }
            Err(error) => error.to_string(),
        };
        self.leave_out(path, why);
        Ok(())
    }

    fn parts(&mut self, parts: Parts, key: &str) -> Result<()> {
        let path = parts.path.clone();
        let fields = match parts.fields() {
            Err(error) if !error.is_unread() => {
                self.leave_out(path, error.to_string());
                return Ok(());
            }
            fields => fields?,
        };
        if let Some(fields) = fields {
            self.groups.insert(key.to_owned(), parts.attributes);
            for (name, field) in fields {
                if let Some(key) = self.key(key, &name, field.path.clone()) {
                    self.parts(field, &key)?;
                }
            }
            return Ok(());
        }
        match parts.found(self.member, key, self.options) {
            Ok(found) => self.arrays.push(found),
            Err(why) => self.leave_out(path, why),
        }
        Ok(())
    }

    /// The key of an item in a group. `None`, with a warning, for a name that zarr does not accept.
    fn key(&mut self, key: &str, name: &str, path: String) -> Option<String> {
        let is_one = !matches!(name, "" | "." | ".." | "zarr.json")
            && !name.contains(['/', '\\'])
            && !name.starts_with(".z");
        if !is_one {
            self.leave_out(path, "zarr has no such name");
            return None;
        }
        Some(if key.is_empty() { name.to_owned() } else { format!("{key}/{name}") })
    }

    fn leave_out(&mut self, path: String, why: impl Into<String>) {
        self.left_out.push(Doubt { path: Some(path), why: why.into() });
    }
}
