//! How fast pages are made of a layout of many items, and work in a browser; two of them are compared, and the first
//! bytes of a large stream shown.

mod browser;

use std::fmt::Write;
use std::fs::File;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write as _};
use std::process::Stdio;

use dudley::ByteOrder;
use dudley::bytes::Signature;
use dudley_doc::Source;
use dudley_parser::compare::compare;
use dudley_tests::command::dudc;

use crate::report::{Report, Target};
use crate::{Outcome, timing};

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let text = many()?;
    pages(report, &text)?;
    breaking(report, &text)?;
    first_line(report)?;
    let layout =
        dudley_parser::check(text.as_bytes()).layout.ok_or("a layout of ours has errors")?;
    browser::measure(report, &dudley_doc::site(&[Source::new("many.dud", &layout)]))
}

/// A layout of 10,000 items.
fn many() -> Outcome<String> {
    let mut text = String::from("N : i8  ## zones\nM : 12\n");
    for group in 0..100 {
        writeln!(text, "g{group}/  ## group {group}")?;
        for item in 0..100 {
            let dtype = ["f8", "f4", "i4", "u1"][item % 4];
            writeln!(text, "  v{item} = {dtype}[N, M]  ## (cm) quantity {item} of {group}")?;
        }
        writeln!(text, "/")?;
    }
    Ok(text)
}

fn pages(report: &mut Report, text: &str) -> Outcome<()> {
    let seconds = timing::least(|| {
        let checked = dudley_parser::check(black_box(text.as_bytes()));
        let layout = checked.layout.ok_or("a layout of ours has errors")?;
        drop(black_box(dudley_doc::site(&[Source::new("many.dud", &layout)])));
        Ok(())
    })?;
    report.add("pages of a layout of 10 000 items", seconds * 1e3, "ms", Target::AtMost(1000.0))
}

/// One new item in the middle, which moves half of the items; one before items of all sizes, which moves some of
/// them for some values of the params; another type of every item.
fn breaking(report: &mut Report, text: &str) -> Outcome<()> {
    let (here, there) =
        ("g50/  ## group 50\n  v0 = f8", "g50/  ## group 50\n  new = f4[N]\n  v0 = f8");
    let mut types = text.to_owned();
    for (from, to) in [("f8[", "F4["), ("f4[", "f8["), ("i4[", "i8["), ("u1[", "u2[")] {
        types = types.replace(from, to);
    }
    let mixed = mixed()?;
    let moved = mixed.replacen("g50/\n", "g50/\n  new = i2\n", 1);
    for (what, old, new) in [
        ("what breaks between two layouts of 10 000 items", text, text.replacen(here, there, 1)),
        ("the same, if the type of every item changed", text, types.replace("F4[", "f4[")),
        ("the same, for one new item among items of all sizes", &mixed, moved),
    ] {
        let seconds = timing::least(|| {
            let layout = |text: &str| dudley_parser::check(black_box(text.as_bytes())).layout;
            let layouts = (layout(old), layout(&new));
            let (Some(old), Some(new)) = layouts else { return Err("a layout has errors".into()) };
            match compare(&old, &new, 16).len() {
                0 => Err("nothing was found".into()),
                _ => Ok(()),
            }
        })?;
        report.add(what, seconds * 1e3, "ms", Target::AtMost(200.0))?;
    }
    Ok(())
}

/// A layout of 10,000 items of all sizes and shapes.
fn mixed() -> Outcome<String> {
    let mut text = String::from("N : i8\nM : i4\nK : u2\n");
    let mut random: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut pick = |among: &[&'static str]| {
        random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        among[(random >> 33) as usize % among.len()]
    };
    for group in 0..100 {
        writeln!(text, "g{group}/")?;
        for item in 0..100 {
            let dtype = pick(&["f8", "f4", "i2", "u1", "i8", "S1"]);
            let shape = pick(&["N", "M+", "3", "N, 2", "K-, 3", "7", "N+1"]);
            writeln!(text, "  v{item} = {dtype}[{shape}]")?;
        }
        writeln!(text, "/")?;
    }
    Ok(text)
}

/// From the start of the program to the first line that somebody could read.
fn first_line(report: &mut Report) -> Outcome<()> {
    const BYTES: u64 = 10_000_000_000;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("large.bd");
    let layout = format!("x = f8[{}]\ny = u1\n---\n", BYTES / 8);
    let address = 16 + BYTES + 1;
    let head = Signature { order: ByteOrder::Little, layout_address: Some(address) }.to_bytes();
    let mut file = File::create(&path)?;
    file.write_all(&head)?;
    file.set_len(address)?;
    std::os::unix::fs::FileExt::write_all_at(&file, layout.as_bytes(), address)?;
    drop(file);
    let seconds = timing::least(|| {
        let mut command = dudc().ok_or("there is no dudc")?;
        command.arg("dump").arg(&path).arg("--hex").stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let mut line = String::new();
        let shown = BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut line);
        // What follows is not waited for.
        let _ = child.kill();
        child.wait()?;
        if shown? > 0 { Ok(()) } else { Err("nothing was shown".into()) }
    })?;
    let what = "first line of the bytes of a stream of 10 GB";
    report.add(what, seconds * 1e3, "ms", Target::AtMost(20.0))
}
