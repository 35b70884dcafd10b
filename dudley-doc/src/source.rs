//! The text of a layout with colours, its lines numbered, its names linked to what is said of them.

use std::collections::HashMap;

use dudley_parser::layout::dtype::Primitive;

use crate::escape::html;

/// What a piece of the text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Comment,
    Doc,
    Attribute,
    Quoted,
    Number,
    Type,
    Name,
    Other,
}

impl Token {
    fn class(self) -> &'static str {
        match self {
            Token::Comment => "tc",
            Token::Doc => "td",
            Token::Attribute => "ta",
            Token::Quoted => "tq",
            Token::Number => "tn",
            Token::Type => "tt",
            Token::Name | Token::Other => "",
        }
    }
}

/// Lines of a list of them. A browser lays out only the lists that are seen, so that a long text is there at
/// once.
const TOGETHER: usize = 100;

/// The lines of a text as HTML; `links` are addresses of pages by where a name begins in it.
pub(crate) fn listing(text: &str, links: &HashMap<u32, String>) -> String {
    let mut page = String::from("<div class=\"source\">\n<ol>\n");
    let mut at = 0;
    for (number, line) in lines(text) {
        if number > 1 && number % TOGETHER == 1 {
            page += &format!("</ol>\n<ol start=\"{number}\">\n");
        }
        page += &format!("<li id=\"L{}\"><code>", number);
        let mut rest = line;
        while !rest.is_empty() {
            let (token, length) = token(rest);
            let (piece, more) = rest.split_at(length);
            push(&mut page, token, piece, links.get(&(at + (line.len() - rest.len()) as u32)));
            rest = more;
        }
        page += "</code></li>\n";
        at += line.len() as u32 + ending(&text[at as usize + line.len()..]);
    }
    page + "</ol>\n</div>\n"
}

fn push(page: &mut String, token: Token, piece: &str, link: Option<&String>) {
    let text = html(&piece.replace('\t', "  "));
    match (link, token.class()) {
        (Some(link), _) => {
            *page += &format!("<a href=\"{}\">{text}</a>", html(link));
        }
        (None, "") => *page += &text,
        (None, class) => *page += &format!("<span class=\"{class}\">{text}</span>"),
    }
}

/// Lines with their numbers, without what ends them: `\n`, `\r\n` or `\r`.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = Some(text);
    let mut number = 0;
    std::iter::from_fn(move || {
        let text = rest.filter(|text| !text.is_empty())?;
        number += 1;
        let end = text.find(['\n', '\r']).unwrap_or(text.len());
        let (line, behind) = text.split_at(end);
        rest = Some(&behind[ending(behind) as usize..]);
        Some((number, line))
    })
}

fn ending(text: &str) -> u32 {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// What a line begins with, and how many bytes of it.
fn token(line: &str) -> (Token, usize) {
    let first = line.chars().next().unwrap_or(' ');
    let run = |is: &dyn Fn(char) -> bool| line.find(|c| !is(c)).unwrap_or(line.len());
    match first {
        '#' => (comment(line), line.len()),
        '"' | '\'' => (Token::Quoted, quoted(line, first)),
        '0'..='9' => (Token::Number, run(&|c| c.is_ascii_alphanumeric() || c == '_')),
        'A'..='Z' | 'a'..='z' | '_' => {
            let length = run(&|c| c.is_ascii_alphanumeric() || c == '_');
            (word(&line[..length]), length)
        }
        '<' | '>' | '|' => {
            let rest = &line[1..];
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            match word(&rest[..length]) {
                Token::Type => (Token::Type, 1 + length),
                _ => (Token::Other, 1),
            }
        }
        first => (Token::Other, first.len_utf8()),
    }
}

fn word(word: &str) -> Token {
    if Primitive::from_name(word).is_some() { Token::Type } else { Token::Name }
}

fn comment(line: &str) -> Token {
    match line {
        line if line.starts_with("#:") => Token::Attribute,
        line if line.starts_with("##") && !line.starts_with("###") => Token::Doc,
        _ => Token::Comment,
    }
}

/// A quoted name or text up to its end, or to that of the line.
fn quoted(line: &str, mark: char) -> usize {
    let mut escaped = false;
    for (at, c) in line.char_indices().skip(1) {
        match (escaped, c) {
            (true, _) => escaped = false,
            (false, '\\') => escaped = true,
            (false, c) if c == mark => return at + 1,
            (false, _) => {}
        }
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_numbered_and_names_linked() {
        let text = "x = <f8[3]  ## a <b>\r\n\"y\" = i4 #: c";
        let links = HashMap::from([(0, "#/x".to_owned()), (22, "#/y".to_owned())]);
        let page = listing(text, &links);
        assert!(page.contains("<li id=\"L1\"><code><a href=\"#/x\">x</a> = "), "{page}");
        assert!(page.contains("<span class=\"tt\">&lt;f8</span>"), "{page}");
        assert!(page.contains("## a &lt;b&gt;</span>"), "{page}");
        assert!(page.contains("<li id=\"L2\"><code><a href=\"#/y\">&quot;y&quot;</a>"), "{page}");
        assert!(page.contains("<span class=\"ta\">#: c</span>"), "{page}");
    }

    #[test]
    fn lists_of_lines_go_on_counting() {
        let page = listing(&"x = f8\n".repeat(201), &HashMap::new());
        assert_eq!(page.matches("<ol").count(), 3, "{page}");
        for number in [1, 100, 101, 200, 201] {
            let line = format!("<li id=\"L{number}\">");
            assert_eq!(page.matches(&line).count(), 1, "{line}");
        }
        assert!(page.contains("</li>\n</ol>\n<ol start=\"201\">\n<li id=\"L201\">"), "{page}");
    }
}
