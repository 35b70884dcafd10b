//! Counts that nobody can go through one by one: of structs and repetitions that may differ in size, and do
//! not.

use crate::kit::Folder;

const LAYOUTS: [&str; 6] = [
    "a = {Q : u1  v = i1[0, Q]}[9223372036854775807]",
    "K : 100000000000\nZ : 0\na = {Q : u1  v = i1[Z, Q]}[K]",
    "l [/ x = {P : u1  v = i1[P, 0]}[100000000000]]*3",
    "T {P : u1  v = i1[P, 0]}\nU {a = T[1000]}\nx = U[1000000000]",
    "l [/ P : i1  x = i1[P, 0]]*9223372036854775807",
    "l [[/ P : i1  x = i1[P, 0]]*9223372036854775807]*9223372036854775807",
];

#[test]
fn layouts_and_streams_come_to_an_end() {
    let folder = Folder::empty();
    folder.write("x.bin", [0; 100]);
    for layout in LAYOUTS {
        folder.write("x.dud", format!("{layout}\nb = i4\n"));
        folder.write("y.dud", format!("zz = i2\n{layout}\nb = i4\n"));
        for words in ["check x.dud", "ls x.dud", "gen rust x.dud", "doc x.dud -o pages --force"] {
            let said = folder.run(words);
            assert!(said.status <= 1, "{words}: {said:?}");
        }
        assert!(folder.run("breaking x.dud y.dud").status <= 1, "{layout}");
        for command in ["ls", "dump", "dump --hex", "stat", "verify", "get /b"] {
            let (command, path) = command.split_once(" /").unwrap_or((command, ""));
            let path = if path.is_empty() { String::new() } else { format!(" /{path}") };
            let said = folder.run(&format!("{command} x.bin{path} --layout x.dud --raw"));
            assert_eq!(said.status, 1, "{command}: {layout}: {said:?}");
            let all = format!("{}{}", said.out, said.err);
            assert!(all.contains("error"), "{command}: {layout}: {said:?}");
        }
    }
}

#[test]
fn what_lies_behind_them_is_compared() {
    let folder = Folder::empty();
    let names = "names = {LEN : u1  text = S1[LEN]}[9000000000]\ny = i4\n";
    folder.write("old.dud", names);
    folder.write("new.dud", format!("zz = i2\n{names}"));
    let said = folder.run("breaking old.dud new.dud");
    assert!(said.out.contains("`/y` lies elsewhere"), "{said:?}");
    folder.write("old.dud", "A : i4\nx = i2[3]\nl [/ s = {Q : i1  v = u2[Q]}[A+A]]*A\ny = u1\n");
    folder.write("new.dud", "A : i4\nx = i2[5]\nl [/ s = {Q : i1  v = u2[Q]}[A+A]]*A\ny = u1\n");
    let said = folder.run("breaking old.dud new.dud");
    assert!(said.out.contains("also `/y`"), "{said:?}");
}

/// Bytes of a stream: what may be visited grows with them.
const BYTES: usize = 256;

/// All that is done with layouts and streams, on a stream `x.bin` with the layout `x.dud`, and a native one, `x.bd`.
const COMMANDS: [&str; 24] = [
    "check x.dud",
    "fmt --check x.dud",
    "lint x.dud",
    "breaking x.dud x.dud",
    "ls x.dud",
    "gen rust x.dud",
    "gen numpy x.dud",
    "doc x.dud -o pages --force",
    "pack x.dud -o y.bd --data x.json --force",
    "dump x.bin RAW --hex",
    "get x.bin /x RAW",
    "get x.bin /l[:] RAW",
    "stat x.bin RAW",
    "verify x.bin RAW",
    "diff x.bin x.bin RAW",
    "verify x.bd",
    "index x.bd",
    "index --check x.bd",
    "salvage x.bd",
    "describe x.bd",
    "append x.bd --layout-text y=f8",
    "attach x.bd x.dud --force",
    "detach x.bd",
    "convert x.bin y.bd RAW --force",
];

/// Other forms of these, which go through items by the same code: one for each layout of a kind, in turn.
const FORMS: [&[&str]; 3] = [
    &["ls x.bin RAW", "ls x.bin RAW --all", "ls x.bin RAW --format json", "ls x.bd"],
    &[
        "dump x.bin RAW",
        "dump x.bin RAW --format json",
        "dump x.bin RAW --exact --format json",
        "dump x.bin RAW --nested --format json",
    ],
    &[
        "convert x.bin y.asdf RAW --force",
        "convert x.bin y.npz RAW --force",
        "convert x.bin y.b2nd RAW --force",
        "stat x.bd",
    ],
];

#[test]
fn every_command_comes_to_an_end_with_what_unfolds_without_bound() {
    let double = |deepest: &str| {
        let types = (1..=40).map(|at| format!("t{at} {{a=t{} b=t{}}}\n", at - 1, at - 1));
        format!("t0 {{{deepest}}}\n{}x = t40\n", types.collect::<String>())
    };
    let nested =
        |items: &str, repeat: &str| format!("l {}{items}{}\n", "[".repeat(20), repeat.repeat(20));
    let lists = "[/ l ".repeat(19) + "[/ a = u1[0]  b = {}" + &"]*1000".repeat(20);
    let few = |depth: &str| double("").split(depth).next().unwrap_or_default().to_owned();
    let kinds = [
        vec![double(""), double("c = u1[4]")],
        vec![
            few("t13") + "l [t12]*100000\n",
            "N : 9223372036854775807\nl [u1]*N\n".to_owned(),
            "l [{}]*1000000000\n".to_owned(),
            "l [/ a = {}  b = u1[0]]*9000000000\n".to_owned(),
        ],
        vec![nested("f8", "]*1000"), nested("u1[0]", "]*1000"), format!("l {lists}\n")],
        vec![
            "x = {}[1000000000000]\n".to_owned(),
            "T {}\nU {a = T[1000000]  b = T[1000000]}\nx = U[1000000]\nl [U]*1000000\n".to_owned(),
            "x = {c = u1  a = {}[1000000]}[256]\n".to_owned(),
            "x = {Q : u1  a = {}[1000000]  v = i1[0, Q]}[256]\n".to_owned(),
        ],
    ];
    let layouts = kinds.iter().flat_map(|kind| kind.iter().enumerate());
    for (turn, layout) in layouts {
        let folder = Folder::empty();
        folder.write("x.dud", layout);
        folder.write("x.bin", [0; BYTES]);
        folder.write("x.json", "{}");
        let head = [&b"\x8d<BD\r\n\x1a\n"[..], &(BYTES as u64).to_le_bytes(), &[0; BYTES - 16]];
        let forms = FORMS.iter().map(|forms| forms[turn % forms.len()]);
        for words in COMMANDS.into_iter().chain(forms) {
            folder.write("x.bd", [&head.concat(), layout.as_bytes(), b"-\n"].concat());
            // With 1 GiB of memory, and longer than any of it should take by far.
            let words = words.replace("RAW", "--layout x.dud --raw");
            let said = folder.bounded(&words);
            assert!((0..=3).contains(&said.status), "{words}: {layout}: {said:?}");
        }
    }
}

#[test]
fn what_nests_too_deep_is_refused_by_all_that_read_layouts() {
    let dicts = |depth: usize| (0..depth).map(|at| format!("d{at} / a = f8\n")).collect::<String>();
    let inner = |depth: usize| (0..depth).map(|at| format!("d{at} /\n")).collect::<String>();
    let both = |depth: usize| format!("{}l [/ {}x = f8]\n", inner(depth), inner(depth));
    let folder = Folder::with(&[("x.bin", &[0; 4096])]);
    for (layout, status) in [
        (dicts(256), 0),
        (dicts(257), 1),
        (dicts(33_000), 1),
        (both(128), 0),
        (both(129), 1),
        (format!("x = u1[{}1]", "1, ".repeat(255)), 0),
        (format!("x = u1[{}1]", "1, ".repeat(256)), 1),
        (format!("T {{\"\" = u1[{}1]}}\nx = T[{}1]", "1, ".repeat(200), "1, ".repeat(200)), 1),
        (format!("x = u1[{}1]", "1, ".repeat(40_000)), 1),
    ] {
        folder.write("x.dud", &layout);
        for words in ["check x.dud", "gen numpy x.dud", "gen rust x.dud", "doc x.dud -o y --force"]
        {
            assert_eq!(folder.bounded(words).status, status, "{words}: {}", &layout[..40]);
        }
        let said = folder.bounded("fmt --check x.dud");
        assert!(said.status <= 1 && said.out.len() + said.err.len() < 1000, "{said:?}");
        assert!(status == 1 || said.err.is_empty(), "{said:?}");
        for command in ["ls", "dump", "get", "stat", "verify"] {
            let path = if command == "get" { "/x" } else { "" };
            let said = folder.bounded(&format!("{command} x.bin {path} --layout x.dud --raw"));
            assert!((0..=1).contains(&said.status), "{command}: {said:?}");
        }
    }
}

#[test]
fn long_names_do_not_make_every_line_as_long() {
    let name = "n".repeat(70_000);
    let more: String = (0..100).map(|at| format!("x{at} = f8  # of {at}\n")).collect();
    let folder = Folder::with(&[("x.dud", &format!("\"{name}\" = f8  # long\n # more\n{more}"))]);
    folder.write("x.bin", [0; 4096]);
    for words in
        ["fmt --check x.dud", "gen numpy x.dud", "ls x.dud", "ls x.bin --layout x.dud --raw"]
    {
        let said = folder.bounded(words);
        assert!((0..=1).contains(&said.status), "{words}: {}", said.status);
        assert!(said.out.len() < 1_000_000, "{words}: {} bytes", said.out.len());
    }
}
