//! The arrays at and below an item; those of lists whose repetitions are alike as one array each.

use dudley_parser::layout::{Count, Step};
use dudley_parser::resolve::Target;

use crate::error::{Error, Result};
use crate::read::data::Data;
use crate::read::item::{Item, ItemKind};
use crate::read::path::{join, join_index};

/// Arrays in one repetition of a list that are put together at most.
const TOGETHER: usize = 4096;

/// An array that was found.
pub(crate) struct Leaf {
    /// Its path; `[:]` stands for the indices of lists that were put together.
    pub(crate) path: String,
    /// The array.
    pub(crate) data: Data,
    /// Whether it is one item of a list for whose indices its path has `[:]`.
    pub(crate) apart: bool,
}

/// How items are visited.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walk {
    /// The items of lists are apart, each with its own path.
    pub(crate) each: bool,
    /// Params that are in the stream are arrays as well.
    pub(crate) params: bool,
}

impl Walk {
    /// Hands out all arrays at and below an item, in the order of the text, and what cannot be
    /// placed. Of a list whose next repetition the stream does not reach, the rest is left out.
    pub(crate) fn run(self, item: &Item, visit: &mut dyn FnMut(Result<Leaf>)) {
        self.run_as(item, item.path(), false, visit);
    }

    /// As [`Self::run`], under another path; `apart` if the item is one of several under it.
    pub(crate) fn run_as(
        self,
        item: &Item,
        path: &str,
        apart: bool,
        visit: &mut dyn FnMut(Result<Leaf>),
    ) {
        self.item(&item.limited(), path.to_owned(), apart, visit);
    }

    /// Whether to go on: the stream did not end.
    fn item(
        self,
        item: &Item,
        path: String,
        apart: bool,
        visit: &mut dyn FnMut(Result<Leaf>),
    ) -> bool {
        match item.kind() {
            ItemKind::Dict => {
                let mut goes_on = true;
                if self.params {
                    for param in item.params().iter().filter(|param| param.is_stored()) {
                        goes_on &= leaf(param, join_param(&path, param.path()), apart, visit);
                    }
                }
                for name in item.names() {
                    if let Some(child) = item.child(&name) {
                        goes_on &= self.item(&child, join(&path, &name), apart, visit);
                    }
                }
                goes_on
            }
            ItemKind::List => self.list(item, &path, apart, visit),
            ItemKind::Data => leaf(item, path, apart, visit),
            ItemKind::Param => !self.params || leaf(item, path, apart, visit),
        }
    }

    fn list(
        self,
        list: &Item,
        path: &str,
        apart: bool,
        visit: &mut dyn FnMut(Result<Leaf>),
    ) -> bool {
        let length = match list.len() {
            Ok(length) => length,
            Err(error) => {
                visit(Err(error));
                return true;
            }
        };
        if !self.each
            && let Some(leaves) = self.together(list, length)
        {
            for (rest, data) in leaves {
                visit(Ok(Leaf { path: format!("{path}[:]{rest}"), data, apart }));
            }
            return true;
        }
        for index in 0..length {
            let goes_on = match list.element(index) {
                Ok(item) if self.each => self.item(&item, join_index(path, index), apart, visit),
                Ok(item) => self.item(&item, format!("{path}[:]"), true, visit),
                Err(error) => {
                    visit(Err(error));
                    false
                }
            };
            if !goes_on {
                return false;
            }
        }
        true
    }

    /// The arrays of all repetitions of a list, each with what its path has behind that of the
    /// list, if all lie equally far apart and in the stream. Three repetitions are looked at.
    pub(crate) fn together(self, list: &Item, length: u64) -> Option<Vec<(String, Data)>> {
        if length < 2 {
            return None;
        }
        let at = |index: u64| list.element(index).ok();
        let nodes = [at(0)?, at(1)?, at(length - 1)?];
        let layout = list.stream().layout();
        if !nodes[1..].iter().all(|item| item.node().repeats_as(nodes[0].node(), layout)) {
            return None;
        }
        let [first, second, last] = [&nodes[0], &nodes[1], &nodes[2]].map(|item| self.few(item));
        let (first, second, last) = (first?, second?, last?);
        if first.len() != second.len() || first.len() != last.len() {
            return None;
        }
        let rows = first.into_iter().zip(second).zip(last);
        rows.map(|((first, second), last)| {
            let path = format!("{}[:]{}", list.path(), first.path);
            let data = first.data.repeated(&second.data, &last.data, length, &path)?;
            data.check_there().ok()?;
            Some((first.path, data))
        })
        .collect()
    }

    /// The arrays at and below an item, with what their paths have behind its own; `None` if there
    /// are very many, or some cannot be placed.
    fn few(self, item: &Item) -> Option<Vec<Leaf>> {
        let mut leaves = Some(Vec::new());
        self.item(item, String::new(), false, &mut |leaf| match (leaf, &mut leaves) {
            (Ok(leaf), Some(leaves)) if leaves.len() < TOGETHER => leaves.push(leaf),
            _ => leaves = None,
        });
        leaves
    }
}

impl Item {
    /// The arrays of all items of a list, if the items are equal and equally far apart: each as one array
    /// with a dimension in front (its path has `[:]` there), stored params among them; `None` where they are
    /// not. Three items are looked at, and no elements read.
    ///
    /// ```
    /// let open = dudley::Open::new().layout_text("l [/ a = u1  b = u1[2]]*3")?;
    /// let stream = open.bytes([1, 2, 3, 4, 5, 6, 7, 8, 9])?;
    /// let columns = stream.get("/l")?.columns().expect("they are alike");
    /// assert_eq!((columns[0].path(), columns[0].strides()), ("/l[:]/a", &[3][..]));
    /// assert_eq!(columns[1].slice(&[dudley::read::slice::Index::At(2)])?.read::<u8>()?.sum(), 17);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn columns(&self) -> Option<Vec<Data>> {
        let walk = Walk { each: false, params: true };
        let leaves = walk.together(self, self.len().ok()?)?;
        Some(leaves.into_iter().map(|(_, data)| data).collect())
    }
}

/// How the items of a list follow from its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeated {
    /// Each is written, or some differ.
    Not,
    /// One is written, with how often it occurs as a number.
    Times,
    /// One is written, and a param says how often it occurs, or the text continues with more of it: a history.
    Grows,
}

impl Item {
    /// How the items of a list are written: whether all of them are repetitions of one, so that they have the same
    /// members. That of anything else is not.
    ///
    /// ```
    /// use dudley::read::Repeated;
    ///
    /// let text = "N : 3  a [/ t = u1]*N  b [/ t = u1, / t = u1]";
    /// let stream = dudley::Open::new().layout_text(text)?.bytes([0; 5])?;
    /// assert_eq!(stream.get("/a")?.repeated(), Repeated::Grows);
    /// assert_eq!(stream.get("/b")?.repeated(), Repeated::Not);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn repeated(&self) -> Repeated {
        let Target::List(list) = self.node().target else { return Repeated::Not };
        let layout = self.stream().layout();
        let (mut one, mut repeated): (Option<Step>, _) = (None, Repeated::Not);
        for piece in &layout[list].pieces {
            let piece = &layout[*piece];
            for step in layout.run(piece.body) {
                if one.is_some_and(|one| one != *step) {
                    return Repeated::Not;
                }
                one = Some(*step);
            }
            let is_one = matches!(piece.count, Count::Int(1));
            repeated = match piece.count {
                Count::Int(_) if !piece.extension && repeated != Repeated::Grows => {
                    if is_one {
                        repeated
                    } else {
                        Repeated::Times
                    }
                }
                _ => Repeated::Grows,
            };
        }
        repeated
    }
}

fn leaf(item: &Item, path: String, apart: bool, visit: &mut dyn FnMut(Result<Leaf>)) -> bool {
    let found = item.data().and_then(|data| data.check_there().map(|()| data));
    let goes_on = !found.as_ref().is_err_and(Error::is_truncated);
    visit(found.map(|data| Leaf { path, data, apart }));
    goes_on
}

/// The path of a param in a dict: its own ends in `:name#2`.
fn join_param(dict: &str, param: &str) -> String {
    let name = crate::read::path::split(param).1;
    format!("{}/{name}", if dict == "/" { "" } else { dict })
}
