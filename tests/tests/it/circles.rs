//! Do files import each other in circles? A parent and its own children are one room, and aside.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use dudley_tests::root;

/// The folders of `dudley/src`, from the lowest floor up: what the files of each may import. All are below it, except for
/// the formats of numpy, which stand in the table of formats.
const FLOORS: [(&str, &[&str]); 20] = [
    ("error", &[]),
    ("bytes", &["error"]),
    ("elements", &["error", "bytes"]),
    ("filter", &["error", "bytes", "elements"]),
    ("read", &["error", "bytes", "elements", "filter"]),
    ("encode", &["error", "bytes", "elements", "filter", "read"]),
    ("index", &["error", "bytes", "read", "encode"]),
    ("write", &["error", "bytes", "filter", "read", "encode", "index"]),
    ("append", &["error", "bytes", "elements", "filter", "read", "encode", "index", "write"]),
    (
        "create",
        &["error", "bytes", "elements", "filter", "read", "encode", "index", "write", "append"],
    ),
    ("checkpoint", &["error", "bytes", "read", "index", "write", "append", "create"]),
    (
        "typed",
        &[
            "error", "bytes", "elements", "filter", "read", "encode", "index", "write", "append",
            "create",
        ],
    ),
    ("ranks", &["error", "elements", "read", "encode", "create", "typed"]),
    ("structs", &["error", "bytes", "elements", "read", "encode", "write"]),
    (
        "family",
        &["error", "bytes", "elements", "filter", "read", "index", "write", "append", "typed"],
    ),
    ("verify", &["error", "bytes", "elements", "filter", "read", "index"]),
    ("stat", &["error", "bytes", "elements", "read"]),
    ("diff", &["error", "bytes", "elements", "read"]),
    ("model", &["error", "bytes", "elements", "read", "index", "append", "verify", "numpy"]),
    ("numpy", &["error", "bytes", "elements", "read", "encode", "verify", "model"]),
];

/// A file of a crate: the names of its modules, from the root on.
type Module = Vec<String>;

/// The files that each file of a crate names.
fn imports(crate_name: &str) -> BTreeMap<Module, BTreeSet<Module>> {
    let base = root().join(crate_name).join("src");
    let mut texts = BTreeMap::new();
    collect(&base, &mut Vec::new(), &mut texts);
    let of = |(module, text): (&Module, &String)| {
        let named = paths(text).into_iter().filter_map(|path| target(module, &path, &texts));
        (module.clone(), named.filter(|named| !is_one_room(module, named)).collect())
    };
    texts.iter().map(of).collect()
}

fn collect(folder: &Path, above: &mut Module, texts: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        if path.is_dir() {
            above.push(name);
            collect(&path, above, texts);
            above.pop();
        } else if path.extension().is_some_and(|it| it == "rs")
            && !["lib", "main", "tests"].contains(&&*name)
        {
            let text = fs::read_to_string(&path).expect("a text");
            texts.insert([&above[..], &[name]].concat(), text);
        }
    }
}

fn is_one_room(a: &Module, b: &Module) -> bool {
    a.starts_with(b) || b.starts_with(a)
}

/// Words and signs, without comments and what is for tests alone.
fn tokens(text: &str) -> Vec<&str> {
    let end = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    let mut tokens = Vec::new();
    for line in text[..end].lines() {
        let mut rest = line.split("//").next().unwrap_or_default();
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let length = match first {
                ':' if rest.starts_with("::") => 2,
                c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                c => c.len_utf8(),
            };
            let (token, behind) = rest.split_at(length);
            if !token.trim().is_empty() {
                tokens.push(token);
            }
            rest = behind;
        }
    }
    tokens
}

/// The paths that are imported, and those that begin with `crate` or `super` anywhere else.
fn paths(text: &str) -> Vec<Vec<&str>> {
    let tokens = tokens(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let begins = at == 0 || [";", "}", "]", ")", "pub", "{"].contains(&tokens[at - 1]);
        if tokens[at] == "use" && begins {
            at += 1;
            tree(&tokens, &mut at, &mut Vec::new(), &mut found);
        } else if ["crate", "super"].contains(&tokens[at]) && tokens.get(at + 1) == Some(&"::") {
            let mut path = vec![tokens[at]];
            while tokens.get(at + 1) == Some(&"::") && at + 2 < tokens.len() {
                at += 2;
                path.push(tokens[at]);
            }
            found.push(path);
        }
        at += 1;
    }
    found
}

/// The paths of an import, which may have braces.
fn tree<'t>(
    tokens: &[&'t str],
    at: &mut usize,
    above: &mut Vec<&'t str>,
    found: &mut Vec<Vec<&'t str>>,
) {
    let depth = above.len();
    while let Some(token) = tokens.get(*at) {
        match *token {
            "{" => {
                loop {
                    *at += 1;
                    tree(tokens, at, above, found);
                    if tokens.get(*at) != Some(&",") {
                        break;
                    }
                }
                // Behind the brace nothing belongs to the path.
                *at += 1;
                above.truncate(depth);
                return;
            }
            "," | "}" | ";" => break,
            "::" => {}
            "as" => *at += 1,
            word => above.push(word),
        }
        *at += 1;
    }
    if above.len() > depth {
        found.push(above.clone());
    }
    above.truncate(depth);
}

/// The file that a path in a file leads to.
fn target(module: &Module, path: &[&str], texts: &BTreeMap<Module, String>) -> Option<Module> {
    let mut rest = path.iter().copied().peekable();
    let mut at: Module = match *rest.peek()? {
        "crate" => {
            rest.next();
            Vec::new()
        }
        "self" => {
            rest.next();
            module.clone()
        }
        "super" => {
            let mut above = module.clone();
            while rest.next_if_eq(&"super").is_some() {
                above.pop();
            }
            above
        }
        first if texts.contains_key(&[&module[..], &[first.to_owned()]].concat()) => module.clone(),
        _ => return None,
    };
    let mut found = texts.contains_key(&at).then(|| at.clone());
    for name in rest {
        at.push(name.to_owned());
        if texts.contains_key(&at) { found = Some(at.clone()) } else { break }
    }
    found.filter(|found| found != module)
}

/// Files that lead to each other, more than one.
fn circles(imports: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<Vec<String>> {
    let reached = |from: &Module| {
        let (mut known, mut next) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(module) = next.pop() {
            for named in imports.get(&module).into_iter().flatten() {
                if known.insert(named.clone()) {
                    next.push(named.clone());
                }
            }
        }
        known
    };
    let reach: BTreeMap<&Module, BTreeSet<Module>> =
        imports.keys().map(|module| (module, reached(module))).collect();
    let of = |module: &Module| -> Vec<String> {
        let round = reach[module].iter().filter(|other| reach[other].contains(module));
        round.map(|module| module.join("::")).collect()
    };
    imports.keys().map(of).filter(|circle| circle.len() > 1).collect()
}

#[test]
fn no_files_import_each_other() {
    let names = [
        "asdf-bridge",
        "dudc",
        "dudley",
        "dudley-c",
        "dudley-codegen",
        "dudley-derive",
        "dudley-doc",
        "dudley-formats",
        "dudley-parser",
        "dudley-web",
    ];
    for name in names {
        let found = circles(&imports(name));
        assert!(found.is_empty(), "files of {name} import each other in a circle: {found:?}");
    }
}

/// Every folder imports what is said of it, and all that is said of it is true.
#[test]
fn folders_of_the_engine_are_floors() {
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, named) in imports("dudley") {
        let floors = found.entry(module[0].clone()).or_default();
        floors.extend(named.iter().map(|it| it[0].clone()).filter(|it| *it != module[0]));
    }
    let list = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect();
    let allowed: BTreeMap<String, BTreeSet<String>> =
        FLOORS.iter().map(|(folder, below)| ((*folder).to_owned(), list(below))).collect();
    assert_eq!(found, allowed);
    let mut below = vec!["numpy"];
    for (folder, allowed) in FLOORS {
        assert!(allowed.iter().all(|it| below.contains(it)), "{folder} imports what is above it");
        below.push(folder);
    }
}

/// That the test finds a circle, where there is one.
#[test]
fn a_circle_is_found() {
    let files = [
        ("a", "use crate::b::{self, x::Y};\nfn f() {}\n"),
        ("b", "// use crate::c;\nuse crate::c::d as e;\n"),
        ("c", "fn f() { crate::a::g() }\n#[cfg(test)]\nmod tests { use crate::d; }"),
        ("d", "use super::a;\n"),
    ];
    let texts: BTreeMap<Module, String> =
        files.iter().map(|(name, text)| (vec![(*name).to_owned()], (*text).to_owned())).collect();
    let imports = texts.iter().map(|(module, text)| {
        let named = paths(text).into_iter().filter_map(|path| target(module, &path, &texts));
        (module.clone(), named.collect())
    });
    let found: Vec<Vec<String>> = circles(&imports.collect()).into_iter().collect();
    assert_eq!(found, [["a", "b", "c"].map(str::to_owned)]);
}
