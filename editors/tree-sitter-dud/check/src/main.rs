//! Do layouts parse with the tree-sitter grammar? Prints what does not, or the trees.
//!
//! `check FILE…` says where a file does not parse; `check --tree FILE` prints its tree;
//! `check --highlight FILE` prints each capture of the highlighting queries.

use tree_sitter::{Language, Node, Parser, Query, QueryCursor, StreamingIterator};
use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_dud() -> *const ();
}

const QUERIES: &str = include_str!("../../queries/highlights.scm");

fn main() {
    // SAFETY: the function of the parser that the build script made and compiled in.
    let language: Language = unsafe { LanguageFn::from_raw(tree_sitter_dud) }.into();
    let query = Query::new(&language, QUERIES).expect("the queries are not legal");
    let mut parser = Parser::new();
    parser.set_language(&language).expect("the parser is of another version");
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mode = match arguments.first().map(String::as_str) {
        Some("--tree" | "--highlight") => arguments.remove(0),
        _ => String::new(),
    };
    let mut count = 0;
    for file in &arguments {
        let text = std::fs::read(file).unwrap_or_else(|error| panic!("{file}: {error}"));
        let tree = parser.parse(&text, None).expect("a tree");
        match mode.as_str() {
            "--tree" => show(tree.root_node(), 0),
            "--highlight" => highlight(&query, tree.root_node(), &text),
            _ => errors(file, tree.root_node()),
        }
        count += 1;
    }
    eprintln!("{count} files");
}

fn errors(file: &str, node: Node) {
    if node.is_error() || node.is_missing() {
        let at = node.start_position();
        println!("{file}:{}:{}: {}", at.row + 1, at.column + 1, node.kind());
    } else if node.has_error() {
        for at in 0..node.child_count() {
            errors(file, node.child(at as u32).expect("a child"));
        }
    }
}

fn show(node: Node, depth: usize) {
    println!("{:indent$}{} {}", "", node.kind(), node.start_position().row + 1, indent = 2 * depth);
    for at in 0..node.named_child_count() {
        show(node.named_child(at as u32).expect("a child"), depth + 1);
    }
}

fn highlight(query: &Query, root: Node, text: &[u8]) {
    let mut cursor = QueryCursor::new();
    let mut captures = cursor.captures(query, root, text);
    while let Some((found, at)) = captures.next() {
        let capture = found.captures()[*at];
        let name = query.capture_names()[capture.index as usize];
        let text = capture.node.utf8_text(text).unwrap_or("?");
        let line = capture.node.start_position().row + 1;
        println!("{line}: {name}: {}", text.lines().next().unwrap_or_default());
    }
}
