//! By which paths do patterns know what a path with slices picks: as it was written, and as the item is
//! called that it is a part of.

use dudley_parser::layout::path::{push_name, push_param};

use crate::read::data::Data;
use crate::read::path::{Part, parse};
use crate::read::slice::Index;

/// The paths of an array that is compared, and of the fields in it.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// That under which it is compared.
    path: String,
    /// Its other name.
    others: Vec<String>,
}

impl Names {
    /// Of an array that a path picks, and that is compared under another or the same.
    pub(super) fn of(written: &str, path: &str, data: &Data) -> Names {
        let slash = if written.starts_with('/') { "" } else { "/" };
        let rooted = format!("{slash}{written}");
        let mut others = vec![data.path().to_owned(), with_indices(&rooted), rooted];
        // Items of a list that were put together go by the requested path.
        let list = data.path().contains('[').then_some("[:]");
        if let Ok(parts) = parse(written) {
            others.extend([true, false].map(|indices| plain(&parts, list, indices)));
        }
        Names { path: path.to_owned(), others }
    }

    /// All paths of what is compared under a path: of the array itself, or of a field in it.
    pub(super) fn all(&self, path: &str) -> Vec<String> {
        let below = path.strip_prefix(&self.path);
        let others = below
            .into_iter()
            .flat_map(|rest| self.others.iter().map(move |other| format!("{other}{rest}")));
        std::iter::once(path.to_owned()).chain(others).collect()
    }
}

/// A path with its single indices as patterns have them: `/l/3` for `/l[3]`.
fn with_indices(written: &str) -> String {
    let (mut path, mut rest) = (String::new(), written);
    while let Some((before, behind)) = rest.split_once('[') {
        path.push_str(before);
        let index = behind.split_once(']');
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        match index.filter(|(index, _)| digits(index)) {
            Some((index, behind)) => {
                path.push('/');
                path.push_str(index);
                rest = behind;
            }
            None => {
                path.push('[');
                rest = behind;
            }
        }
    }
    path + rest
}

/// A path without its slices: the first of them is that of a `list`, if there is one, and single indices
/// may be those of items of lists, as patterns have them.
fn plain(parts: &[Part], list: Option<&str>, indices: bool) -> String {
    let (mut path, mut list) = (String::new(), list);
    for part in parts {
        match part {
            Part::Name { text, quoted: false } if text.bytes().all(|it| it.is_ascii_digit()) => {
                path.push('/');
                path.push_str(text);
            }
            Part::Name { text, .. } => {
                path.push('/');
                push_name(&mut path, text);
            }
            Part::Param(name, ordinal) => {
                path.push_str("/:");
                push_param(&mut path, name, *ordinal);
            }
            Part::Field(name) => {
                path.push('.');
                push_name(&mut path, name);
            }
            Part::Slice(slice) => match (list.take(), &slice[..]) {
                (Some(list), _) => path.push_str(list),
                (None, [Index::At(at)]) if indices && *at >= 0 => {
                    path.push_str(&format!("/{at}"));
                }
                (None, _) => {}
            },
        }
    }
    path
}
