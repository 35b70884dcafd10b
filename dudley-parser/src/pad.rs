//! Blanks in front of text and behind it: how many, where the number comes from what is shown?

/// No column is so wide that it is filled up further, and nothing is indented further.
const MOST: usize = 1000;

/// This many blanks, but at most a thousand: what is longer than that in one line is not lined up with others, which would
/// cost as much again for each line.
///
/// ```
/// assert_eq!(dudley_parser::pad::blanks(3), "   ");
/// assert_eq!(dudley_parser::pad::blanks(70_000).len(), 1000);
/// ```
pub fn blanks(count: usize) -> String {
    " ".repeat(count.min(MOST))
}

/// A text, filled up with blanks to this many characters; as [`blanks`], not further than a thousand.
///
/// ```
/// assert_eq!(dudley_parser::pad::filled("ab", 4), "ab  ");
/// assert_eq!(dudley_parser::pad::filled("abc", 2), "abc");
/// ```
pub fn filled(text: &str, width: usize) -> String {
    let missing = width.min(MOST).saturating_sub(text.chars().count());
    text.to_owned() + &blanks(missing)
}
