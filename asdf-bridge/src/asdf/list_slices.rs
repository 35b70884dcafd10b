//! Slices of lists of a tree: `/list[1:3]/x` stands for `/list/1/x` and `/list/2/x`.

use dudley::error::Item as Of;
use dudley::read::path::{Part, parse, spell};
use dudley::read::select::{Picked, Selected};
use dudley::read::slice::{Index, resolve};
use dudley_parser::layout::path::push_name;

use super::error::{Error, Result};
use super::file::AsdfFile;
use super::item::Item;
use super::tree::NodeKind;

/// No more items are picked: lists in lists may be the same ones again and again.
const MOST: usize = 1 << 20;

/// The paths that one with slices of lists stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The item.
    path: String,
    /// The paths, in the order of the slices, without slices of lists; those of arrays are left in them.
    pub paths: Vec<String>,
    /// How many items each slice of lists picks; `None` if lists in a list differ in length.
    stacked: Option<Vec<u64>>,
}

impl AsdfFile {
    /// The paths that one with slices of lists stands for: itself if it has none.
    ///
    /// ```
    /// use asdf_bridge::asdf::Open;
    ///
    /// let file = Open::new().bytes(*b"#ASDF 1.0.0\n--- {l: [{x: 1}, {x: 2}, {x: 3}]}\n...\n")?;
    /// assert_eq!(file.spread("/l[1:]/x")?.paths, ["/l/1/x", "/l/2/x"]);
    /// assert_eq!(file.select("/l[::2]/x")?.shape(), [2]);
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::get`]; [`dudley::Error::BadSlice`]; [`Error::Limit`] for more than a million items.
    pub fn spread(&self, path: &str) -> Result<Spread> {
        let parts = parse(path)?;
        let spread = Spread { path: path.to_owned(), paths: Vec::new(), stacked: Some(Vec::new()) };
        if !parts.iter().any(|part| matches!(part, Part::Slice(_))) {
            return Ok(Spread { paths: vec![path.to_owned()], ..spread });
        }
        let mut walk = Walk { spread, lists: false };
        walk.item(&self.root()?.resolve()?, &parts, "", 0)?;
        if walk.lists {
            Ok(walk.spread)
        } else {
            // As it was written.
            Ok(Spread { paths: vec![path.to_owned()], ..walk.spread })
        }
    }
}

impl Spread {
    /// Whether a slice picks items of lists, however many.
    pub fn is_several(&self) -> bool {
        self.stacked.as_ref().is_none_or(|stacked| !stacked.is_empty())
    }

    /// All items as one value: stacked, if they have one shape and one type.
    ///
    /// # Errors
    /// As [`Picked::check_alike`]; [`dudley::Error::BadSlice`] for lists that differ in length.
    pub fn stack(&self, parts: Vec<Picked>) -> Result<Selected> {
        let Some(stacked) = self.stacked.clone() else {
            let (item, why) = (Of::new(&*self.path), "the lists in it differ in length".into());
            return Err(dudley::Error::BadSlice { item, why }.into());
        };
        if let [first, others @ ..] = &parts[..] {
            for other in others {
                first.check_alike(other, &self.path)?;
                // Of values nothing else tells that they are of one shape.
                let (own, other) = (first.shape(), other.shape());
                if own != other {
                    return Err(dudley::Error::wrong_shape(&self.path, &own, &other).into());
                }
            }
        }
        Ok(Selected { stacked, parts })
    }
}

struct Walk {
    spread: Spread,
    /// There was a slice of a list.
    lists: bool,
}

impl Walk {
    /// An item, whose path is `at`, with what is left of the path; `depth` slices of lists are around it.
    fn item(&mut self, item: &Item, rest: &[Part], at: &str, depth: usize) -> Result<()> {
        match rest.split_first() {
            Some((Part::Name { text, quoted }, rest)) => {
                let next = item.child(text, *quoted, &self.spread.path)?.resolve()?;
                let mut at = format!("{at}/");
                if *quoted {
                    push_name(&mut at, text)
                } else {
                    at.push_str(text)
                }
                self.item(&next, rest, &at, depth)
            }
            Some((Part::Slice(indices), rest))
                if item.node().kind() == NodeKind::Sequence && !item.is_array() =>
            {
                self.list(item, indices, rest, at, depth)
            }
            _ => {
                if self.spread.paths.len() >= MOST {
                    let what = format!("items that `{}` picks", self.spread.path).into();
                    return Err(Error::Limit { what, limit: MOST.to_string().into() });
                }
                self.spread.paths.push(match rest {
                    [] if !at.is_empty() => at.to_owned(),
                    rest => at.to_owned() + &spell(rest),
                });
                Ok(())
            }
        }
    }

    /// A slice of a list; further indices go to what is in the list.
    fn list(
        &mut self,
        list: &Item,
        indices: &[Index],
        rest: &[Part],
        at: &str,
        depth: usize,
    ) -> Result<()> {
        self.lists = true;
        let bad =
            |why: &str| dudley::Error::BadSlice { item: Of::new(list.path()), why: why.into() };
        let (first, others) = match indices.split_first() {
            Some((Index::Ellipsis, _)) => return Err(bad("a slice of a list has no `...`").into()),
            Some((first, others)) => (*first, others),
            None => return Err(bad("it is empty").into()),
        };
        let length = list.node().len() as u64;
        let picked = resolve(&[first], &[length]).map_err(|error| error.of_item(list.path()))?[0];
        let mut next = rest.to_vec();
        if !others.is_empty() {
            next.insert(0, Part::Slice(others.to_vec()));
        }
        let depth = match (picked.single, &mut self.spread.stacked) {
            (true, _) => depth,
            (false, Some(stacked)) if stacked.len() == depth => {
                stacked.push(picked.count);
                depth + 1
            }
            (false, Some(stacked)) if stacked[depth] == picked.count => depth + 1,
            (false, stacked) => {
                *stacked = None;
                depth + 1
            }
        };
        for index in 0..picked.count {
            let index = picked.start as i64 + index as i64 * picked.step;
            let name = index.to_string();
            let item = list.child(&name, false, &self.spread.path)?.resolve()?;
            self.item(&item, &next, &format!("{at}/{name}"), depth)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::asdf::Open;

    const TREE: &[u8] = b"#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n--- \n\
        l: [{x: 1, y: !core/ndarray-1.1.0 [1, 2]}, {x: 2, y: !core/ndarray-1.1.0 [3, 4]}]\n\
        n: [[1, 2], [3, 4], [5, 6]]\nr: [[1], [2, 3]]\nm: {\"0\": [7]}\n...\n";

    #[test]
    fn slices_of_lists_are_paths() {
        let file = Open::new().bytes(TREE).expect("a file");
        for (path, paths, shape) in [
            ("/l/0/y[1:]", &["/l/0/y[1:]"][..], &[1][..]),
            ("/l[:]/y[::-1]", &["/l/0/y[::-1]", "/l/1/y[::-1]"], &[2, 2]),
            ("/l[1]/x", &["/l/1/x"], &[]),
            ("/n[1:, -1]", &["/n/1/1", "/n/2/1"], &[2]),
            ("/n[:2, :]", &["/n/0/0", "/n/0/1", "/n/1/0", "/n/1/1"], &[2, 2]),
            ("/m/\"0\"[:]", &["/m/\"0\"/0"], &[1]),
            ("/n[3:]", &[], &[0]),
        ] {
            assert_eq!(file.spread(path).expect(path).paths, paths, "{path}");
            assert_eq!(file.select(path).expect(path).shape(), shape, "{path}");
        }
        // What is of one length alone is stacked; all are paths.
        assert_eq!(file.spread("/r[:, :]").expect("paths").paths.len(), 3);
        assert!(file.select("/r[:, :]").is_err());
        for path in ["/l[2]", "/l[...]", "/l[:]", "/l[:]/z", "/m[0]", "/l.x", "/l[0, 0]"] {
            assert!(file.select(path).is_err(), "{path}");
        }
    }
}
