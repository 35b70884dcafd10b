//! Makes `dudley-parser/src/grammar.rs` from `grammar.pest`.
//!
//! The result is committed, so that nobody who only uses the crates builds pest's generator.

use crate::Outcome;
use pest_meta::ast::{Expr, RuleType};
use pest_meta::parser::{self, Rule};
use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use quote::quote;
use std::collections::HashMap;
use std::path::PathBuf;

/// Rules that are runs of characters, of which searches are made: pest looks at each character by itself.
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
    let searches = searches(&grammar)?;
    let grammar = inlined(&grammar)?;
    let input = quote! {
        #[grammar_inline = #grammar]
        pub(crate) struct Grammar;
    };
    let code = pest_generator::derive_parser(input, false);
    let (code, found) = with_searches(code, &searches);
    if found != RUNS.len() {
        return Err(format!("{found} of the rules {RUNS:?}").into());
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

/// The bodies of [`RUNS`], by the names of their functions.
fn searches(grammar: &str) -> Outcome<HashMap<String, TokenStream>> {
    let pairs = parser::parse(Rule::grammar_rules, grammar)?;
    let rules = parser::consume_rules(pairs).map_err(|errors| format!("{errors:?}"))?;
    let runs = rules.into_iter().filter(|rule| RUNS.contains(&&*rule.name));
    let bodies = runs.map(|rule| {
        let body = search(&rule.expr).ok_or_else(|| format!("`{}` is no run", rule.name))?;
        Ok((format!("r#{}", rule.name), body))
    });
    bodies.collect()
}

/// A search of what a rule repeats: ASCII characters, or one and behind it all up to others, as a comment.
fn search(rule: &Expr) -> Option<TokenStream> {
    let Expr::Rep(repeated) = rule else { return None };
    let mut arms = TokenStream::new();
    for choice in choices(repeated) {
        arms.extend(match choice {
            Expr::Seq(opening, rest) => {
                let (opening, ends) = (characters(opening)?, up_to(rest)?);
                quote! {
                    #opening => {
                        let is_in = |byte: &&u8| !matches!(byte, #ends);
                        at += bytes[at..].iter().take_while(is_in).count();
                    }
                }
            }
            choice => {
                let characters = characters(choice)?;
                quote! { #characters => at += 1, }
            }
        });
    }
    Some(quote! {
        crate::parse::runs::run(state, |bytes| {
            let mut at = 0;
            while let Some(byte) = bytes.get(at) {
                match byte {
                    #arms
                    _ => break,
                }
            }
            at
        })
    })
}

fn choices(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Choice(one, other) => [choices(one), choices(other)].concat(),
        expr => vec![expr],
    }
}

/// Some ASCII characters, as a pattern.
fn characters(expr: &Expr) -> Option<TokenStream> {
    let byte = |text: &str| match text.as_bytes() {
        [byte] if byte.is_ascii() => Some(Literal::byte_character(*byte)),
        _ => None,
    };
    let patterns = choices(expr).into_iter().map(|choice| match choice {
        Expr::Str(text) => byte(text).map(|byte| quote! { #byte }),
        Expr::Range(first, last) => {
            byte(first).zip(byte(last)).map(|(first, last)| quote! { #first..=#last })
        }
        _ => None,
    });
    let patterns = patterns.collect::<Option<Vec<_>>>()?;
    Some(quote! { #(#patterns)|* })
}

/// The characters that end `(!… ~ ANY)*`.
fn up_to(expr: &Expr) -> Option<TokenStream> {
    let Expr::Rep(repeated) = expr else { return None };
    let Expr::Seq(ends, any) = &**repeated else { return None };
    match (&**ends, &**any) {
        (Expr::NegPred(ends), Expr::Ident(any)) if any == "ANY" => characters(ends),
        _ => None,
    }
}

/// The code with these bodies of functions, and how many of them are there.
fn with_searches(code: TokenStream, bodies: &HashMap<String, TokenStream>) -> (TokenStream, usize) {
    let (mut found, mut is_rule, mut body) = (0, false, None);
    let mut trees = Vec::new();
    for tree in code {
        let tree = match (tree, body) {
            (TokenTree::Group(group), Some(of)) if group.delimiter() == Delimiter::Brace => {
                (body, found) = (None, found + 1);
                TokenTree::Group(Group::new(Delimiter::Brace, TokenStream::clone(of)))
            }
            (TokenTree::Group(group), _) => {
                let (inner, count) = with_searches(group.stream(), bodies);
                found += count;
                TokenTree::Group(Group::new(group.delimiter(), inner))
            }
            (tree, _) => tree,
        };
        if let TokenTree::Ident(name) = &tree {
            if is_rule {
                body = bodies.get(&name.to_string());
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
