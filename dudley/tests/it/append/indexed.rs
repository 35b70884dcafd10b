//! Streams with an index that grow: the index is right or gone, whenever the writer is killed.

use std::sync::Arc;

use dudley::append::Append;
use dudley::index::{Index, Options, appended};
use dudley::verify::verify;
use dudley::{Indexed, Open, Result, Severity, Writer, parse_layout};

use crate::append::disk::{Disk, Fault, Random};

/// A stream with room before its layout, two records, and an index.
fn start(checksums: bool) -> Vec<u8> {
    let layout =
        parse_layout(b"x = f8[4]  NT : i8  hist = [/ t = f8  r = f8[3]]*NT").expect("a layout");
    let writer = Writer::new(layout).param("/NT", 0).put("/x", &[1.0, 2.0, 3.0, 4.0][..]);
    let disk = Disk::new(writer.attach(true).to_bytes().expect("it fits"));
    let mut append = Append::storage(Arc::new(disk.clone()), None).expect("a stream");
    append.reserve(500).expect("space");
    push(&mut append, 2).expect("space");
    appended(disk.contents(), Options { checksums }).expect("nothing stands behind the layout")
}

fn push(append: &mut Append, more: u64) -> Result<()> {
    let mut hist = append.records("/hist")?;
    for _ in 0..more {
        let t = hist.len() as f64;
        hist.push(&[("t", t.into()), ("r", (&[t, 0.0, 1.0]).into())])?;
    }
    hist.commit()
}

/// The codes of what is wrong with a stream, notes apart.
fn found(bytes: &[u8]) -> Vec<&'static str> {
    let mut codes = Vec::new();
    let mut found = |finding: dudley::verify::Finding| {
        if finding.severity != Severity::Note {
            codes.push(finding.code);
        }
    };
    verify(Open::new(), bytes.to_vec(), &mut found, &mut |_| ());
    codes
}

fn index(bytes: &[u8]) -> Option<Index> {
    Index::of_source(bytes.to_vec()).expect("no damaged index")
}

#[test]
fn an_index_without_checksums_stays_and_leads_to_new_records() {
    let disk = Disk::new(start(false));
    let mut append = Append::storage(Arc::new(disk.clone()), None).expect("a stream");
    push(&mut append, 3).expect("space");
    append.write("/x[1]", 7.0).and_then(|()| append.sync()).expect("it is there");
    let bytes = disk.contents();
    assert_eq!(found(&bytes), [""; 0]);
    assert!(index(&bytes).is_some());
    let file = Indexed::source(Open::new(), bytes).expect("it opens");
    assert!(file.excerpt("/hist").is_some());
    assert_eq!(file.get("/hist").and_then(|list| list.len()).expect("a list"), 5);
    let stream = file.stream_of("/hist").expect("it opens");
    let times = stream.select("/hist[:]/t").and_then(|all| all.read::<f64>()).expect("there");
    assert_eq!(times.into_raw_vec_and_offset().0, [0.0, 1.0, 2.0, 3.0, 4.0]);
}

#[test]
fn checksums_are_gone_once_they_would_be_wrong() {
    let bytes = start(true);
    assert_eq!(found(&bytes), [""; 0]);
    assert!(index(&bytes).expect("an index").checksums() > 0);
    let actions: [fn(&mut Append) -> Result<()>; 3] = [
        |append| push(append, 1),
        |append| append.write("/x[1:3]", &[7.0, 8.0]),
        |append| append.extend("y = f8")?.put("/y", 1.0).commit(),
    ];
    for action in actions {
        let disk = Disk::new(bytes.clone());
        let mut append = Append::storage(Arc::new(disk.clone()), None).expect("a stream");
        assert_eq!(disk.contents(), bytes, "opening changes nothing");
        action(&mut append).expect("space");
        append.sync().expect("space");
        let after = disk.contents();
        assert_eq!(found(&after), [""; 0]);
        assert!(index(&after).is_none());
    }
    // What is refused, or adds nothing, leaves it.
    let disk = Disk::new(bytes.clone());
    let mut append = Append::storage(Arc::new(disk.clone()), None).expect("a stream");
    assert!(append.write("/x[1]", &[1.0, 2.0]).is_err());
    push(&mut append, 0).expect("nothing to do");
    assert_eq!(disk.contents(), bytes);
}

#[test]
fn no_crash_leaves_wrong_checksums_or_a_damaged_index() {
    let mut random = Random::new(11);
    for checksums in [true, false] {
        let bytes = start(checksums);
        let run = |disk: &Disk| -> Result<()> {
            let mut append = Append::storage(Arc::new(disk.clone()), None)?;
            append.write("/x[1]", 7.0)?;
            push(&mut append, 2)?;
            push(&mut append, 40)?;
            append.extend("y = f8[200]")?.put("/y", &vec![1.0; 200]).commit()
        };
        let whole = Disk::new(bytes.clone());
        run(&whole).expect("space");
        assert!(whole.calls() > 10, "{} calls", whole.calls());
        for call in 0..whole.calls() {
            for cut in [false, true, true, true] {
                let disk = Disk::new(bytes.clone()).fault(call, Fault::Stop);
                assert!(run(&disk).is_err());
                let left = if cut { disk.after_power_cut(&mut random) } else { disk.contents() };
                let wrong = found(&left);
                let harmless = |code: &&str| matches!(*code, "interrupted" | "index-stale");
                assert!(wrong.iter().all(harmless), "{wrong:?} at call {call}");
            }
        }
    }
}
