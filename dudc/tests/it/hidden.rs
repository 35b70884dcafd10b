//! Texts of files that would control a terminal: none gets out of a command as it is.

use crate::kit::Folder;
use dudley_parser::names::is_hidden;

/// Clears the screen, rings, and turns what follows; C1 controls and line ends of Unicode, too.
const EVIL: &str = "\u{1b}[2J\u{7}\u{9b}\u{202e}\u{2066}\u{200f}\u{2028}\u{feff}";

/// The same in quotes of YAML.
const YAML: &str = r"\e[2J\a\x9b\u202e\u2066\u200f\u2028\ufeff";

fn layout() -> String {
    format!(
        "## doc {EVIL}
\"p{EVIL}\" : u4  ## (u{EVIL}) doc {EVIL}
\"T{EVIL}\" {{\"m{EVIL}\" = f4  ## (k{EVIL}) doc {EVIL}
  s = S1[4]}}
\"a{EVIL}\" = f8[2]  ## (u{EVIL}) doc {EVIL}
  #: \"k{EVIL}\" = \"v{EVIL}\"
\"d{EVIL}\" /
  \"b{EVIL}\" = \"T{EVIL}\"[2]
  text = S1[12]
  wide = U1[12]
  \"l{EVIL}\" [/ \"q{EVIL}\" = u1[2]]*3
"
    )
}

fn asdf() -> Vec<u8> {
    let array = "source: 0, datatype: float64, byteorder: little";
    let text = format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0
asdf_library: !core/software-1.0.0 {{author: \"a{YAML}\", name: \"n{YAML}\", version: \"1{YAML}\"}}
\"k{YAML}\": \"t{YAML}\"
\"l{YAML}\": [\"a{YAML}\", \"b{YAML}\"]
tagged: !<tag:evil.org/x%1B%5B2J%07%E2%80%AE> {{a: 1}}
quantity: !unit/quantity-1.1.0 {{unit: !unit/unit-1.0.0 \"u{YAML}\", value: 3.0}}
\"a{YAML}\": !core/ndarray-1.0.0
  source: 0
  datatype:
  - {{name: \"f{YAML}\", datatype: float32, byteorder: little}}
  - {{name: g, datatype: [ascii, 4], byteorder: little}}
  byteorder: little
  shape: [2]
far: !core/ndarray-1.0.0 {{source: \"e{YAML}.asdf\", datatype: float64, byteorder: little, shape: [2]}}
type: !core/ndarray-1.0.0 {{source: 0, datatype: \"f{YAML}\", byteorder: little, shape: [2]}}
order: !core/ndarray-1.0.0 {{source: 0, datatype: float64, byteorder: \"b{YAML}\", shape: [2]}}
shape: !core/ndarray-1.0.0 {{{array}, shape: [\"a{YAML}\"]}}
inline: !core/ndarray-1.0.0 {{data: [\"a{YAML}\"], datatype: [ucs4, 20], shape: [1]}}
...\n"
    );
    let data = b"\0\0\x80\x3f\x1b[2J\0\0\0\0\x1b\x07\n\r";
    let head = [&48_u16.to_be_bytes()[..], &[0; 4], b"\x1b\x07\x9b\x1b"].concat();
    let sizes = 16_u64.to_be_bytes().repeat(3);
    [text.as_bytes(), b"\xd3BLK", &head, &sizes, &[0; 16], data].concat()
}

fn npy(descr: &str) -> Vec<u8> {
    let head = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (2,), }}\n");
    let length = (head.len() as u32).to_le_bytes();
    [b"\x93NUMPY\x03\0", &length[..], head.as_bytes(), EVIL.as_bytes(), &[0; 16]].concat()
}

const COMMANDS: [&str; 45] = [
    "ls @ RAW",
    "ls @ RAW --all",
    "ls @ RAW --format json",
    "ls @ --digests",
    "dump @ RAW",
    "dump @ RAW --format json",
    "dump @ RAW --nested",
    "dump @ RAW --exact",
    "dump @ RAW --hex",
    "dump @ RAW --hex --format json",
    "stat @ RAW",
    "stat @ RAW --format json",
    "verify @ RAW",
    "verify @ RAW --format json",
    "diff @ x.bd",
    "diff @ x.bd --format json",
    "diff @ other.asdf",
    "diff x.dud @",
    "convert @ out.bd RAW --force",
    "convert @ out.asdf RAW --force",
    "convert @ out.npz RAW --force",
    "convert @ out.b2nd RAW --force",
    "check @",
    "check @ --format json",
    "check @ --format sarif",
    "lint @",
    "fmt --check @",
    "breaking @ other.dud",
    "breaking other.dud @",
    "breaking @ other.dud --format json",
    "salvage @",
    "salvage @ --format json",
    "index @",
    "index --check @",
    "gen rust @",
    "gen numpy @",
    "doc @ -o pages --force",
    "doc @ --format markdown",
    "family build all.cat @ --force",
    "family ls all.cat",
    "family ls all.cat --format json",
    "explain @",
    "append @ --layout-text y=f8",
    "attach @ x.dud",
    "pack x.dud -o out.bd --force --data @",
];

/// Paths of each kind of item, and of none.
const PATHS: [&str; 9] = [
    "/\"aEVIL\"",
    "/\"dEVIL\"",
    "/\"dEVIL\"/text",
    "/\"dEVIL\"/\"lEVIL\"",
    "/:\"pEVIL\"",
    "/\"noEVIL\"",
    "/\"aEVIL\"[EVIL",
    "/far",
    "/type",
];

#[test]
fn nothing_of_a_file_reaches_a_terminal_that_controls_it() {
    let layout = layout();
    let data = EVIL.repeat(40);
    let address = 16 + data.len() as u64;
    let head = [b"\x8d<BD\r\n\x1a\n", &address.to_le_bytes()[..]].concat();
    let folder = Folder::empty();
    let bad = format!(
        "{layout}\"x{EVIL}\" = \"y{EVIL}\"[2]\n\"z{EVIL}\" = f8[\"n{EVIL}\"]\n\"d{EVIL}\" = f8\nt = \"open{EVIL}\n"
    );
    let filtered = format!("{layout}z = f4[1] -> \"e{EVIL}\"[4]\n");
    let native = [&head, data.as_bytes(), layout.as_bytes(), b"-\n", data.as_bytes()].concat();
    let json = format!("{{\"k{YAML}\": 1, \"k\\u001b\": \"\\u202e\"}}");
    let fields = npy(&format!("[('f{EVIL}', '<f4'), ('s', '|S4')]"));
    let files: [(&str, Vec<u8>); 9] = [
        ("x.dud", layout.clone().into()),
        ("bad.dud", bad.into()),
        ("filtered.dud", filtered.into()),
        ("x.bd", native.clone()),
        ("x.asdf", asdf()),
        ("x.npy", fields),
        ("bad.npy", npy(&format!("'<{EVIL}'"))),
        ("x.json", json.into()),
        ("x.bin", data.clone().into()),
    ];
    for (name, bytes) in &files {
        folder.write(name, bytes);
        if cfg!(unix) {
            folder.write(&format!("f{EVIL}/{EVIL}{name}"), bytes);
        }
    }
    folder.write("other.dud", layout.replace("f8[2]", "f4[3]").replace("u4", "u8"));
    folder.write("other.asdf", String::from_utf8_lossy(&asdf()).replace("\": \"t", "\": \"s"));
    folder.run("convert x.bin x.npz --layout x.dud --raw");
    let evil = |name: &str| format!("f{EVIL}/{EVIL}{name}");
    let names = ["x.npz", "none"].into_iter().chain(files.iter().map(|(name, _)| *name));
    let names: Vec<String> = names.flat_map(|name| [name.to_owned(), evil(name)]).collect();
    let paths = PATHS.map(|path| path.replace("EVIL", EVIL));
    let more = paths.iter().flat_map(|path| {
        ["get @ RAW", "get @ RAW --format json", "ls @ RAW", "dump @ RAW", "stat @ RAW"]
            .map(|words| (words, Some(path.as_str())))
    });
    let all: Vec<_> = COMMANDS.iter().map(|words| (*words, None)).chain(more).collect();
    for name in &names {
        for (words, path) in &all {
            let raw: &[&str] =
                if name.ends_with("x.bin") { &["--layout", "filtered.dud", "--raw"] } else { &[] };
            let words: Vec<&str> = words
                .split(' ')
                .flat_map(|word| match word {
                    "@" => vec![name.as_str()],
                    "RAW" => raw.to_vec(),
                    word => vec![word],
                })
                .chain(*path)
                .collect();
            let said = folder.run(&words);
            assert!((0..=3).contains(&said.status), "{words:?}: {said:?}");
            for text in [&said.out, &said.err] {
                let bad = text.lines().find(|line| line.contains(is_hidden));
                assert!(bad.is_none(), "{words:?}: {bad:?}");
            }
        }
        folder.write("x.bd", &native);
        folder.write("x.dud", &layout);
    }
}
