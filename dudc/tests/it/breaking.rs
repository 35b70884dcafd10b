//! `dudc breaking`, `diff` of layouts, and `lint` with rules and fixes: what they say, where they look, how
//! they exit.

use crate::kit;
use serde_json::Value;

use crate::kit::Folder;

const OLD: &str = "N : i4\nx = f8[N]  ## (cm) edges\ny = i4\nz = i4\n";
const NEW: &str = "N : i4\nx = f8[N]  ## (m) edges\ny = i4\na = i8\nz = i4\n";

fn folder() -> Folder {
    let folder = Folder::packed("--attach");
    folder.write("old.dud", OLD);
    folder.write("new.dud", NEW);
    folder
}

#[test]
fn findings_for_people() {
    let said = folder().finds("breaking old.dud new.dud");
    assert_eq!(
        said,
        "change[unit] SOURCE: the unit of `/x` was `cm`, and is `m`\n  --> old.dud:2:1, new.dud:2:1\n\
         change[address] LAYOUT: `/z` lies elsewhere\n  = address 36, now 48 with N = 1\n  \
         --> old.dud:4:1, new.dud:5:1\nnew.dud: 2 breaking changes (1 LAYOUT, 1 SOURCE)\n"
    );
    assert_eq!(folder().done("breaking old.dud old.dud"), "");
}

#[test]
fn levels_decide_what_counts() {
    let folder = folder();
    assert!(!folder.finds("breaking old.dud new.dud --level source").contains("/z"));
    assert_eq!(folder.done("breaking old.dud new.dud --level READ"), "");
    assert_eq!(folder.run("breaking old.dud new.dud --level all").status, 2);
    assert_eq!(folder.run("breaking old.dud").status, 2);
    assert_eq!(folder.run("breaking old.dud gone.dud").status, 3);
    folder.write("bad.dud", "x = f9");
    assert!(folder.finds("breaking old.dud bad.dud").contains("unknown-type"));
}

#[test]
fn findings_as_json() {
    let said = folder().finds("breaking old.dud new.dud --format json");
    let all: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(all["version"], 1);
    assert_eq!(all["breaking"], 2);
    let moved = &all["comparisons"][0]["changes"][1];
    assert_eq!(moved["code"], "change-address");
    assert_eq!(moved["levels"], serde_json::json!(["LAYOUT"]));
    assert_eq!(moved["breaks"], serde_json::json!(["old_files", "old_readers"]));
    assert_eq!(moved["example"]["params"]["N"], 1);
    assert_eq!((&moved["example"]["old"], &moved["example"]["new"]), (&36.into(), &48.into()));
    assert_eq!(moved["old"], serde_json::json!({"line": 4, "column": 1}));
}

#[test]
fn a_layout_with_errors_is_told_to_programs() {
    let folder = folder();
    folder.write("bad.dud", "x = f8\ny = f9\n");
    let said = folder.run("breaking old.dud bad.dud --format json");
    assert_eq!(said.status, 1);
    let all: Value = serde_json::from_str(&said.out).expect("JSON");
    let found = &all["diagnostics"][0];
    assert_eq!((&found["file"], &found["line"]), (&"bad.dud".into(), &2.into()));
    assert_eq!(found["code"], "unknown-type");
    for (words, name) in [("old.dud bad.dud", "new"), ("bad.dud old.dud", "old")] {
        let said = folder.run(&format!("diff {words} --format json"));
        assert_eq!(said.status, 1);
        let all: Value = serde_json::from_str(&said.out).expect("JSON");
        assert_eq!(all["diagnostics"][0], *found);
        assert_eq!((&all[name], &all["equal"]), (&"bad.dud".into(), &false.into()));
    }
    let said = folder.run("breaking old.dud bad.dud --format sarif");
    let log: Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(log["runs"][0]["results"][0]["ruleId"], "unknown-type");
}

#[test]
fn the_example_is_what_ls_says() {
    let folder = folder();
    for (layout, address) in [("old.dud", 36), ("new.dud", 48)] {
        let rows = folder.done(&format!("ls {layout} /z --param N=1 --format json"));
        let rows: Value = serde_json::from_str(&rows).expect("JSON");
        assert_eq!(rows["items"][0]["address"], address, "{layout}");
    }
}

#[test]
fn findings_as_sarif() {
    let said = folder().finds("breaking old.dud new.dud --format sarif");
    let log: Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["results"][1]["ruleId"], "change-address");
    assert_eq!(run["results"][1]["level"], "error");
    let place = &run["results"][1]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "new.dud");
    assert_eq!(place["region"]["startLine"], 5);
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "change-address");
    let lints: Value =
        serde_json::from_str(&folder().finds("lint --format sarif run.dud")).expect("JSON");
    assert_eq!(lints["runs"][0]["results"][0]["ruleId"], "ext-const");
}

#[test]
fn layouts_attached_to_streams() {
    let folder = folder();
    assert_eq!(folder.done("breaking run.dud --against run.bd"), "");
    folder.write("next.dud", kit::LAYOUT.replace("flags = b1[6]", "flags = b1[7]"));
    let said = folder.finds("breaking next.dud --against run.bd");
    assert!(said.contains("`/flags` had shape `[6]`, and has `[7]`"), "{said}");
    assert!(said.contains("= bytes 6, now 7"), "{said}");
    folder.flip("run.bd", 1);
    assert!(folder.finds("breaking run.dud --against run.bd").contains("run.bd: "));
}

/// Runs git in a folder; `None` where there is no git.
fn git(folder: &Folder, words: &[&str]) -> Option<()> {
    let mut command = std::process::Command::new("git");
    let name = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-C"];
    let output = command.args(name).arg(folder.path("")).args(words).output().ok()?;
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    Some(())
}

#[test]
fn layouts_of_revisions() {
    let folder = folder();
    if git(&folder, &["init", "-q"]).is_none() {
        eprintln!("skipped: there is no git");
        return;
    }
    folder.write("model.dud", OLD);
    git(&folder, &["add", "model.dud"]);
    git(&folder, &["commit", "-q", "-m", "A layout"]);
    assert_eq!(folder.done("breaking model.dud --against git:HEAD"), "");
    folder.write("model.dud", NEW);
    let said = folder.finds("breaking model.dud --against git:HEAD");
    assert!(said.contains("--> model.dud at HEAD:4:1, model.dud:5:1"), "{said}");
    let said = folder.run("breaking model.dud --against git:nowhere");
    assert_eq!(said.status, 3, "{said:?}");
    assert!(said.err.contains("git cannot give model.dud at nowhere"), "{said:?}");
    // A layout that was not there before breaks nothing.
    let said = folder.run("breaking new.dud --against git:HEAD");
    assert_eq!((said.status, said.out.as_str()), (0, ""));
    assert!(said.err.contains("new.dud is new: HEAD does not have it"), "{}", said.err);
    let said = folder.finds("breaking new.dud model.dud --against git:HEAD --format json");
    assert_eq!(said.matches("\"changes\"").count(), 1, "{said}");
    folder.write("bad.dud", "x = f9");
    assert!(folder.finds("breaking bad.dud --against git:HEAD").contains("unknown-type"));
    std::fs::create_dir(folder.path("sub")).expect("a folder");
    folder.write("sub/deep.dud", NEW);
    assert!(folder.run("breaking sub/deep.dud --against git:HEAD").err.contains("is new"));
    assert_eq!(folder.run("breaking gone.dud --against git:HEAD").status, 3);
    // A file that is nowhere is missing, whatever git makes of the rest.
    let said = folder.run("breaking gone.dud --against git:nowhere");
    assert_eq!(said.status, 3, "{said:?}");
    assert!(said.err.contains("cannot read gone.dud: No such file"), "{said:?}");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("model.dud", folder.path("link.dud")).expect("a link");
        git(&folder, &["add", "link.dud"]);
        git(&folder, &["commit", "-q", "-m", "A link"]);
        let said = folder.run("breaking link.dud --against git:HEAD");
        assert_eq!(said.status, 3, "{said:?}");
        assert!(said.err.contains("link.dud at HEAD is a symbolic link"), "{said:?}");
    }
    // A file that has another name now is compared with what it was.
    folder.write("model.dud", OLD.to_owned() + "more = i1\n");
    std::fs::create_dir(folder.path("moved")).expect("a folder");
    git(&folder, &["mv", "model.dud", "moved/named.dud"]);
    assert_eq!(folder.done("breaking moved/named.dud --against git:HEAD"), "");
    folder.write("moved/named.dud", OLD.replace("z = i4", "z = i8"));
    let said = folder.finds("breaking moved/named.dud --against git:HEAD");
    assert!(said.contains("--> model.dud at HEAD:"), "{said}");
    assert_eq!(folder.run("breaking model.dud --against git:--help").status, 2);
    assert_eq!(folder.run("breaking - --against git:HEAD").status, 2);
}

#[test]
fn diff_shows_all_that_changed() {
    let folder = folder();
    let said = folder.finds("diff old.dud new.dud");
    assert!(said.contains("change[added]: the item `/a` was added\n  --> new.dud:4:1"), "{said}");
    let all: Value =
        serde_json::from_str(&folder.finds("diff old.dud new.dud --format json")).expect("JSON");
    assert_eq!(all["changes"].as_array().map(Vec::len), Some(3));
    assert_eq!(all["equal"], false);
    let codes = all["changes"].as_array().expect("changes").iter();
    for code in codes.map(|change| change["code"].as_str().expect("a code")) {
        assert!(folder.done(&format!("explain {code}")).contains("Before:"), "{code}");
    }
}

#[test]
fn nothing_gets_through_to_a_terminal() {
    let folder = folder();
    folder.write("a.dud", "\"\u{1b}[2J\u{202e}\" = i4 ## (m)");
    folder.write("b.dud", "\"\u{1b}[2J\u{202e}\" = i8 ## (\u{1b}[1m)");
    let forms = ["", " --format json"];
    for words in forms.iter().map(|form| format!("diff a.dud b.dud{form}")).chain([
        "breaking a.dud b.dud --format json".to_owned(),
        "breaking a.dud b.dud --format sarif".to_owned(),
        "lint a.dud --format sarif --deny name".to_owned(),
        "lint a.dud --format json --deny name".to_owned(),
    ]) {
        let said = folder.finds(&words);
        assert!(!said.contains(['\u{1b}', '\u{202e}']), "{words}: {said:?}");
        assert!(!words.contains("json") || serde_json::from_str::<Value>(&said).is_ok());
    }
    for form in ["json", "human"] {
        let said = folder.done(&format!("ls b.dud --format {form}"));
        assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said:?}");
    }
}

#[test]
fn rules_of_lint_are_set() {
    let folder = Folder::packed("");
    folder.write("a.dud", "x = f8\nN : 3\n");
    assert!(folder.finds("lint a.dud").contains("note[lint-unit]"));
    assert!(folder.finds("lint a.dud --deny unit").contains("error[lint-unit]"));
    assert_eq!(folder.done("lint a.dud --allow unit --allow lint-unused-param"), "");
    assert_eq!(folder.run("lint a.dud --allow units").status, 2);
    folder.write(".dudlint", "#: lint_allow = \"unit\", lint_warn = \"unused-param\"\n");
    let said = folder.finds("lint a.dud");
    assert!(!said.contains("lint-unit") && said.contains("warning[lint-unused-param]"), "{said}");
    assert!(folder.finds("check --strict --deny warnings a.dud").contains("lint-unused-param"));
    folder.write("a.dud", "#: lint_note = \"unit\"\nx = f8\n");
    assert!(folder.finds("lint a.dud").contains("note[lint-unit]"), "the layout is nearer");
    folder.write(".dudlint", "#: lint_allow = ");
    assert!(folder.finds("lint a.dud").contains("bad-attr"));
    folder.write(".dudlint", "#: lint_allow = \"units\"\n");
    assert!(folder.finds("lint a.dud").contains("did you mean `unit`?"));
}

#[test]
fn fixes_are_written() {
    let folder = Folder::packed("--attach");
    folder.write("a.dud", "x = i8 %8  # kept\ny = i4 %8\n");
    let said = folder.run("lint --fix a.dud");
    assert_eq!((said.status, said.err.as_str()), (0, "a.dud: 1 fix\n"));
    assert_eq!(folder.bytes("a.dud"), b"x = i8 # kept\ny = i4 %8\n");
    assert_eq!(folder.run("lint --fix a.dud").err, "");
    // What is behind a terminator stays as it is, whatever it is.
    folder.write("a.dud", b"x = i8 %8\n---\nx = i8 %8 \xff\0\r\n");
    assert_eq!(folder.run("lint --fix a.dud").err, "a.dud: 1 fix\n");
    assert_eq!(folder.bytes("a.dud"), b"x = i8\n---\nx = i8 %8 \xff\0\r\n");
    let none = "error[bad-utf8]: neither a layout nor a stream";
    let errors = "a.dud: nothing was mended, because it has errors\n";
    for (damaged, expected) in
        [(&b"x = i8 %8\n\xff\n---\n"[..], none), (b"x = i8 %8\ny = \n---\n", errors)]
    {
        folder.write("a.dud", damaged);
        let said = folder.run("lint --fix a.dud");
        assert!(said.err.starts_with(expected), "{said:?}");
        assert_eq!(said.status, 1);
        assert_eq!(folder.bytes("a.dud"), damaged);
    }
    assert_eq!(folder.run("lint --fix run.bd").status, 2);
    assert_eq!(folder.run("lint --fix -").status, 2);
}

#[test]
fn a_file_of_rules_without_marks_is_told_how() {
    let folder = Folder::empty();
    folder.write("x.dud", "x = f8\n");
    folder.write(".dudlint", "lint_deny = \"unit\"\n");
    let said = folder.run("lint x.dud");
    assert_eq!(said.status, 1);
    assert!(
        said.err.contains("help: its lines are attributes: `#: lint_deny = \"unit\"`"),
        "{said:?}"
    );
}

#[test]
fn a_mistake_in_a_file_of_rules_is_a_finding_beside_others() {
    let folder = Folder::empty();
    folder.write("q.dud", "N : i4\nx = f8[N]\n");
    folder.write(".dudlint", "#: lint_warn = \"nounit\", lint_deny = \"unit\"\n");
    for verb in ["lint", "check --strict"] {
        let said = folder.run(format!("{verb} q.dud --format json").as_str());
        assert_eq!(said.status, 1, "{said:?}");
        let all: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
        let codes: Vec<_> = all["diagnostics"].as_array().expect("some").iter().collect();
        assert_eq!(codes[0]["code"], "lint-rule", "{all}");
        assert!(codes[0]["file"].as_str().is_some_and(|file| file.ends_with(".dudlint")));
        let unit = codes.iter().find(|it| it["code"] == "lint-unit").expect("the layout is linted");
        assert_eq!(unit["severity"], "error", "the rest of the file counts");
    }
    folder.write(".dudlint", "x = \"unit");
    folder.write("r.dud", "x = f8\n");
    let log = folder.finds("lint q.dud r.dud --format sarif");
    assert_eq!(log.matches(".dudlint\"").count(), 1, "it is said once: {log}");
    assert_eq!(log.matches("\"ruleId\": \"lint-unit\"").count(), 2, "{log}");
    let said = folder.run("lint q.dud --fix");
    assert!(said.err.contains("q.dud: nothing was mended, because "), "{said:?}");
}

#[test]
fn a_wrong_line_of_a_file_of_rules_takes_no_other_with_it() {
    let folder = Folder::empty();
    folder.write("x.dud", "x = f8\n");
    for (rules, code) in [
        ("#: lint_deny = \"unit\"\n#: lint_warn = = 3\n", "error[bad-attr]"),
        ("#: lint_warn = = 3\n#: lint_deny = \"unit\"", "error[bad-attr]"),
        ("#: lint_deny = \"unit\"\nx = ", "error["),
        ("#: lint_deny = \"unit\", lint_foo = \"unit\"\n", "[lint-rule]: `lint_foo`"),
        ("#: lint_deny = \"unit\", color = 3\n", "[lint-rule]: `color`"),
        ("#: lint_deny = \"unit\"\n\nx = f8\n", "error[bad-attr]"),
    ] {
        folder.write(".dudlint", rules);
        let said = folder.finds("lint x.dud");
        assert!(said.contains("error[lint-unit]"), "{rules}: {said}");
        let said = folder.run("lint x.dud");
        assert!(said.err.contains(code) && said.err.contains(".dudlint:"), "{rules}: {said:?}");
    }
    std::fs::remove_file(folder.path(".dudlint")).expect("it is there");
    std::fs::create_dir(folder.path(".dudlint")).expect("it is not there");
    let said = folder.run("lint x.dud");
    assert_eq!(said.status, 3, "{said:?}");
    assert!(said.err.contains(".dudlint: Is a directory"), "{said:?}");
}

#[test]
fn standard_input_is_read_once() {
    let folder = folder();
    for words in ["breaking - -", "breaking - --against -"] {
        let said = folder.run(words);
        assert_eq!(said.status, 2, "{said:?}");
        assert!(said.err.contains("only one of the layouts can be standard input"), "{said:?}");
    }
}

#[test]
fn programs_are_told_of_files_that_cannot_be_read() {
    let folder = Folder::empty();
    folder.write("q.dud", "x = i4\n");
    for (words, status) in [
        ("check no.dud q.dud", 3),
        ("lint no.dud q.dud", 3),
        ("lint --fix no.dud q.dud", 3),
        ("breaking no.dud q.dud", 3),
        ("breaking q.dud no.dud", 3),
    ] {
        let said = folder.run(format!("{words} --format json").as_str());
        assert_eq!(said.status, status, "{said:?}");
        assert!(said.err.contains("cannot read no.dud"), "{said:?}");
        let all: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
        let found = &all["diagnostics"][0];
        assert_eq!((&found["file"], &found["code"]), (&"no.dud".into(), &"no-layout".into()));
        assert!(found["message"].as_str().is_some_and(|it| it.starts_with("cannot read")));
        let said = folder.run(format!("{words} --format sarif").as_str());
        let log: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
        let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "no.dud", "{log}");
        assert!(place.get("region").is_none(), "{log}");
    }
}

#[test]
fn what_is_behind_a_terminator_is_left_by_fmt() {
    let folder = Folder::empty();
    folder.write("j.dud", b"N : i8\nx=f8[N]\n---\n\xff x=1\n");
    assert_eq!(folder.done("fmt j.dud"), "");
    assert_eq!(folder.bytes("j.dud"), b"N : i8\nx = f8[N]\n---\n\xff x=1\n");
    assert_eq!(folder.done("fmt --check j.dud"), "");
    folder.write("j.dud", b"x=f8 \xff\n---\n");
    assert!(folder.finds("fmt j.dud").contains("bad-utf8"));
}
