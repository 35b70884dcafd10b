//! Whether a member is of the layout of its family, and what differs if not.

use std::sync::{Arc, Mutex, PoisonError};

use dudley_parser::Layout;
use dudley_parser::layout::identity::identity;
use dudley_parser::layout::print::print;

use crate::error::{Error, Result};
use crate::read::stream::{Open, Stream, parse_layout};
use crate::typed::check_same;
use crate::write::attached_text;

/// The most texts that are remembered to say the same.
const MOST_TEXTS: usize = 64;

/// The layout of a family.
pub(super) struct Template {
    pub(super) layout: Arc<Layout>,
    /// Whether layouts appended to members are compared with it.
    compared: bool,
    identity: u64,
    /// Appended texts that are known to say the same, terminators included.
    texts: Mutex<Vec<Arc<[u8]>>>,
}

impl Template {
    /// The layout that a caller gave, whatever is appended to members.
    pub(super) fn given(layout: Arc<Layout>) -> Template {
        Template { compared: false, ..Template::of(layout) }
    }

    /// A layout that those appended to members must be equal to.
    pub(super) fn of(layout: Arc<Layout>) -> Template {
        let text = Arc::from(attached_text(&layout));
        let identity = identity(&layout);
        Template { layout, compared: true, identity, texts: Mutex::new(vec![text]) }
    }

    /// The layout of a stream.
    ///
    /// # Errors
    /// [`Error::Layout`] if its text cannot be read again.
    pub(super) fn of_stream(stream: &Stream) -> Result<Template> {
        let layout = parse_layout(stream.layout().text().as_bytes())?;
        Ok(Template::of(Arc::new(layout)))
    }

    /// Checks that the layout appended to a member, if there is one, says the same as that of the family.
    /// The stream is opened with the latter.
    ///
    /// # Errors
    /// [`Error::Incompatible`] with a difference; if reading the layout fails.
    pub(super) fn check(&self, member: &Stream) -> Result<()> {
        if !self.compared {
            return Ok(());
        }
        let texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for text in &texts {
            if member.appended_begins(text)? {
                return Ok(());
            }
        }
        let Some(text) = member.appended_text()? else { return Ok(()) };
        let layout = parse_layout(&text)?;
        if identity(&layout) != self.identity {
            return Err(difference(member, layout));
        }
        if layout.has_terminator() && texts.len() < MOST_TEXTS {
            let text = Arc::from(layout.text().as_bytes());
            self.texts.lock().unwrap_or_else(PoisonError::into_inner).push(text);
        }
        Ok(())
    }
}

/// What differs between the layout that a stream is opened with and another one.
pub(super) fn difference(member: &Stream, layout: Layout) -> Error {
    let theirs = match member.reopen(Open::new().layout(layout)) {
        Ok(theirs) => theirs,
        Err(error) => return error,
    };
    let swapped = |error| match error {
        Error::Incompatible { path, expected, found } => {
            Error::Incompatible { path, expected: found, found: expected }
        }
        error => error,
    };
    let placed =
        check_same(member, &theirs).and_then(|()| check_same(&theirs, member).map_err(swapped));
    match placed {
        Err(error @ Error::Incompatible { .. }) => error,
        // They place everything alike in this stream, but not in all; or one cannot place it at all.
        _ => line_that_differs(&print(member.layout()), &print(theirs.layout())),
    }
}

fn line_that_differs(ours: &str, theirs: &str) -> Error {
    let lines = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
    };
    let (ours, theirs) = (lines(ours), lines(theirs));
    let at = ours.iter().zip(&theirs).take_while(|(our, their)| our == their).count();
    let line = |lines: &[String]| match lines.get(at) {
        Some(line) => format!("`{line}`").into(),
        None => "nothing more".into(),
    };
    Error::Incompatible { path: "/".into(), expected: line(&ours), found: line(&theirs) }
}
