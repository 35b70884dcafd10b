//! Rows that are added to arrays in blocks: read whole, what was there before at every crash.

use std::sync::Arc;

use dudley::append::Append;
use dudley::ndarray::{Array2, Axis, concatenate};
use dudley::{Error, Open, Stream, Value, Writer, parse_layout};

use crate::append::disk::{Disk, Fault, Random};

fn values(rows: usize, from: usize) -> Array2<f32> {
    Array2::from_shape_fn((rows, 5), |(row, column)| ((from + row) * 10 + column) as f32)
}

#[test]
fn rows_are_behind_those_that_were_there() {
    let folder = tempfile::tempdir().expect("a folder");
    for filter in ["", " -> zlib"] {
        let path = folder.path().join(format!("rows{}.bd", filter.len()));
        let layout =
            format!("d/ rho = f4[4, 5]{filter}  ## (g/cc) density\n#: chunks = [2, 3]\n/ x = f8\n");
        let first = values(4, 0);
        Writer::new(parse_layout(layout.as_bytes()).expect("a layout"))
            .put("/d/rho", &first)
            .put("/x", 1.5)
            .attach(true)
            .write_file(&path, false)
            .expect("written");
        let mut all = first;
        for more in [2, 6, 3] {
            let rows = values(more, all.nrows());
            let mut append = Append::open(&path).expect("opened");
            append.rows("/d/rho", &rows).expect("added");
            drop(append);
            all = concatenate(Axis(0), &[all.view(), rows.view()]).expect("as wide");
            let stream = Stream::open(&path).expect("a stream");
            let rho = stream.get("/d/rho").expect("there");
            assert_eq!(rho.unit(), Some("g/cc"));
            assert_eq!(rho.read::<f32>().expect("read"), all.clone().into_dyn());
            let row =
                stream.select("/d/rho[-1, 1:]").expect("a slice").read::<f32>().expect("read");
            assert_eq!(row.as_slice(), all.row(all.nrows() - 1).as_slice().map(|row| &row[1..]));
            assert_eq!(stream.get("/x").expect("there").scalar::<f64>().expect("read"), 1.5);
            let found = dudley_parser::check(stream.layout().text().as_bytes()).diagnostics;
            // Extensions of the language, as `zlib` and `whole` are.
            assert!(found.iter().all(|found| found.code.starts_with("ext-")), "{found:?}");
        }
        let mut append = Append::open(&path).expect("opened");
        let error = append.rows("/d/rho", &values(1, 0)).expect_err("its last blocks hang over");
        assert!(matches!(error, Error::CannotGrow { .. }), "{error}");
        assert!(append.rows("/x", &values(1, 0)).is_err());
        // Of another width.
        assert!(append.rows("/d/rho", &Array2::<f32>::zeros((2, 4))).is_err());
    }
}

#[test]
fn an_array_without_rows_gets_its_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("none.bd");
    let layout = b"t = f8[0] -> zlib  #: chunks = [3]\n";
    let writer = Writer::new(parse_layout(layout).expect("a layout")).put("/t", &[0.0; 0][..]);
    writer.attach(true).write_file(&path, false).expect("written");
    let mut append = Append::open(&path).expect("opened");
    append.rows("/t", Value::Array(vec![Value::Float(0.5); 3])).expect("added");
    append.rows("/t", &[1.5][..]).expect("added");
    let extended = append.extend("u = u2[5]  #: chunks = [2]").expect("a layout");
    extended.put("/u", &[1_u16, 2, 3, 4, 5][..]).commit().expect("added");
    let stream = Stream::open(&path).expect("a stream");
    let read = |path: &str| stream.get(path).expect("there").data().expect("an array");
    assert_eq!(read("/t").read::<f64>().expect("read").as_slice(), Some(&[0.5, 0.5, 0.5, 1.5][..]));
    assert_eq!(read("/u").read::<u16>().expect("read").as_slice(), Some(&[1, 2, 3, 4, 5][..]));
    assert_eq!(read("/u").blocks().map(|blocks| blocks.count), Some(3));
}

#[test]
fn a_crash_leaves_all_rows_or_those_of_before() {
    let layout = b"rho = f4[4, 5] -> zlib  #: chunks = [2, 3]\n";
    let writer = Writer::new(parse_layout(layout).expect("a layout"));
    let whole = writer.put("/rho", &values(4, 0)).attach(true).to_bytes().expect("written");
    let add = |disk: &Disk| {
        let mut append = Append::storage(Arc::new(disk.clone()), None)?;
        append.rows("/rho", &values(6, 4))
    };
    let rows_of = |bytes: Vec<u8>| {
        let stream = Open::new().bytes(bytes).expect("it opens");
        let found = stream.get("/rho").and_then(|it| it.read::<f32>()).expect("it is read");
        assert_eq!(found, values(found.shape()[0], 0).into_dyn());
        found.shape()[0]
    };
    let mut random = Random::new(3);
    let mut found = [0; 2];
    for fault in [Fault::Stop, Fault::Part] {
        for call in 0.. {
            let disk = Disk::new(whole.clone()).fault(call, fault);
            let is_done = add(&disk).is_ok();
            for bytes in [disk.contents(), disk.after_power_cut(&mut random)] {
                let rows = rows_of(bytes);
                assert!(rows == 4 && !is_done || rows == 10, "{fault:?} {call}: {rows}");
                found[usize::from(rows == 10)] += 1;
            }
            if is_done {
                break;
            }
        }
    }
    assert!(found[0] > 8 && found[1] > 2, "{found:?}");
}
