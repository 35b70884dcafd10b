//! Is every field of the headers of blocks used? With any of them changed, a reader of the layout fails or
//! reads another block.

use asdf_bridge::asdf::{Form, Open};
use dudley::Open as Engine;

/// What the layout of a header says of a block, or why it cannot be read.
fn read(text: &str, bytes: &[u8], base: u64) -> dudley::Result<String> {
    let stream = Engine::new().layout_text(text)?.raw().base(base).bytes(bytes)?;
    let mut found = String::new();
    for item in stream.root().items()? {
        let data = item?.data()?;
        found += &format!("{} at {}: {:?}\n", data.path(), data.address(), data.value()?);
    }
    Ok(found)
}

/// The layout with each of its fields changed in turn: another type, another constant, another size.
fn changed(text: &str) -> Vec<String> {
    let changes = [
        (" : u2", " : u4"),
        (" : u8", " : u4"),
        (" : u4", " : u2"),
        (" = u8", " = u4"),
        (" = u4", " = u2"),
        (" = <u4", " = <u2"),
        (" = u1[", " = u2["),
        ("0xd3", "0xd4"),
        ("HEADER-", "HEADER-1"),
    ];
    let lines: Vec<&str> = text.lines().collect();
    let mut all = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.starts_with('#')) {
        for (name, other) in changes {
            if line.contains(name) && !line.trim_start().starts_with('>') {
                let line = line.replace(name, other);
                let mut lines: Vec<&str> = lines.clone();
                lines[at] = &line;
                all.push(lines.join("\n"));
            }
        }
    }
    all
}

/// A file whose only block has a header of a form, with data and room behind them, and where the block begins.
fn file(form: Form) -> (Vec<u8>, u64) {
    let finf = matches!(form, Form::Finf40 | Form::Finf43 | Form::Finf44);
    let first = match form {
        _ if finf => "%FINF 0.1.0",
        Form::Asdf48 => "#ASDF 1.0.0",
        _ => "#ASDF 0.1.0",
    };
    let mut bytes = format!("{first}\n%YAML 1.1\n---\na: 1\n...\n").into_bytes();
    let start = bytes.len() as u64;
    bytes.extend(match form {
        Form::Finf43 => &b"\xd3BFF\r\n \n"[..],
        _ => b"\xd3BLK",
    });
    bytes.extend((form.header_size() + 2).to_be_bytes());
    let (allocated, used) = (7_u64.to_be_bytes(), 5_u64.to_be_bytes());
    let flags = [0; 4];
    match form {
        Form::Asdf48 => {
            bytes.extend([&flags[..], &flags, &allocated, &used, &used, &[9; 16]].concat())
        }
        Form::Early40 => {
            bytes.extend([&flags[..], &flags, &allocated, &used, &used, &[0; 8]].concat())
        }
        Form::Early36 => bytes.extend([&flags[..], &allocated, &used, &used, &[0; 8]].concat()),
        Form::Finf44 => bytes.extend([&flags[..], &allocated, &used, &[0; 24]].concat()),
        Form::Finf40 => bytes.extend([&allocated[..], &used, &[0; 24]].concat()),
        Form::Finf43 => bytes.extend([&[0, 1, 0][..], &allocated, &used, &[0; 24]].concat()),
    }
    bytes.extend(b"\0\0hello\0\0");
    (bytes, start)
}

#[test]
fn a_header_with_a_field_changed_is_another() {
    let forms =
        [Form::Asdf48, Form::Early40, Form::Early36, Form::Finf44, Form::Finf40, Form::Finf43];
    for form in forms {
        let (bytes, start) = file(form);
        let asdf = Open::new().bytes(bytes.clone()).expect("a file");
        // What the reader finds is what the layout says: the one engine.
        let block = asdf.block(0).expect("a block");
        assert_eq!((block.address, block.form, block.used(), block.allocated), (start, form, 5, 7));
        assert_eq!(asdf.block_data(0).expect("read"), b"hello");
        let whole = read(form.layout(), &bytes, start).expect("a block");
        assert!(whole.contains("/payload at"), "{whole}");
        let others = changed(form.layout());
        assert!(others.len() >= 6, "{form:?}: {}", others.len());
        for other in others {
            assert_ne!(other, form.layout());
            let found = read(&other, &bytes, start);
            assert!(
                found.is_err() || found.is_ok_and(|found| found != whole),
                "{form:?}:\n{other}"
            );
        }
    }
}

#[test]
fn a_chunk_of_lz4_with_a_field_changed_is_another() {
    // Of the text `abc`, by Python.
    let stored = b"\0\0\0\x08\x03\0\0\0\x30abc";
    let text = include_str!("../../layouts/lz4_chunk.dud");
    let whole = read(text, stored, 0).expect("a chunk");
    assert!(whole.contains("/block at 8"), "{whole}");
    let others = changed(text);
    assert!(others.len() >= 3);
    for other in others {
        let found = read(&other, stored, 0);
        assert!(found.is_err() || found.is_ok_and(|found| found != whole), "{other}");
    }
}
