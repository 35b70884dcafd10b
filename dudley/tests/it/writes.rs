//! Large arrays written by several threads, watched, and ended.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use dudley::ndarray::{Array2, Array3, ShapeBuilder};
use dudley::{ByteOrder, Error, Input, Work, Writer, parse_layout};

const LAYOUT: &str =
    "n = i4  a = f8[700, 1700]  b = >f4[3, 900, 1000] %4096  c = f8[13, 10]  s = u1";

fn a() -> Array2<f64> {
    Array2::from_shape_fn((700, 1700), |(i, j)| i as f64 - j as f64 / 3.0)
}

fn b() -> Array3<f32> {
    Array3::from_shape_fn((3, 900, 1000).f(), |(i, j, k)| (i * 7 + j * 3 + k) as f32)
}

fn writer<'a>(a: &'a Array2<f64>, b: &'a Array3<f32>) -> Writer<'a> {
    let c = Array2::from_elem((13, 10), 2.5);
    Writer::new(parse_layout(LAYOUT.as_bytes()).expect("a layout"))
        .put("/n", 5_i32)
        .put("/a", a)
        .put("/b", b)
        .put(
            "/c",
            Input::from(dudley::Value::Array(
                c.rows()
                    .into_iter()
                    .map(|row| {
                        dudley::Value::Array(row.iter().map(|x| dudley::Value::Float(*x)).collect())
                    })
                    .collect(),
            )),
        )
        .put("/s", 7_u8)
        .attach(true)
}

#[test]
fn files_are_the_same_however_many_threads_write() {
    let folder = tempfile::tempdir().expect("a folder");
    let (a, b) = (a(), b());
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let expected = writer(&a, &b).order(order).to_bytes().expect("a stream");
        for threads in [1, 3] {
            let done = Arc::new(AtomicU64::new(0));
            let seen = done.clone();
            let watch = move |bytes| {
                seen.fetch_add(bytes, Ordering::Relaxed);
                ControlFlow::Continue(())
            };
            let path = folder.path().join("x.bd");
            let work = Work::new().threads(threads).watch(Arc::new(watch));
            writer(&a, &b).order(order).work(work).write_file(&path, true).expect("a file");
            assert!(std::fs::read(&path).expect("a file") == expected, "{threads} threads");
            // Of all that is data.
            let data = 4 + 8 * 700 * 1700 + 4 * 3 * 900 * 1000 + 8 * 13 * 10 + 1;
            assert_eq!(done.load(Ordering::Relaxed), data, "{threads} threads");
        }
    }
}

#[test]
fn who_watches_ends_it_and_there_is_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let (a, b) = (a(), b());
    for threads in [1, 3] {
        let done = Arc::new(AtomicU64::new(0));
        let seen = done.clone();
        let watch = move |bytes| {
            if seen.fetch_add(bytes, Ordering::Relaxed) < 5_000_000 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        let path = folder.path().join("x.bd");
        let work = Work::new().threads(threads).watch(Arc::new(watch));
        let ended = writer(&a, &b).work(work).write_file(&path, false);
        assert!(matches!(ended, Err(Error::Cancelled)), "{ended:?}");
        assert!(done.load(Ordering::Relaxed) < 25_000_000);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
}

#[test]
fn nothing_is_written_over_the_signature() {
    let layout = |text: &str| parse_layout(text.as_bytes()).expect("a layout");
    for text in ["x = u1[3] @8", "N : u2 @15  x = u1[3] @32"] {
        let writer = Writer::new(layout(text)).param("/N", 3).put("/x", &[1_u8, 2, 3]);
        let error = writer.to_bytes().expect_err("an address of the signature").to_string();
        assert!(error.contains("an address of 16 or more, behind the signature"), "{error}");
    }
    // What takes no bytes may lie there; and a raw stream has no signature.
    let empty = Writer::new(layout("x = u1[0] @8")).put("/x", &[0_u8; 0]);
    assert_eq!(empty.to_bytes().expect("nothing is there").len(), 16);
    let raw = Writer::new(layout("x = u1[3] @8")).raw().put("/x", &[1_u8, 2, 3]);
    assert_eq!(raw.to_bytes().expect("it fits").len(), 11);
}

#[test]
fn bytes_that_items_share_are_the_same_in_both() {
    let write = |text: &str, b: &[u8]| {
        let layout = parse_layout(text.as_bytes()).expect("a layout");
        let writer = Writer::new(layout).param("/N", b.len() as i128).put("/w", &[0x0201_u16][..]);
        let bytes = writer.put("/b", b).to_bytes()?;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("s.bd");
        let layout = parse_layout(text.as_bytes()).expect("a layout");
        let writer = Writer::new(layout).param("/N", b.len() as i128).put("/w", &[0x0201_u16][..]);
        writer.put("/b", b).write_file(&path, false)?;
        assert_eq!(std::fs::read(&path).expect("a file"), bytes);
        Ok::<_, Error>(bytes)
    };
    // Other bytes than those of the item, of the param, in an item that comes later in the layout.
    for (text, b, item) in [
        ("N : u1  w = <u2[1] @24  b = u1[N] @24", &[1, 2][..], None),
        ("N : u1  w = <u2[1] @24  b = u1[N] @24", &[1, 3], Some("/w")),
        ("N : u1  b = u1[N] @24  w = <u2[1] @25", &[9, 1, 2], None),
        ("N : u1  b = u1[N] @24  w = <u2[1] @25", &[9, 1, 7], Some("/b")),
        ("N : u1  b = u1[N] @16  w = <u2[1] @200", &[2, 7], None),
        ("N : u1  b = u1[N] @16  w = <u2[1] @200", &[3, 7], Some("/N")),
        ("N : u1  b = u1[N] @200  w = <u2[1] @24", &[3, 7], None),
    ] {
        match (write(text, b), item) {
            (Ok(_), None) => {}
            (Err(error), Some(item)) => {
                let error = error.to_string();
                assert!(
                    error.contains(item) && error.contains("other bytes at address"),
                    "{error}"
                );
            }
            (found, _) => panic!("{text} {b:?}: {found:?}"),
        }
    }
}

#[test]
fn values_of_a_list_are_those_of_its_items() {
    let layout = parse_layout(b"hist = [/ t = f8  n = i4]*2").expect("a layout");
    let error = Writer::new(layout).put("/hist", &[1.0, 2.0][..]).to_bytes().expect_err("refused");
    let said = error.to_string();
    assert!(said.contains("for `/hist` (did you mean `/hist/0/t`?)"), "{said}");
}
