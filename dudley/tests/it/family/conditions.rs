//! The language of conditions, beside a naive evaluation and by hand.

use dudley::Error;
use dudley::family::Family;
use proptest::prelude::*;

use crate::family::make::{Folder, Member};

fn family(folder: &Folder) -> Family {
    folder.family((0..12).map(|n| match n % 3 {
        0 => Member::new(n, n % 4),
        _ => Member::new(n, n % 4).big(),
    }))
}

fn picked(family: &Family, condition: &str) -> Vec<u32> {
    let members = family.select(condition).unwrap_or_else(|error| panic!("{condition}: {error}"));
    members.into_iter().map(|id| id.0 as u32).collect()
}

#[test]
fn conditions_pick_members() {
    let folder = Folder::new();
    let family = family(&folder);
    // `time` is n / 4, `I` is n % 4, `box` is n and 0.5, `tag` is t and the last digit of n.
    for (condition, expected) in [
        ("time > 2", &[9, 10, 11][..]),
        ("time > 1.25 and I = 2", &[6, 10]),
        ("I in (0, 3) and not time < 2", &[8, 11]),
        ("I not in (0, 1, 2) or member = 0", &[0, 3, 7, 11]),
        ("0.5 <= time < 1", &[2, 3]),
        ("box[0] >= 10 and box[-1] = 0.5", &[10, 11]),
        ("/time = 1", &[4]),
        ("time * 4 = member and I + 1 = 4", &[3, 7, 11]),
        ("tag = 't1'", &[1, 11]),
        ("tag like 't?' and tag > 't8'", &[9]),
        ("file = '3.bd' or file like '1?.bd'", &[3, 10, 11]),
        ("member / 2 = 1.5", &[3]),
        ("-I = -3 and - (member - 7) = 0", &[7]),
        ("`time` = 0x2", &[8]),
        ("native and not missing and start = 0 and I == 3 and big", &[7, 11]),
        ("big = false and I <> 0", &[3, 6, 9]),
        ("NOT (true) OR member in (1, 2, 1)", &[1, 2]),
    ] {
        assert_eq!(picked(&family, condition), expected, "{condition}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let folder = Folder::new();
    let family = family(&folder);
    let columns = "its columns are `time`, `I`, `box`, `tag`";
    let meant = format!("the catalog does not hold `tim`: {columns}; did you mean `time`?");
    let unknown = format!("the catalog does not hold `größe`: {columns}");
    for (condition, column, why) in [
        ("tim > 1", 1, &*meant),
        ("time >", 7, "the condition ends where a value is expected"),
        ("", 1, "the condition ends where a value is expected"),
        ("time", 1, "this is a number: a comparison is expected"),
        ("time > 1 I = 2", 10, "this does not belong to the condition: `and` or `or` is missing"),
        ("box > 1", 1, "`box` is an array of shape [2]: say which element"),
        ("box[2] > 1", 1, "`box` is of shape [2]: no element is there"),
        ("time[0] > 1", 1, "`time` is no array"),
        ("tag = 1", 7, "text is compared with a number"),
        ("tag + 1 = 2", 1, "this is text: a number is expected"),
        ("time like 'x'", 1, "this is a number: `like` is for text"),
        ("tag like t", 10, "a pattern in quotes is expected here: `*` is any text"),
        ("(time > 1", 10, "`)` is expected here"),
        ("time > 'x", 8, "this quote is never closed"),
        ("time > 1z", 8, "`1z` is no number"),
        ("time ? 1", 6, "`?` means nothing here"),
        ("time in 1", 9, "`(` is expected here"),
        ("native < 1", 1, "true and false are not compared: use `and`, `or`, `not`"),
        ("größe > 1", 1, &unknown),
    ] {
        match family.select(condition) {
            Err(Error::BadCondition { column: at, why: said, .. }) => {
                assert_eq!((at, &*said), (column, why), "{condition}");
            }
            other => panic!("{condition}: {other:?}"),
        }
    }
    let deep = format!("{}time > 1{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(matches!(family.select(&deep), Err(Error::BadCondition { column: 66, .. })));
    let long = vec!["I = 3"; 20_000].join(" or ");
    assert_eq!(picked(&family, &long), [3, 7, 11]);
    let long = vec!["1"; 20_000].join(" + ");
    assert_eq!(picked(&family, &format!("{long} = 20000")).len(), 12);
}

/// A condition as text, and what it is for a member.
#[derive(Clone, Debug)]
enum Naive {
    Compare(Sum, &'static str, Sum),
    And(Box<Naive>, Box<Naive>),
    Or(Box<Naive>, Box<Naive>),
    Not(Box<Naive>),
}

/// Halves are exact as floats, so sums of them are the same however they are made.
#[derive(Clone, Debug)]
enum Sum {
    Time,
    I,
    Member,
    Int(i64),
    Half(i64),
    Add(Box<Sum>, Box<Sum>),
    Subtract(Box<Sum>, Box<Sum>),
    Multiply(Box<Sum>, Box<Sum>),
}

impl Sum {
    fn text(&self) -> String {
        match self {
            Sum::Time => "time".into(),
            Sum::I => "I".into(),
            Sum::Member => "member".into(),
            Sum::Int(value) => value.to_string(),
            Sum::Half(value) => format!("{:?}", *value as f64 / 2.0),
            Sum::Add(a, b) => format!("{} + ({})", a.text(), b.text()),
            Sum::Subtract(a, b) => format!("({}) - ({})", a.text(), b.text()),
            Sum::Multiply(a, b) => format!("({})*({})", a.text(), b.text()),
        }
    }

    fn value(&self, n: u32) -> f64 {
        match self {
            Sum::Time => Member::time(n),
            Sum::I => f64::from(n % 4),
            Sum::Member => f64::from(n),
            Sum::Int(value) => *value as f64,
            Sum::Half(value) => *value as f64 / 2.0,
            Sum::Add(a, b) => a.value(n) + b.value(n),
            Sum::Subtract(a, b) => a.value(n) - b.value(n),
            Sum::Multiply(a, b) => a.value(n) * b.value(n),
        }
    }
}

impl Naive {
    fn text(&self) -> String {
        match self {
            Naive::Compare(a, op, b) => format!("{} {op} {}", a.text(), b.text()),
            Naive::And(a, b) => format!("({}) and ({})", a.text(), b.text()),
            Naive::Or(a, b) => format!("({}) or ({})", a.text(), b.text()),
            Naive::Not(a) => format!("not ({})", a.text()),
        }
    }

    fn holds(&self, n: u32) -> bool {
        match self {
            Naive::Compare(a, op, b) => {
                let (a, b) = (a.value(n), b.value(n));
                match *op {
                    "=" => a == b,
                    "!=" => a != b,
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    _ => a >= b,
                }
            }
            Naive::And(a, b) => a.holds(n) && b.holds(n),
            Naive::Or(a, b) => a.holds(n) || b.holds(n),
            Naive::Not(a) => !a.holds(n),
        }
    }
}

fn sum() -> impl Strategy<Value = Sum> {
    let leaf = prop_oneof![
        Just(Sum::Time),
        Just(Sum::I),
        Just(Sum::Member),
        (-9_i64..20).prop_map(Sum::Int),
        (-9_i64..20).prop_map(Sum::Half),
    ];
    leaf.prop_recursive(3, 12, 2, |inner| {
        let both = (inner.clone(), inner).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        (both, 0..3).prop_map(|((a, b), which)| match which {
            0 => Sum::Add(a, b),
            1 => Sum::Subtract(a, b),
            _ => Sum::Multiply(a, b),
        })
    })
}

fn naive() -> impl Strategy<Value = Naive> {
    let ops = prop::sample::select(vec!["=", "!=", "<", "<=", ">", ">="]);
    let leaf = (sum(), ops, sum()).prop_map(|(a, op, b)| Naive::Compare(a, op, b));
    leaf.prop_recursive(4, 16, 2, |inner| {
        let both = (inner.clone(), inner).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        (both, 0..3).prop_map(|((a, b), which)| match which {
            0 => Naive::And(a, b),
            1 => Naive::Or(a, b),
            _ => Naive::Not(a),
        })
    })
}

#[test]
fn any_condition_is_as_a_naive_evaluation_has_it() {
    let folder = Folder::new();
    let family = family(&folder);
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let checked = runner.run(&naive(), |naive| {
        let expected: Vec<u32> = (0..12).filter(|n| naive.holds(*n)).collect();
        prop_assert_eq!(picked(&family, &naive.text()), expected);
        Ok(())
    });
    checked.expect("equal");
    let noise = runner.run(&"[a-zI0-9 '\"`()=<>+*/.,\\[\\]-]{0,40}|\\PC{0,20}", |text| {
        let _ = family.select(&text);
        Ok(())
    });
    noise.expect("no panic");
}
