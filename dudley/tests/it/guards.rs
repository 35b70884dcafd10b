//! Constants guard streams (spec 7.3a), and dimensions have names (7.6), beside models in plain integers.

use dudley::{Error, Open, Stream};
use proptest::prelude::*;

/// An item of a layout of bytes, in which nothing is aligned.
#[derive(Clone, Debug)]
enum Item {
    /// `u1[n]`, all of them this if they are constant.
    Plain(u64, Option<u8>),
    /// A param that is read, and the only legal value that it may state.
    Param(u8, bool),
    /// As many bytes as the last param says, constant or not.
    Sized(Option<u8>),
}

fn item() -> impl Strategy<Value = Item> {
    let constant = || prop::option::of(any::<u8>());
    prop_oneof![
        (1..4_u64, constant()).prop_map(|(n, stated)| Item::Plain(n, stated)),
        (0..4_u8, any::<bool>()).prop_map(|(value, stated)| Item::Param(value, stated)),
        constant().prop_map(Item::Sized),
    ]
}

/// The layout, and a stream that is as it says.
fn written(items: &[Item]) -> (String, Vec<u8>) {
    let (mut text, mut bytes, mut last) = (String::new(), Vec::new(), None);
    for (at, item) in items.iter().enumerate() {
        let (what, value, count) = match *item {
            Item::Plain(n, stated) => (format!("i{at} = u1[{n}]"), stated, n),
            Item::Param(value, stated) => {
                last = Some((at, value));
                text += &format!("P{at} : u1");
                text += &if stated { format!("  #: const = {value}\n") } else { "\n".to_owned() };
                bytes.push(value);
                continue;
            }
            Item::Sized(stated) => match last {
                Some((param, count)) => (format!("i{at} = u1[P{param}]"), stated, u64::from(count)),
                None => (format!("i{at} = u1"), stated, 1),
            },
        };
        text += &what;
        text += &value.map_or("\n".to_owned(), |value| format!("  #: const = {value}\n"));
        bytes.extend(std::iter::repeat_n(value.unwrap_or(0), count as usize));
    }
    (text, bytes)
}

/// What a reader may say of an item: its path, whether it can be read, and whether the model knows it at all.
struct Model {
    opens: bool,
    reads: Vec<(String, bool)>,
}

/// Walks over the bytes as they are.
fn model(items: &[Item], bytes: &[u8]) -> Model {
    let mut model = Model { opens: true, reads: Vec::new() };
    let (mut cursor, mut moved) = (0_usize, false);
    // Whether all constants in front are right, and whether those were that guard the params which moved what follows.
    let (mut right, mut guarded) = (true, true);
    let mut last: Option<(u8, bool)> = None;
    for (at, item) in items.iter().enumerate() {
        let (count, stated) = match *item {
            Item::Plain(n, stated) => (n as usize, stated),
            Item::Param(value, stated) => {
                let Some(&found) = bytes.get(cursor) else { return model };
                let own = !stated || found == value;
                if !own && !moved {
                    model.opens = false;
                }
                model.reads.push((format!("/:P{at}"), guarded && right && own));
                // Who needs this param needs what is in front of it, and its own constant.
                last = Some((found, guarded && right && own));
                right &= own;
                cursor += 1;
                continue;
            }
            Item::Sized(stated) => match last {
                Some((count, is_right)) => {
                    guarded &= is_right;
                    (usize::from(count), stated)
                }
                None => (1, stated),
            },
        };
        let Some(here) = bytes.get(cursor..cursor + count) else { return model };
        let own = stated.is_none_or(|stated| here.iter().all(|byte| *byte == stated));
        // What a param is the length of is compared when that is known.
        moved |= matches!(item, Item::Sized(_)) && last.is_some();
        if !own && !moved {
            model.opens = false;
        }
        model.reads.push((format!("/i{at}"), guarded && own));
        right &= own;
        cursor += count;
    }
    model
}

fn read(stream: &Stream, path: &str) -> Result<(), Error> {
    stream.get(path)?.value().map(drop)
}

proptest! {
    /// A stream with one wrong byte opens unless a constant is wrong that no param moves, and of what follows that can be
    /// read which needs no param behind a wrong constant.
    #[test]
    fn wrong_constants_keep_from_reading_what_they_guard(
        items in prop::collection::vec(item(), 1..9),
        flip in prop::option::of((any::<prop::sample::Index>(), 1..4_u8)),
    ) {
        let (text, mut bytes) = written(&items);
        if let Some((at, by)) = flip && !bytes.is_empty() {
            let at = at.index(bytes.len());
            bytes[at] ^= by;
        }
        let expected = model(&items, &bytes);
        let open = || Open::new().layout_text(&text).expect("a layout").raw();
        match open().bytes(bytes.clone()) {
            Err(Error::Const { .. }) => prop_assert!(!expected.opens, "{text} {bytes:?}"),
            Err(other) => prop_assert!(false, "{text} {bytes:?}: {other}"),
            Ok(stream) => {
                prop_assert!(expected.opens, "{} {:?}", text, bytes);
                for (path, readable) in &expected.reads {
                    let found = read(&stream, path);
                    prop_assert_eq!(found.is_ok(), *readable, "{} {:?} {}: {:?}", text, bytes, path, found);
                }
            }
        }
        // Who continues reads all that is there.
        let stream = open().wrong_constants(|_| {}).bytes(bytes.clone()).expect("it opens");
        for (path, _) in &expected.reads {
            let found = read(&stream, path);
            prop_assert!(found.is_ok(), "{text} {bytes:?} {path}: {found:?}");
        }
    }

    /// `dims` names the dimensions if it has a name for each, else params do; none has one where a param of -1 takes one away.
    #[test]
    fn dimensions_have_the_names_that_are_said(
        params in prop::collection::vec(-1..3_i64, 3),
        shape in prop::collection::vec((0..5_usize, 1..3_u64), 1..4),
        names in prop::option::of(prop::collection::vec("[a-z]{0,2}", 1..4)),
    ) {
        let params: Vec<String> = params.iter().enumerate().map(|(at, it)| format!("N{at} : {it}\n")).collect();
        let value = |at: usize| params[at].rsplit(' ').next().and_then(|it| it.trim().parse::<i64>().ok()).expect("a number");
        let dims: Vec<String> = shape.iter().map(|(at, number)| {
            if *at < 3 { format!("N{at}") } else { number.to_string() }
        }).collect();
        let said = names.as_ref().map_or(String::new(), |names| format!("  #: dims = {names:?}"));
        let text = format!("{}x = u1[{}]{said}\n", params.concat(), dims.join(", "));
        let is_gone = |at: usize| at < 3 && value(at) == -1;
        let rank = shape.iter().filter(|(at, _)| !is_gone(*at)).count();
        let expected: Vec<Option<String>> = match names.filter(|names| names.len() == shape.len()) {
            _ if rank < shape.len() => vec![None; rank],
            Some(names) => names.into_iter().map(|name| Some(name).filter(|it| !it.is_empty())).collect(),
            None => shape.iter().map(|(at, _)| (*at < 3).then(|| format!("N{at}"))).collect(),
        };
        let open = Open::new().layout_text(&text).expect("a layout").raw();
        let stream = open.bytes(vec![0; 64]).expect("it opens");
        let found = stream.get("/x").and_then(|x| x.dim_names()).expect("it is placed");
        let found: Vec<Option<String>> = found.into_iter().map(|it| it.filter(|it| !it.is_empty())).collect();
        prop_assert_eq!(found, expected, "{}", text);
    }
}
