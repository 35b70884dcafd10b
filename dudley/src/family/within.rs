//! Where the members of a family lie in their files, and how they are opened.

use std::fmt::Write as _;
use std::sync::Arc;

use dudley_parser::Layout;
use dudley_parser::layout::ParamId;
use dudley_parser::layout::dtype::ByteOrder;

use crate::append::attached_length;
use crate::bytes::signature::{LEN, Signature};
use crate::bytes::source::{Source, Window};
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::index::index_end;
use crate::read::stream::{Open, Stream};

/// Members begin at multiples of this many bytes.
pub(super) const UNIT: u64 = 16;

/// Where the members lie in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Within {
    /// A file is a member.
    #[default]
    Whole,
    /// Members begin at these bytes of each file.
    At(Vec<u64>),
    /// Members begin equally far apart, up to the end of the file.
    Every {
        /// Where the first begins, in bytes.
        first: u64,
        /// From one to the next, in bytes.
        step: u64,
    },
    /// One after the other: each begins at the next multiple of 16 behind the data of the one
    /// before.
    Following,
}

/// How the members of a family are found and opened; a catalog keeps it for later updates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct How {
    pub(super) within: Within,
    /// The layout was given, whatever members carry.
    pub(super) given: bool,
    pub(super) raw: bool,
    pub(super) order: Option<ByteOrder>,
    pub(super) params: Vec<(String, i128)>,
}

/// A member found in a file.
pub(super) struct Found {
    /// Where it begins, in bytes of the file.
    pub(super) start: u64,
    /// Bytes of its stream, without an appended layout.
    pub(super) bytes: u64,
    pub(super) stream: Stream,
}

impl Found {
    /// Opens the member that lies from `start` to `end` of a file.
    fn open(
        opener: &Open,
        source: &Arc<dyn Source>,
        start: u64,
        end: u64,
        check: &dyn Fn(&Stream) -> Result<()>,
    ) -> Result<Found> {
        if !start.is_multiple_of(UNIT) {
            return Err(Error::BadStart { start });
        }
        let window = Window::new(source.clone(), start, end.saturating_sub(start))?;
        let stream = opener.clone().source(window)?;
        check(&stream)?;
        if stream.data_end()? > stream.len() {
            Err(cut_off(&stream))
        } else {
            Ok(Found { start, bytes: stream.len(), stream })
        }
    }
}

/// A place past the end of a stream.
fn cut_off(stream: &Stream) -> Error {
    let (layout, len) = (stream.layout(), stream.len());
    let root = layout.root().iter().enumerate();
    let first = stream.with_resolver(|resolver| {
        let mut placed = root.filter_map(|(at, step)| Some((resolver.step_extent(at).ok()?, step)));
        placed.find(|(placed, _)| placed.address.saturating_add(placed.bytes) > len)
    });
    match first {
        Some((placed, step)) => {
            let there = len.saturating_sub(placed.address);
            let error = Error::truncated(placed.address, placed.bytes, there);
            match layout.step_path(*step) {
                Some(path) => error.of_item(&path),
                None => error,
            }
        }
        None => Error::truncated(len, 1, 0),
    }
}

/// Whether a native stream begins at an address.
fn begins_native(source: &Arc<dyn Source>, address: u64) -> Result<bool> {
    let length = crate::bytes::source::rest(source.len(), address)?;
    let mut head = vec![0; length.min(LEN) as usize];
    source.read_at(address, &mut head)?;
    Ok(matches!(Signature::detect(&head, length), Ok(Some(_))))
}

impl Within {
    /// Checks that members can begin there.
    ///
    /// # Errors
    /// [`Error::BadStart`], [`Error::BadStep`].
    pub(super) fn check(&self) -> Result<()> {
        let starts = match self {
            Within::At(starts) => starts.as_slice(),
            Within::Every { first, .. } => std::slice::from_ref(first),
            Within::Whole | Within::Following => &[],
        };
        if let Some(&start) = starts.iter().find(|start| !start.is_multiple_of(UNIT)) {
            return Err(Error::BadStart { start });
        }
        match *self {
            Within::Every { step, .. } if step == 0 || !step.is_multiple_of(UNIT) => {
                Err(Error::BadStep { step })
            }
            _ => Ok(()),
        }
    }
}

impl How {
    /// Hands the members in a file to `take`, one after the other: where each begins, in bytes of the file, and
    /// the member or what is wrong with it. Each is checked before it is placed: what has another layout has
    /// other sizes.
    ///
    /// # Errors
    /// If `take` fails, and then it goes no further; if reading between members fails.
    pub(super) fn find(
        &self,
        source: &Arc<dyn Source>,
        layout: &Arc<Layout>,
        filters: &Arc<Registry>,
        check: &dyn Fn(&Stream) -> Result<()>,
        take: &mut dyn FnMut(u64, Result<Found>) -> Result<()>,
    ) -> Result<()> {
        let end = source.len();
        let opener = self.opener(layout, filters);
        let open = |start: u64, end: u64| Found::open(&opener, source, start, end, check);
        match &self.within {
            Within::Whole => take(0, open(0, end)),
            Within::At(starts) => {
                let mut starts = starts.clone();
                starts.sort_unstable();
                starts.dedup();
                let ends = starts.iter().skip(1).copied().chain([end]).collect::<Vec<_>>();
                let mut places = starts.into_iter().zip(ends);
                places.try_for_each(|(start, until)| take(start, open(start, until.min(end))))
            }
            Within::Every { first, step } => {
                let next = |start: &u64| start.checked_add(*step);
                let starts = std::iter::successors(Some(*first), next);
                let mut starts = starts.take_while(|start| *start < end);
                starts.try_for_each(|start| {
                    take(start, open(start, start.saturating_add(*step).min(end)))
                })
            }
            Within::Following => {
                let (mut start, mut before) = (0, 0);
                while start < end {
                    match self.following(open(start, end)) {
                        Ok((member, behind)) => {
                            take(start, Ok(member))?;
                            before = behind.min(end);
                            start = before.checked_next_multiple_of(UNIT).unwrap_or(u64::MAX);
                        }
                        Err(_) if start > before && begins_native(source, before)? => {
                            // Files that were put together as they are.
                            return take(before, Err(Error::BadStart { start: before }));
                        }
                        // Where it would end is not known, so nothing behind it is found.
                        Err(error) => return take(start, Err(error)),
                    }
                }
                Ok(())
            }
        }
    }

    /// A member that others follow, without the layout appended to it; and where that ends.
    fn following(&self, member: Result<Found>) -> Result<(Found, u64)> {
        let member = member?;
        let data = member.stream.data_end()?;
        let behind = self.behind(member.start, data, &member.stream)?;
        Ok((Found { bytes: data, ..member }, behind))
    }

    /// Where a member ends: its data, and the layout appended to it with the index of that.
    fn behind(&self, start: u64, data: u64, stream: &Stream) -> Result<u64> {
        let layout = stream.signature().and_then(|signature| signature.layout_address);
        let text = match layout {
            None => 0,
            Some(address) => {
                // Behind its terminator another member may begin.
                let text = match stream.appended_text() {
                    Err(error @ Error::NoText { .. }) => Err(error),
                    text => Ok(text?.unwrap_or_default()),
                };
                match text.and_then(|text| Ok((crate::parse_layout(&text)?, text))) {
                    Ok((layout, text)) if layout.has_terminator() => {
                        let end = address.saturating_add(attached_length(&text, &layout) as u64);
                        index_end(&stream.bytes().whole, end).unwrap_or(end)
                    }
                    Ok(_) => u64::MAX,
                    // Where layouts are compared this was reported; else what is there is no layout.
                    Err(_) => 0,
                }
            }
        };
        Ok(start.saturating_add(data.max(text).max(1)))
    }

    /// How any member is opened.
    pub(super) fn opener(&self, layout: &Arc<Layout>, filters: &Arc<Registry>) -> Open {
        let mut open = Open::new().layout(layout.clone()).filters(filters.clone());
        if self.raw {
            open = open.raw();
        }
        if let Some(order) = self.order {
            open = open.order(order);
        }
        for (name, value) in &self.params {
            open = open.param(name.as_str(), *value);
        }
        open
    }

    /// The params that it gives.
    ///
    /// # Errors
    /// [`Error::NoSuchParam`].
    pub(super) fn given(&self, layout: &Layout) -> Result<Vec<ParamId>> {
        self.params.iter().map(|(name, _)| crate::read::path::param(layout, name)).collect()
    }

    /// As a catalog keeps it: a line for each thing said.
    pub(super) fn to_text(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = match &self.within {
            Within::Whole => writeln!(text, "whole"),
            Within::At(starts) => {
                let starts: Vec<String> = starts.iter().map(u64::to_string).collect();
                writeln!(text, "at {}", starts.join(" "))
            }
            Within::Every { first, step } => writeln!(text, "every {first} {step}"),
            Within::Following => writeln!(text, "following"),
        };
        if self.given {
            text += "given\n";
        }
        if self.raw {
            text += "raw\n";
        }
        match self.order {
            Some(ByteOrder::Little) => text += "order little\n",
            Some(ByteOrder::Big) => text += "order big\n",
            None => {}
        }
        for (name, value) in &self.params {
            let _ = writeln!(text, "param {value} {name}");
        }
        text
    }

    /// The reverse of [`Self::to_text`]; `None` for what no version wrote.
    pub(super) fn from_text(text: &str) -> Option<How> {
        let mut how = How::default();
        for line in text.lines() {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "whole" => how.within = Within::Whole,
                "following" => how.within = Within::Following,
                "at" => {
                    let starts = rest.split_whitespace().map(|start| start.parse().ok());
                    how.within = Within::At(starts.collect::<Option<_>>()?);
                }
                "every" => {
                    let (first, step) = rest.split_once(' ')?;
                    let (first, step) = (first.parse().ok()?, step.parse().ok()?);
                    how.within = Within::Every { first, step };
                }
                "given" => how.given = true,
                "raw" => how.raw = true,
                "order" if rest == "little" => how.order = Some(ByteOrder::Little),
                "order" if rest == "big" => how.order = Some(ByteOrder::Big),
                "param" => {
                    let (value, name) = rest.split_once(' ')?;
                    how.params.push((name.to_owned(), value.parse().ok()?));
                }
                _ => return None,
            }
        }
        Some(how)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_member_is_opened_behind_one_that_is_refused() {
        let how = How { within: Within::Every { first: 0, step: 16 }, raw: true, ..How::default() };
        let layout = Arc::new(crate::parse_layout(b"x = f8[3]").expect("a layout"));
        let source: Arc<dyn Source> = Arc::new(vec![0; 1 << 20]);
        let mut starts = Vec::new();
        let found =
            how.find(&source, &layout, &Arc::default(), &|_| Ok(()), &mut |start, member| {
                starts.push(start);
                member.map(|_| ())
            });
        assert!(matches!(found, Err(Error::Truncated { .. })));
        assert_eq!(starts, [0]);
    }

    #[test]
    fn what_a_catalog_keeps_comes_back() {
        let every = Within::Every { first: 16, step: 4096 };
        for within in [Within::Whole, Within::At(vec![0, 160]), every, Within::Following] {
            for order in [None, Some(ByteOrder::Little), Some(ByteOrder::Big)] {
                let params = vec![("N".to_owned(), -1), ("/a b/M#2".to_owned(), 7)];
                let (given, raw) = (order != Some(ByteOrder::Big), order.is_some());
                let how = How { within: within.clone(), given, raw, order, params };
                assert_eq!(How::from_text(&how.to_text()), Some(how));
            }
        }
        assert_eq!(How::from_text("sideways"), None);
    }
}
