//! Layouts that were parsed before: files of one kind have the same one, which takes longer to parse than a value to read.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use dudley_parser::layout::Layout;

use super::parse_layout;
use crate::error::Result;

/// How many layouts are kept, and bytes of the text of each at most.
const KEPT: usize = 16;
const LONGEST: usize = 16 << 10;

/// The layouts that were needed last, the last one in front.
static KNOWN: Mutex<VecDeque<Arc<Layout>>> = Mutex::new(VecDeque::new());

/// The layout of a text: the one that was parsed before, if it is among the last ones.
///
/// # Errors
/// As [`parse_layout`].
pub(crate) fn layout(text: &[u8]) -> Result<Arc<Layout>> {
    if text.len() > LONGEST {
        return parse_layout(text).map(Arc::new);
    }
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    {
        let mut known = known();
        if let Some(at) = known.iter().position(|it| it.text().as_bytes() == text)
            && let Some(layout) = known.remove(at)
        {
            known.push_front(layout.clone());
            return Ok(layout);
        }
    }
    let layout = Arc::new(parse_layout(text)?);
    let mut known = known();
    known.truncate(KEPT - 1);
    known.push_front(layout.clone());
    Ok(layout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_parsed_once() {
        let text = b"known_once = f8[3]  ## (cm) length";
        let first = layout(text).expect("a layout");
        assert!(Arc::ptr_eq(&first, &layout(text).expect("the same")));
        let longer = [&text[..], b"\n"].concat();
        assert!(!Arc::ptr_eq(&first, &layout(&longer).expect("another one")));
        for number in 0..KEPT {
            layout(format!("others_{number} = f8").as_bytes()).expect("a layout");
        }
        assert!(!Arc::ptr_eq(&first, &layout(text).expect("an equal one")));
        assert!(layout(b"x = f9").is_err() && layout(b"x = f9").is_err());
        let long = format!("x = f8{}", " ".repeat(LONGEST));
        assert_eq!(layout(long.as_bytes()).expect("a layout").text().len(), long.len());
    }
}
