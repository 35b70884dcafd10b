//! Layouts that were parsed before: files of one kind have the same one, which takes longer to parse than a value to read.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dudley_parser::layout::Layout;

use super::parse_layout;
use crate::error::Result;

/// How many layouts are kept.
const KEPT: usize = 16;
/// Bytes of the text of such a layout at most, bytes of the text together with what follows its terminator, and items, so
/// that they take little memory.
const LONGEST: usize = 16 << 10;
const LONGEST_READ: usize = 128 << 10;
const MOST: usize = 4096;

/// The layouts that were needed last, the last one in front.
#[derive(Default)]
struct Known(Mutex<VecDeque<Arc<Layout>>>);

/// The layout of a text: the one that was parsed before, if it is among the last ones.
///
/// # Errors
/// As [`parse_layout`].
pub(crate) fn layout(text: &[u8]) -> Result<Arc<Layout>> {
    static KNOWN: Known = Known(Mutex::new(VecDeque::new()));
    KNOWN.layout(text)
}

impl Known {
    fn layout(&self, text: &[u8]) -> Result<Arc<Layout>> {
        if text.len() > LONGEST_READ {
            return parse_layout(text).map(Arc::new);
        }
        if let Some(layout) = find(&mut self.layouts(), text) {
            return Ok(layout);
        }
        let layout = Arc::new(parse_layout(text)?);
        let items = layout.arrays().count() + layout.records().count() + layout.param_count();
        if layout.text().len() > LONGEST || items > MOST {
            return Ok(layout);
        }
        let mut known = self.layouts();
        // Another thread may have been faster.
        if let Some(layout) = find(&mut known, text) {
            return Ok(layout);
        }
        known.truncate(KEPT - 1);
        known.push_front(layout.clone());
        Ok(layout)
    }

    fn layouts(&self) -> MutexGuard<'_, VecDeque<Arc<Layout>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The layout of a text, which is in front then.
fn find(known: &mut VecDeque<Arc<Layout>>, text: &[u8]) -> Option<Arc<Layout>> {
    let at = known.iter().position(|layout| is_of(layout, text))?;
    let layout = known.remove(at)?;
    known.push_front(layout.clone());
    Some(layout)
}

/// Whether a layout is that of a text. What follows the line of its terminator is no part of it.
fn is_of(layout: &Layout, text: &[u8]) -> bool {
    match text.strip_prefix(layout.text().as_bytes()) {
        Some([]) => true,
        Some([next, ..]) => layout.has_terminator() && matches!(next, b'\n' | b'\r'),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_parsed_once() {
        let known = Known::default();
        let layout = |text: &[u8]| known.layout(text).expect("a layout");
        let text = b"x = f8[3]  ## (cm) length";
        let first = layout(text);
        assert!(Arc::ptr_eq(&first, &layout(text)));
        for other in [
            &b"x = f8[3]  ## (cm) length\n"[..],
            b"x = f8[3]",
            b"x = f8[3]  ## (cm) length\ny = f4",
        ] {
            assert_eq!(layout(other).text().as_bytes(), other);
        }
        for number in 0..KEPT {
            layout(format!("others_{number} = f8").as_bytes());
        }
        assert!(!Arc::ptr_eq(&first, &layout(text)));
        assert_eq!(known.layouts().len(), KEPT);
        assert!(known.layout(b"x = f9").is_err() && known.layout(b"x = f9").is_err());
    }

    #[test]
    fn what_follows_a_terminator_does_not_matter() {
        let known = Known::default();
        let layout = |text: &[u8]| known.layout(text).expect("a layout");
        let first = layout(b"x = f8\n-\n");
        for same in [&b"x = f8\n-"[..], b"x = f8\n-\n\xff\0", b"x = f8\n-\r\ny = f4"] {
            assert!(Arc::ptr_eq(&first, &layout(same)));
        }
        for other in [&b"x = f8\n--\n"[..], b"x = f8\n", b"x = f8"] {
            assert!(!Arc::ptr_eq(&first, &layout(other)));
        }
    }

    #[test]
    fn large_layouts_are_not_kept() {
        let known = Known::default();
        let long: String = (0..LONGEST / 8).map(|at| format!("a{at} = f4\n")).collect();
        let layout = known.layout(long.as_bytes()).expect("a layout");
        assert_eq!((layout.text().len(), known.layouts().len()), (long.len(), 0));
    }
}
