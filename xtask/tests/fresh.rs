//! Files that are generated and committed are what the generators make now.

#[test]
fn grammar() {
    let generated = xtask::grammar::generate().expect("the grammar is valid");
    let committed = xtask::grammar::committed().expect("the parser is committed");
    assert!(generated == committed, "grammar.rs is stale: run `cargo xtask grammar`");
}
