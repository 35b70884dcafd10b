//! Rust names for names of a layout: idiomatic, and unique in one place.

use std::collections::HashSet;

use proc_macro2::{Ident, Span};

/// Names that are taken in one place: a module, the methods of a type, the fields of a struct.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    taken: HashSet<String>,
}

impl Scope {
    /// Some names are taken from the start.
    pub(crate) fn with(taken: &[&str]) -> Scope {
        Scope { taken: taken.iter().map(|name| (*name).to_owned()).collect() }
    }

    /// A name of a method or field.
    pub(crate) fn snake(&mut self, name: &str) -> Ident {
        self.take(&joined(name, "_", str::to_lowercase), "_")
    }

    /// A name of a type.
    pub(crate) fn camel(&mut self, name: &str) -> Ident {
        self.take(&joined(name, "", capital), "")
    }

    /// A name of a constant.
    pub(crate) fn upper(&mut self, name: &str) -> Ident {
        self.take(&joined(name, "_", str::to_uppercase), "_")
    }

    fn take(&mut self, wanted: &str, between: &str) -> Ident {
        let mut name = wanted.to_owned();
        let mut count = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{wanted}{between}{count}");
            count += 1;
        }
        ident(&name)
    }
}

/// An identifier; a keyword gets `r#` or, if that is illegal, an underscore.
fn ident(name: &str) -> Ident {
    match name {
        "self" | "Self" | "super" | "crate" | "_" => {
            Ident::new(&format!("{name}_"), Span::call_site())
        }
        name if KEYWORDS.contains(&name) => Ident::new_raw(name, Span::call_site()),
        name => Ident::new(name, Span::call_site()),
    }
}

/// The keywords of all editions, the reserved ones among them.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// The words of a name, each converted.
fn joined(name: &str, between: &str, word: impl Fn(&str) -> String) -> String {
    let words: Vec<String> = words(name).iter().map(|it| word(it)).collect();
    let mut joined = words.join(between);
    if joined.is_empty() {
        joined = word("item");
    }
    if joined.starts_with(|c: char| c.is_numeric()) {
        // An underscore would say that it is not used.
        joined.insert_str(0, &word("n"));
    }
    joined
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    first + &chars.as_str().to_lowercase()
}

/// A name, divided at characters that identifiers cannot have, and between a small letter and a
/// capital one.
fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        if !is_letter(c) {
            words.push(std::mem::take(&mut word));
            continue;
        }
        word.push(c);
        let next = chars.peek().copied().unwrap_or(c);
        if (c.is_lowercase() || c.is_numeric()) && next.is_uppercase() {
            words.push(std::mem::take(&mut word));
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// Letters and digits of ASCII, and others that Rust takes in identifiers: of those the alphabetic
/// ones that have a case or need none.
fn is_letter(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphanumeric()
    } else {
        let text = c.to_string();
        syn::parse_str::<Ident>(&text).is_ok()
            && syn::parse_str::<Ident>(&text.to_lowercase()).is_ok()
            && syn::parse_str::<Ident>(&text.to_uppercase()).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snake(name: &str) -> String {
        Scope::default().snake(name).to_string()
    }

    #[test]
    fn names_are_idiomatic() {
        assert_eq!(snake("IMAX"), "imax");
        assert_eq!(snake("rhoCp"), "rho_cp");
        assert_eq!(snake("my name"), "my_name");
        assert_eq!(snake("type"), "r#type");
        assert_eq!(snake("self"), "self_");
        assert_eq!(snake("2d"), "n2d");
        assert_eq!(Scope::default().camel("2d").to_string(), "N2d");
        assert_eq!(snake(""), "item");
        assert_eq!(snake("_"), "item");
        assert_eq!(snake("x__y_"), "x_y");
        assert_eq!(snake("Δt"), "δt");
        assert_eq!(Scope::default().camel("hydro_state2").to_string(), "HydroState2");
        assert_eq!(Scope::default().camel("self").to_string(), "Self_");
        assert_eq!(Scope::default().upper("teMax").to_string(), "TE_MAX");
    }

    #[test]
    fn no_two_are_alike() {
        let mut scope = Scope::with(&["open"]);
        let names: Vec<String> =
            ["open", "N", "n", "n_2", "n"].iter().map(|it| scope.snake(it).to_string()).collect();
        assert_eq!(names, ["open_2", "n", "n_2", "n_2_2", "n_3"]);
    }
}
