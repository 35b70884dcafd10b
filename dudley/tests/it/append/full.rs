//! A full disk: what could not be written in whole is taken away again.

use std::sync::Arc;

use dudley::append::Append;
use dudley::{Open, Writer, parse_layout};

use crate::append::disk::{Disk, Fault};

fn stream() -> Vec<u8> {
    let layout = parse_layout(b"N : i8  hist = f8[N]").expect("a layout");
    let values: Vec<f64> = (0..40).map(f64::from).collect();
    let writer = Writer::new(layout).param("/N", 40).put("/hist", &values[..]).attach(true);
    writer.to_bytes().expect("a stream")
}

/// Lets each call fail in turn; how many failures left the stream as long as it was, and how many did not.
fn failures(act: fn(&mut Append) -> dudley::Result<()>) -> (u32, u32) {
    let whole = stream();
    let (mut as_long, mut longer) = (0, 0);
    for call in 0.. {
        let disk = Disk::new(whole.clone()).fault(call, Fault::Full);
        let mut append = Append::storage(Arc::new(disk.clone()), None).expect("it opens");
        if act(&mut append).is_ok() {
            return (as_long, longer);
        }
        let left = disk.contents();
        let opened = Open::new().bytes(left.clone()).expect("it opens");
        let count = opened.get("/:N").and_then(|it| it.param_value()).expect("a count");
        let values = opened.get("/hist").and_then(|it| it.read::<f64>()).expect("it");
        assert!(count == 40 && values.sum() == 780.0 || count == 100_040, "{count}");
        // In place of the layout there may be a few bytes before it.
        *(if left.len() <= whole.len() + 8 { &mut as_long } else { &mut longer }) += 1;
        assert!(append.extend("q = u1").and_then(|it| it.put("/q", 1_u8).commit()).is_err());
    }
    (as_long, longer)
}

#[test]
fn new_items_take_no_space_where_they_do_not_fit() {
    let (as_long, longer) = failures(|append| {
        let values = vec![0.5; 100_000];
        append.extend("u = f8[100000]")?.put("/u", &values[..]).commit()
    });
    // Where it is not known what is durable, all stays as it is.
    assert!(as_long >= 3 && longer <= 8, "{as_long} {longer}");
}

#[test]
fn records_take_no_space_where_they_do_not_fit() {
    let (as_long, longer) = failures(|append| {
        let values = vec![0.5; 100_000];
        let mut records = append.records("/hist")?;
        records.push_many(&[("", (&values[..]).into())])?;
        records.commit()
    });
    assert!(as_long >= 2 && longer <= 8, "{as_long} {longer}");
}
