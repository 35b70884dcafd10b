//! Random trees and arrays are read as they were written.

use std::sync::Arc;

use dudley::ByteOrder;
use dudley::ndarray::{ArrayD, IxDyn};
use proptest::collection::vec;
use proptest::prelude::*;

use super::builder::Builder;
use super::compress::Compression;
use super::rules::Padding;
use super::yaml::array::NewArray;
use super::yaml::{Content, Yaml};
use crate::asdf::{Code, Node, NodeKind, Open, Scalar, Style};

/// Text of all kinds: such as looks like something else, and any.
fn text() -> impl Strategy<Value = String> {
    const ODD: &[&str] = &[
        "",
        " ",
        "yes",
        "~",
        "null",
        "1e3",
        "0x1f",
        "1:30",
        "-",
        "- a",
        "a: b",
        "a #b",
        "...",
        "---",
        "\n",
        "a\n\nb\n",
        "'",
        "\"",
        "\\",
        "\t",
        "\u{85}",
        "\u{2028}",
        "\u{feff}",
        "\u{fffe}",
        "<<",
        "=",
        "*a",
        "&a",
        "!a",
        "%a",
        "@a",
        "`a",
        "{",
        "}",
        "[",
        "]",
        ",",
        "?",
        "? a",
        ":",
        "a:",
        ".inf",
        ".nan",
        "2001-12-14",
        "|",
        ">",
        "\0",
        "\u{7f}",
        "#ASDF",
        "\r\n",
        "\r",
    ];
    prop_oneof![
        proptest::sample::select(ODD).prop_map(str::to_owned),
        "[a-z0-9 .:#-]{0,12}",
        ".{0,20}",
        any::<String>(),
        "[a-z ]{100,300}",
    ]
}

fn scalar() -> impl Strategy<Value = Yaml<'static>> {
    prop_oneof![
        Just(Yaml::null()),
        any::<bool>().prop_map(Yaml::from),
        any::<i64>().prop_map(Yaml::from),
        any::<f64>().prop_map(Yaml::from),
        any::<f32>().prop_map(Yaml::from),
        text().prop_map(Yaml::from),
        vec(any::<u8>(), 0..20).prop_map(|bytes| Yaml::binary(&bytes)),
    ]
}

fn style() -> impl Strategy<Value = Option<Style>> {
    proptest::option::of(proptest::sample::select(vec![
        Style::Flow,
        Style::Block,
        Style::SingleQuoted,
        Style::DoubleQuoted,
    ]))
}

fn tag() -> impl Strategy<Value = Option<&'static str>> {
    proptest::option::weighted(
        0.2,
        proptest::sample::select(vec![
            "!unit/x-1.0.0",
            "asdf://example.com/a,b-1.0.0",
            "tag:x.org,2020:é",
        ]),
    )
}

fn tree() -> impl Strategy<Value = Yaml<'static>> {
    let leaf = (scalar(), style()).prop_map(|(yaml, style)| Yaml { style, ..yaml });
    leaf.prop_recursive(5, 40, 6, |inner| {
        let shared = inner.clone().prop_map(|part| Yaml::from(Arc::new(part)));
        let list = vec(prop_oneof![3 => inner.clone(), 1 => shared], 0..5).prop_map(Yaml::sequence);
        let keys = prop_oneof![6 => text().prop_map(Yaml::from), 1 => inner.clone()];
        let map = vec((keys, inner.clone()), 0..5).prop_map(Yaml::mapping);
        let twice = inner.prop_map(|part| {
            let part = Arc::new(part);
            Yaml::sequence([part.clone(), part])
        });
        (prop_oneof![list, map, twice], style(), tag()).prop_map(|(yaml, style, tag)| Yaml {
            style,
            tag: tag.map(Into::into),
            ..yaml
        })
    })
}

/// Whether a node is what was written.
fn is_same(node: Node<'_>, yaml: &Yaml<'_>) -> bool {
    if let Content::Shared(shared) = &yaml.content {
        return is_same(node, shared);
    }
    let tag = yaml.tag.as_deref().map(|tag| match tag.strip_prefix('!') {
        Some(name) => format!("tag:stsci.edu:asdf/{name}"),
        None => tag.to_owned(),
    });
    if node.tag() != tag.as_deref() {
        return false;
    }
    match &yaml.content {
        Content::Text(text) => node.scalar() == Some(Scalar::Text(text)),
        Content::Plain(text) => node.text() == Some(text) && node.style() == Style::Plain,
        Content::Sequence(items) => {
            node.kind() == NodeKind::Sequence
                && node.len() == items.len()
                && node.items().zip(items).all(|(node, item)| is_same(node, item))
        }
        Content::Mapping(entries) => {
            node.kind() == NodeKind::Mapping
                && node.len() == entries.len()
                && node
                    .entries()
                    .zip(entries)
                    .all(|((key, value), (own, other))| is_same(key, own) && is_same(value, other))
        }
        _ => false,
    }
}

fn compression() -> impl Strategy<Value = Option<Compression>> {
    let mut all = vec![None, Some(Compression::lz4())];
    if cfg!(feature = "filters") {
        all.extend([Some(Compression::zlib(1)), Some(Compression::zstd(1))]);
    }
    proptest::sample::select(all)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn trees_are_read_as_they_were_written(tree in tree()) {
        let bytes = Builder::new().put("x", tree.clone()).to_bytes().expect("a file");
        let file = Open::new().bytes(bytes.clone()).expect("a file");
        let text = String::from_utf8_lossy(&bytes);
        let read = file.get("/x").map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert!(is_same(read.node(), &tree), "{}", text);
        // Keys are random, and may come twice.
        let mut findings = file.verify().expect("a report").findings;
        findings.retain(|found| found.code != Code::DuplicateKey);
        prop_assert_eq!(findings, []);
        // And what was read is written as it was.
        let copy = file.root().expect("a tree").to_yaml().expect("a tree");
        let again = Builder::from_tree(copy).to_bytes().expect("a file");
        let again = Open::new().bytes(again).expect("a file");
        prop_assert!(is_same(again.get("/x").expect("x").node(), &tree));
    }

    #[test]
    fn arrays_are_read_as_they_were_written(
        shape in vec(0_usize..5, 0..4),
        start: i32,
        big: bool,
        axes in any::<[usize; 4]>(),
        compression in compression(),
        (align, percent, room) in (0_u32..13, 0_u32..30, 0_u64..100),
        inline in 0_u64..20,
        blocks in 1_usize..5,
    ) {
        let count: usize = shape.iter().product();
        let elements = (0..count as i32).map(|at| start.wrapping_add(at)).collect();
        let mut array = ArrayD::from_shape_vec(IxDyn(&shape), elements).expect("as many");
        if array.ndim() > 1 {
            array.swap_axes(axes[0] % shape.len(), axes[1] % shape.len());
        }
        let order = if big { ByteOrder::Big } else { ByteOrder::Little };
        let padding = if room % 2 == 0 { Padding::percent(percent) } else { Padding::bytes(room) };
        let mut builder = Builder::new().align(1 << align).padding(padding).inline_up_to(inline);
        for at in 0..blocks {
            let mut new = NewArray::in_order(&array, order);
            if let Some(compression) = compression.clone().filter(|_| at % 2 == 0) {
                new = new.compressed(compression);
            }
            builder = builder.put(&format!("x{at}"), new);
        }
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.asdf");
        builder.write_file(&path, false).expect("a file");
        let bytes = builder.to_bytes().expect("a file");
        prop_assert!(std::fs::read(&path).expect("a file") == bytes);
        let file = Open::new().bytes(bytes).expect("a file");
        let report = file.verify().expect("a report");
        prop_assert!(report.is_clean(), "{:?}", report);
        for block in file.blocks().expect("blocks") {
            let block = block.expect("a block");
            prop_assert_eq!(block.data.start % (1 << align), 0);
        }
        for at in 0..blocks {
            let read = file.array(&format!("/x{at}")).expect("an array").read::<i32>();
            prop_assert_eq!(&read.expect("elements"), &array);
        }
    }
}

#[test]
fn large_blocks_are_written_in_parts_and_can_be_ended() {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicU64, Ordering};

    use dudley::Work;

    let values: Vec<f64> = (0..3 << 20).map(f64::from).collect();
    let layout = dudley::Open::new().layout_text(&format!("x = >f8[{}]", values.len()));
    let bytes = vec![1; values.len() * 8];
    let stream = layout.expect("a layout").raw().bytes(bytes).expect("a stream");
    let data = stream.get("/x").and_then(|item| item.data()).expect("data");
    let builder = |seen: Arc<AtomicU64>, most: u64| {
        let watch = move |bytes| {
            if seen.fetch_add(bytes, Ordering::Relaxed) + bytes > most {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let mut builder = Builder::new().work(Work::new().threads(2).watch(Arc::new(watch)));
        builder = builder.put("lent", NewArray::from(&values[..]));
        builder = builder.put("data", NewArray::data(&data).expect("a type"));
        builder.put("packed", NewArray::from(vec![7_u8; 10 << 20]).compressed(Compression::lz4()))
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.asdf");
    let seen = Arc::new(AtomicU64::new(0));
    let whole = builder(seen.clone(), u64::MAX);
    whole.write_file(&path, false).expect("a file");
    assert!(std::fs::read(&path).expect("a file") == whole.to_bytes().expect("a file"));
    let file = crate::asdf::AsdfFile::open(&path).expect("a file");
    assert!(file.verify().expect("a report").is_clean());
    assert_eq!(
        file.array("/lent").expect("x").read::<f64>().expect("x").as_slice(),
        Some(&values[..])
    );
    assert!(seen.load(Ordering::Relaxed) > (96 << 20));
    let ended = builder(Arc::default(), 10 << 20).write_file(folder.path().join("y.asdf"), false);
    assert!(matches!(ended, Err(crate::asdf::Error::Engine(dudley::Error::Cancelled))));
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn large_blocks_are_compressed_while_they_are_written() {
    let values: Vec<f64> = (0..3 << 18).map(|at| f64::from(at / 3)).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let all = [
        Compression::lz4(),
        Compression::lz4f(),
        Compression::zlib(1),
        Compression::zstd(1),
        Compression::bzp2(1),
    ];
    for (at, compression) in all.into_iter().enumerate() {
        let path = folder.path().join(format!("{at}.asdf"));
        let array = NewArray::from(&values[..]).compressed(compression.clone());
        let view = array.view(4 << 20, &[10], &[-8]).expect("a view");
        let builder = Builder::new()
            .put("large", array)
            .put("small", NewArray::from(vec![at as u8; 1000]).compressed(compression.clone()))
            .put("view", view);
        builder.write_file(&path, false).expect("a file");
        // Those that take bytes in order get the same.
        assert!(std::fs::read(&path).expect("a file") == builder.to_bytes().expect("a file"));
        let file = crate::asdf::AsdfFile::open(&path).expect("a file");
        assert!(file.verify().expect("a report").is_clean());
        let block = file.block(0).expect("a block");
        assert!(block.used() < 6 << 20 && block.decoded == 6 << 20, "{at}");
        let read = file.array("/large").expect("it").read::<f64>().expect("elements");
        assert!(read.as_slice() == Some(&values[..]), "{at}");
        assert_eq!(file.array("/small").expect("it").read::<u8>().expect("it")[[999]], at as u8);
        assert_eq!(file.array("/view").expect("it").read::<f64>().expect("it")[[1]], 174_762.0);
        let plain = builder.digests(false).padding(Padding::bytes(100));
        let plain = Open::new().bytes(plain.to_bytes().expect("a file")).expect("a file");
        assert_eq!(plain.block(0).expect("a block").allocated, block.used() + 100);
    }
}

#[test]
fn blocks_of_a_file_keep_their_order() {
    let array = |value: f64| NewArray::from(vec![value; 3]);
    let old = Builder::new().put("b", array(2.0)).put("a", array(1.0));
    let old = Open::new().bytes(old.to_bytes().expect("a file")).expect("a file");
    let mut tree = Builder::from_tree(old.root().expect("a root").to_yaml().expect("a tree"));
    tree = tree.put("new", array(3.0));
    // The arrays stand the other way round, and yet in their blocks.
    let first = old.get("/b").expect("b").to_yaml().expect("a tree");
    let second = old.get("/a").expect("a").to_yaml().expect("a tree");
    for (builder, wanted) in [
        (tree, [("/b", 0, 2.0), ("/a", 1, 1.0), ("/new", 2, 3.0)]),
        (
            Builder::new().put("new", array(3.0)).put("a", second).put("b", first),
            [("/b", 0, 2.0), ("/a", 1, 1.0), ("/new", 2, 3.0)],
        ),
    ] {
        let file = Open::new().bytes(builder.to_bytes().expect("a file")).expect("a file");
        for (path, source, value) in wanted {
            let array = file.array(path).expect(path);
            assert_eq!(
                array.node().expect(path).get("source").and_then(|it| it.as_i64()),
                Some(source),
                "{path}"
            );
            assert_eq!(
                array.read::<f64>().expect(path).as_slice(),
                Some(&[value; 3][..]),
                "{path}"
            );
        }
    }
}
