//! Are comments, pages and help free of phrases that readers stumble over?
//!
//! CONTRIBUTING.md has the style that these phrases are against. Code, in pages and between backticks, is not looked at.

use std::process::Command;

use dudley_tests::root;

/// Phrases, as words between blanks, each with what to write instead. Quotes of them stand in CONTRIBUTING.md.
const PHRASES: [(&str, &str); 34] = [
    ("so many", "the name of the number, or `this many`"),
    ("; none if", "; `None` if"),
    (", none if", "; `None` if"),
    ("; none where", "; `None` where"),
    ("# Errors What", "`If … fails`, or the variant"),
    ("# Errors When", "`If …`, or the variant"),
    ("is given each", "`Receives each …`"),
    ("for who", "for a reader, a caller, a program that"),
    ("by who", "by the reader, by the code that"),
    ("of who", "of the reader, of the code that"),
    ("to who", "to the reader, to the code that"),
    ("whoever", "a program that, any user"),
    ("came by", "found"),
    ("is come by", "is found"),
    ("cannot be had", "is missing, cannot be read"),
    ("can be had", "is there, can be read"),
    ("spelt", "written"),
    ("told", "reported, recognised, distinguished"),
    ("stated", "declared"),
    ("passed by", "skipped"),
    ("puts right", "corrects"),
    ("put right", "corrected"),
    ("sets right", "repairs"),
    ("set right", "repaired"),
    ("but for", "except, except for"),
    ("goes on", "continues"),
    ("is to be had", "is available"),
    ("in nobody's way", "harmless"),
    ("in the place of", "instead of"),
    ("if need be", "if necessary"),
    ("gone through", "visited, read"),
    ("whether there are none", "whether it is empty"),
    ("one types", "you type"),
    ("nobody said", "by default, without the option"),
];

/// The one page that quotes them, and this file.
const QUOTING: [&str; 2] = ["CONTRIBUTING.md", "tests/tests/it/phrases.rs"];

/// The sentences of a file with the line that each word stands in: pages without their code, comments of sources.
fn words(path: &str, text: &str) -> Vec<(usize, String)> {
    let mut words = Vec::new();
    let mut in_code = false;
    for (at, line) in text.lines().enumerate() {
        let prose = if path.ends_with(".md") {
            in_code ^= line.starts_with("```");
            if in_code { "" } else { line }
        } else {
            let line = line.trim_start();
            let comment = line.strip_prefix("//").map(|it| it.trim_start_matches(['/', '!']));
            let comment = comment.or(line.strip_prefix("# ").filter(|_| path.ends_with(".py")));
            // What is no comment ends a sentence.
            comment.unwrap_or("|")
        };
        // Between backticks there is code.
        let plain = prose.split('`').enumerate();
        let plain = plain.map(|(part, text)| if part % 2 == 0 { text } else { "`" });
        for word in plain.collect::<String>().split_whitespace() {
            words.push((at + 1, word.to_owned()));
        }
    }
    words
}

/// Whether words begin with a phrase. Marks around a word count only where the phrase has some.
fn begins(words: &[(usize, String)], phrase: &str) -> bool {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let mut wanted: Vec<&str> = phrase.split(' ').collect();
    let mut words = words.iter().map(|(_, word)| word.as_str());
    if let Some(mark) = [";", ","].into_iter().find(|mark| wanted[0] == *mark) {
        wanted.remove(0);
        if !words.next().is_some_and(|word| word.ends_with(mark)) {
            return false;
        }
    }
    wanted.iter().all(|wanted| {
        words.next().is_some_and(|word| {
            if *wanted == "#" { word == "#" } else { bare(word).eq_ignore_ascii_case(wanted) }
        })
    })
}

#[test]
fn no_phrase_is_hard_to_read() {
    let mut git = Command::new("git");
    git.args(["ls-files", "--cached", "--others", "--exclude-standard", "*.rs", "*.md", "*.py"]);
    let Ok(listed) = git.current_dir(root()).output() else { return };
    let mut found = Vec::new();
    for path in String::from_utf8_lossy(&listed.stdout).lines() {
        let Ok(text) = std::fs::read_to_string(root().join(path)) else { continue };
        // Those pages quote the layouts that they are made of.
        if QUOTING.contains(&path) || path.starts_with("docs/pages/") {
            continue;
        }
        let words = words(path, &text);
        for at in 0..words.len() {
            for (phrase, instead) in PHRASES.iter().filter(|it| begins(&words[at..], it.0)) {
                found.push(format!("{path}:{}: `{phrase}`: write {instead}", words[at].0));
            }
        }
    }
    assert!(found.is_empty(), "{} phrases:\n{}", found.len(), found.join("\n"));
}

#[test]
fn phrases_are_found() {
    let faults = [
        ("x.rs", "/// Room for so\n    /// many bytes."),
        ("x.md", "It goes\non."),
        ("x.rs", "/// # Errors\n/// What reading says."),
        ("x.rs", "/// An error for who\n/// reads it."),
        ("x.rs", "/// The header; none if it is cut off."),
        ("x.py", "# Told, once."),
    ];
    let fine = [
        ("x.rs", "let told = so_many;"),
        ("x.md", "```text\nso many\n```"),
        ("x.rs", "/// As `told` says."),
        ("x.rs", "/// Some go so\nlet many = 1;"),
    ];
    let finds = |(path, text): &(&str, &str)| {
        let words = words(path, text);
        (0..words.len()).any(|at| PHRASES.iter().any(|(phrase, _)| begins(&words[at..], phrase)))
    };
    assert_eq!(
        faults.iter().filter(|it| !finds(it)).collect::<Vec<_>>(),
        Vec::<&(&str, &str)>::new()
    );
    assert_eq!(fine.iter().filter(|it| finds(it)).collect::<Vec<_>>(), Vec::<&(&str, &str)>::new());
}
