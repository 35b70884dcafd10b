//! Pages as readers see them: inputs change addresses, search finds, links lead somewhere, nothing
//! is said on the console.

use std::fs;
use std::process::Command;

use dudley_doc::Source;
use dudley_tests::root;

use super::skip;

#[test]
fn pages_work_in_a_browser() {
    let Some(node) = super::program(&["node"]) else { return skip("no node to drive a browser") };
    let Some(chromium) = super::program(&["chromium", "chromium-browser", "google-chrome"]) else {
        return skip("no chromium to look at pages with");
    };
    let folder = tempfile::tempdir().expect("a folder");
    let text = |path: &str| fs::read_to_string(root().join(path)).expect("a layout");
    let site = |name: &str, layouts: &[(String, String)]| {
        let layouts: Vec<_> =
            layouts.iter().map(|(file, text)| (file, super::checked(text))).collect();
        let sources: Vec<_> =
            layouts.iter().map(|(file, layout)| Source::new(file, layout)).collect();
        super::write(&folder.path().join(name), &dudley_doc::site(&sources));
    };
    let one = |text: String| [("one.dud".to_owned(), text)];
    site("blast", &one(text("dudc/demo/blast.dud")));
    site("hostile", &one(super::HOSTILE.to_owned()));
    site("several", &super::sample::layouts());
    let lists =
        "a [ / x = f8 ]*2\nb [ / x = f8 ]*5\nq [ [f8]*2, i1[3]]*2\nr [[ f8]*3, i1 ]*2\nc = f8\n";
    site("lists", &one(lists.to_owned()));
    site(
        "uneven",
        &one("n : i8\na = i1[13]\nl [i1, f8]*n\n\
                  m [/ \"\" = {x = f8  c = S1[8]}[3]\n]*3\n"
            .to_owned()),
    );
    let none = "NREC : i8  ## records\nhist = [/ t = f8  ## (s) time\n]*NREC\nz = f8\n";
    site("none", &one(none.to_owned()));
    let counts = "n_name : i4\nwidth : i4\nname = S1[n_name, width]\nsaid : i4  ## zones\n\
                  x = f8[said]\nboth : i4\ny = f8[both]\nz = f8[both]\n";
    site("counts", &one(counts.to_owned()));
    let open = "s {L : i4  v = f8[L]}\npt {x = i4  y = i4}\nP : 5\nM : i8\na = i1[4]\n\
                v = s[3]\nz = f8[10] -> zlib\nb = i1[4] @1000\nc = pt[P]\nd = i1[M-100]\n\
                e = c8  ## a na\u{ef}ve one  #: standard_name = \"electric\"\n";
    site("open", &one(open.to_owned()));
    let items: String = (0..1800).map(|item| format!("  v{item} = f8[N]\n")).collect();
    site("large", &one(format!("N : i8\ng/\n{items}")));
    let params: String =
        (0..900).map(|param| format!("P{param} : i4\nx{param} = f8[P{param}]\n")).collect();
    site("params", &one(params));
    let types: String =
        (0..300).map(|item| format!("x{item} = {{a = f4[N]  b = i1}}[2]\n")).collect();
    site("types", &one(format!("N : i4\n{types}")));
    let output = Command::new(node)
        .arg(super::scripts().join("pages.js"))
        .args([chromium.as_ref(), folder.path()])
        .args(std::env::var_os("DUDLEY_PICTURES"))
        .output()
        .expect("node");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
