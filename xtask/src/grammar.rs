//! Makes `dudley-parser/src/grammar.rs` from `grammar.pest`.
//!
//! The result is committed, so that nobody who only uses the crates builds pest's generator.

use crate::Outcome;
use pest_meta::ast::{Expr, RuleType};
use pest_meta::parser::{self, Rule};
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use std::collections::HashMap;
use std::path::PathBuf;

/// Rules that are runs of characters, which functions of these names in `parse/runs.rs` find: pest looks at each character by
/// itself.
const RUNS: [&str; 2] = ["name_rest", "t"];

const HEADER: &str = "\
//! The parser that pest makes from `grammar.pest`. Do not edit: run `cargo xtask grammar`.

";

/// Writes the parser to its file.
///
/// # Errors
///
/// If the grammar is not valid, or a file cannot be read or written.
pub fn update() -> Outcome<()> {
    Ok(std::fs::write(folder().join("grammar.rs"), generate()?)?)
}

/// The parser as it was written last.
///
/// # Errors
///
/// If it cannot be read.
pub fn committed() -> Outcome<String> {
    Ok(std::fs::read_to_string(folder().join("grammar.rs"))?)
}

/// The parser as the grammar says.
///
/// # Errors
///
/// If the grammar cannot be read or is not valid.
pub fn generate() -> Outcome<String> {
    let grammar = std::fs::read_to_string(folder().join("grammar.pest"))?;
    let grammar = inlined(&grammar)?;
    let input = quote! {
        #[grammar_inline = #grammar]
        pub(crate) struct Grammar;
    };
    let code = pest_generator::derive_parser(input, false);
    let (code, searches) = with_searches(code);
    if searches != RUNS.len() {
        return Err(format!("{searches} of the rules {RUNS:?}").into());
    }
    let file: syn::File = syn::parse2(quote! {
        #![allow(clippy::all, dead_code, missing_docs, unused_imports, unreachable_pub)]
        pub(crate) struct Grammar;
        #code
    })?;
    Ok(format!("{HEADER}{}", prettyplease::unparse(&file)))
}

/// A grammar without its silent rules, which stand where they were named. For of these pest makes code that looks for
/// white space by itself, of which this grammar has none, between all parts of a repetition: such code takes
/// two to four times as long.
///
/// [`RUNS`] stay rules.
fn inlined(grammar: &str) -> Outcome<String> {
    let pairs = parser::parse(Rule::grammar_rules, grammar)?;
    let rules = parser::consume_rules(pairs).map_err(|errors| format!("{errors:?}"))?;
    let (silent, rules): (Vec<_>, Vec<_>) = rules
        .into_iter()
        .partition(|rule| rule.ty == RuleType::Silent && !RUNS.contains(&&*rule.name));
    let silent: HashMap<_, _> = silent.into_iter().map(|rule| (rule.name, rule.expr)).collect();
    let mut text = String::new();
    for rule in rules {
        let expr = rule.expr.map_top_down(|mut expr| {
            while let Expr::Ident(name) = &expr
                && let Some(inner) = silent.get(name)
            {
                expr = inner.clone();
            }
            // Of a range pest makes a comparison, of a text a call.
            match expr {
                Expr::Str(text) if text.chars().count() == 1 => Expr::Range(text.clone(), text),
                expr => expr,
            }
        });
        let kind = match rule.ty {
            RuleType::Atomic => "@",
            RuleType::CompoundAtomic => "$",
            RuleType::NonAtomic => "!",
            RuleType::Silent => "_",
            RuleType::Normal => "",
        };
        text += &format!("{} = {kind}{{ {expr} }}\n", rule.name);
    }
    Ok(text)
}

/// The code with [`RUNS`] as searches, and how many of these rules are there.
fn with_searches(code: TokenStream) -> (TokenStream, usize) {
    let (mut found, mut is_rule, mut run) = (0, false, None);
    let mut trees = Vec::new();
    for tree in code {
        let tree = match (tree, run) {
            (TokenTree::Group(group), Some(of)) if group.delimiter() == Delimiter::Brace => {
                (run, found) = (None, found + 1);
                let of = Ident::new(of, Span::call_site());
                let body = quote! { crate::parse::runs::run(state, crate::parse::runs::#of) };
                TokenTree::Group(Group::new(Delimiter::Brace, body))
            }
            (TokenTree::Group(group), _) => {
                let (inner, count) = with_searches(group.stream());
                found += count;
                TokenTree::Group(Group::new(group.delimiter(), inner))
            }
            (tree, _) => tree,
        };
        if let TokenTree::Ident(name) = &tree {
            if is_rule {
                let name = name.to_string();
                run = RUNS.into_iter().find(|run| name == format!("r#{run}"));
            }
            is_rule = name == "fn";
        }
        trees.push(tree);
    }
    (trees.into_iter().collect(), found)
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../dudley-parser/src")
}
