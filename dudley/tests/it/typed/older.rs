//! Readers of a layout that has grown: files of the older one are read, and what is not the same is refused.

use dudley::typed::Create;
use dudley::{Error, Open};

dudley::layout!(mod old = r#"N : i4
time = f8  ## (s)
rho = f8[N]
name = U1[4]
row {t = f8  n = i4}
rows = row[N]
hist [ / e = f4 ]*2
"#);

dudley::layout!(mod new = r#"N : i4
M : i4
HAS : i1  #: presence
dt = f8  ## (s)
time = f8  ## (s)
extra = f4[HAS]
name = U1[4]
label = U1[M]
rho = f8[N]
row {t = f8  n = i4}
rows = row[N]
more = row[M]
hist [ / cycle = i8  e = f4 ]*2
grid/ x = f8[N] ..
"#);

fn older() -> Vec<u8> {
    let writer = Create::new().memory::<old::Layout>(&old::Params { n: 2 }).expect("params");
    writer.time().write(1.5).expect("there");
    writer.rho().write(&vec![1.0, 2.0]).expect("two");
    writer.name().write("abc").expect("it fits");
    writer.rows().write(&[old::Row { t: 0.5, n: 1 }, old::Row { t: 1.5, n: 2 }]).expect("two");
    for at in 0..2 {
        writer.hist().get(at).expect("there").e().write(at as f32).expect("there");
    }
    writer.finish_bytes().expect("complete")
}

#[test]
fn items_that_were_added_are_errors_when_they_are_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("old.bd");
    std::fs::write(&path, older()).expect("written");
    let error = new::Reader::open(&path).expect_err("it is of another layout");
    assert!(matches!(error.cause(), Error::Incompatible { .. }), "{error}");
    let reader = new::Reader::open_older(&path).expect("it only lacks items");
    assert_eq!(reader.time().read().expect("there"), 1.5);
    assert_eq!(reader.rho().read().expect("there").to_vec(), [1.0, 2.0]);
    assert_eq!(reader.name().get().expect("there"), "abc");
    assert_eq!(reader.rows().read().expect("there")[1], new::Row { t: 1.5, n: 2 });
    assert_eq!(reader.hist().get(1).expect("there").e().read().expect("there"), 1.0);
    assert!(reader.extra().expect("it may be absent").is_none());
    let missing = [
        reader.dt().read().expect_err("there is none"),
        reader.label().read().expect_err("there is none"),
        reader.more().read().expect_err("there is none"),
        reader.hist().get(1).expect("there").cycle().read().expect_err("there is none"),
        reader.grid().x().read().expect_err("there is none"),
    ];
    for error in missing {
        assert!(matches!(error.cause(), Error::NoSuchItem { .. }), "{error}");
        assert!(error.to_string().contains("old.bd"), "{error}");
    }
    assert!(reader.params().is_err(), "it has no M");
}

#[test]
fn its_own_layout_and_none_are_read_as_ever() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("own.bd");
    std::fs::write(&path, older()).expect("written");
    let reader = old::Reader::open_older(&path).expect("it is the same");
    assert_eq!(reader.params().expect("there").n, 2);
    let writer = Create::new().attach(false).overwrite(true);
    let writer = writer.file::<old::Layout>(&path, &old::Params { n: 0 }).expect("params");
    writer.time().write(2.5).expect("there");
    writer.rho().write(&[]).expect("none");
    writer.rows().write(&[]).expect("none");
    writer.name().write("x").expect("it fits");
    for at in 0..2 {
        writer.hist().get(at).expect("there").e().write(0.0).expect("there");
    }
    writer.finish().expect("complete");
    let reader = old::Reader::open_older(&path).expect("nothing says that it is another");
    assert_eq!(reader.time().read().expect("there"), 2.5);
}

/// The parts of a layout, and one of them in another way: whether typed code of the first reads a stream of
/// the second.
#[test]
fn what_is_not_the_same_is_refused() {
    const SAME: [&str; 8] = [
        "N : i4",
        "time = f8  ## (s)",
        "rho = f8[N]",
        "name = U1[4]",
        "row {t = f8  n = i4}",
        "rows = row[N]",
        "hist [ / e = f4 ]*2",
        "",
    ];
    let opened = |at: usize, line: &str| {
        let mut lines = SAME;
        lines[at] = line;
        let layout = lines.join("\n");
        let bytes = vec![0; 256];
        let open = Open::new().layout_text(&layout).expect("a layout").raw();
        old::Reader::from_older(open.bytes(bytes).expect("opened"))
    };
    let others = [
        (0, "N : i8", "/:N"),
        (0, "N : 2", "/:N"),
        (1, "time = f4  ## (s)", "/time"),
        (1, "time = f8  ## (ms)", "/time"),
        (1, "time = f8[1]  ## (s)", "/time"),
        (1, "time/ x = i4 ..", "/time"),
        (2, "rho = f8[N, N]", "/rho"),
        (2, "rho = f8[N+]", "/rho"),
        (2, "rho = i8[N]", "/rho"),
        (2, "rho = >f8[N]", "/rho"),
        (3, "name = U2[4]", "/name"),
        (4, "row {n = i4  t = f8}", "/rows"),
        (4, "row {t = f8  n = i4  m = i4}", "/rows"),
        (4, "row {t = f8  m = i4  n = i4}", "/rows"),
        (4, "row {t = f8  n = i4 %16}", "/rows"),
        (4, "row {%1 t = f8  n = i4}", "/rows"),
        (4, "row {t = f8 k = i2  n = i4}", "/rows"),
        (4, "row {t = f4  n = i4}", "/rows"),
        (4, "row {t = f8}", "/rows"),
        (6, "hist [ / e = f8 ]*2", "/hist"),
        (6, "hist [ f4 ]*2", "/hist"),
        (6, "hist = f4[2]", "/hist"),
    ];
    for (at, line, path) in others {
        let error = opened(at, line).err().unwrap_or_else(|| panic!("`{line}` is read"));
        let Error::Incompatible { path: found, .. } = &error else { panic!("`{line}`: {error}") };
        assert!(found.starts_with(path), "{line}: {error}");
    }
    let alike = [
        (0, "N : i4  ## zones"),
        (1, "time = f8  ## (s) of what\nother = i4"),
        (1, ""),
        (2, "rho = f8[N] %64"),
        (4, "row {t = f8  n = i4 %8}"),
        (5, ""),
        (6, "hist [ / more = i8[N] e = f4 ]*2"),
        (6, "hist [ / e = f4 ]*3"),
        (7, "rows2 = row[N]"),
    ];
    for (at, line) in alike {
        if let Err(error) = opened(at, line) {
            panic!("`{line}`: {error}");
        }
    }
}
