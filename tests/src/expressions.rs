//! Random expressions of params, with what they come to by plain arithmetic on numbers that are wide enough.

use proptest::prelude::*;

/// The params of the expressions.
pub const PARAMS: [&str; 3] = ["N", "M", "K"];

/// Values of params: small ones, and those near which something no longer fits.
pub const VALUES: [i64; 12] =
    [0, -1, 1, 2, 3, 6, 12, 1 << 31, 1 << 32, 1 << 62, i64::MAX - 1, i64::MAX];

/// An expression.
#[derive(Clone, Debug)]
pub enum Tree {
    /// An integer from 0 on.
    Int(i64),
    /// One of [`PARAMS`], by its number.
    Param(usize),
    /// `+`, `-`, `*` or `/` of two.
    Op(char, Box<Tree>, Box<Tree>),
}

impl Tree {
    /// As it is written, in brackets where they are needed.
    pub fn text(&self) -> String {
        let level = |tree: &Tree| match tree {
            Tree::Op('+' | '-', ..) => 0,
            Tree::Op(..) => 1,
            _ => 2,
        };
        let within = |tree: &Tree, least: i32| {
            let text = tree.text();
            if level(tree) < least { format!("({text})") } else { text }
        };
        match self {
            Tree::Int(value) => value.to_string(),
            Tree::Param(at) => PARAMS[*at].to_owned(),
            Tree::Op(op, a, b) => {
                format!("{}{op}{}", within(a, level(self)), within(b, level(self) + 1))
            }
        }
    }

    /// The length that it is; `None` if it is none. A chain of sums may be past 63 bits in between.
    pub fn length(&self, params: &[i64]) -> Option<i64> {
        fits(self.value(params)?).filter(|value| *value >= 0)
    }

    fn value(&self, params: &[i64]) -> Option<i128> {
        let Tree::Op(op, a, b) = self else {
            return Some(match self {
                Tree::Param(at) => params[*at].into(),
                Tree::Int(value) => (*value).into(),
                Tree::Op(..) => return None,
            });
        };
        let (a, b) = (a.value(params)?, b.value(params)?);
        let b = i128::from(fits(b)?);
        match op {
            '+' => Some(a + b),
            '-' => Some(a - b),
            '*' => fits(i128::from(fits(a)?) * b).map(i128::from),
            _ => {
                let a = i128::from(fits(a)?);
                (b != 0 && a % b == 0).then(|| a / b).and_then(fits).map(i128::from)
            }
        }
    }
}

fn fits(value: i128) -> Option<i64> {
    i64::try_from(value).ok()
}

/// An expression of some depth.
pub fn tree() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        2 => (0..PARAMS.len()).prop_map(Tree::Param),
        1 => prop::sample::select(vec![0, 1, 2, 3, 4, 6, 1 << 32, i64::MAX]).prop_map(Tree::Int),
    ];
    leaf.prop_recursive(4, 12, 2, |inner| {
        let op = prop::sample::select(vec!['+', '-', '*', '/']);
        (op, inner.clone(), inner).prop_map(|(op, a, b)| Tree::Op(op, Box::new(a), Box::new(b)))
    })
}

/// A layout that begins with the params, and has an array `x0`, `x1`, … of bytes for each expression. They all lie
/// at address 0, so that each may be as long as it can be.
pub fn layout(trees: &[Tree]) -> String {
    let mut text: String = PARAMS.map(|name| format!("{name} : i8\n")).concat();
    for (at, tree) in trees.iter().enumerate() {
        text += &format!("x{at} = u1[{}] @0\n", bare(tree));
    }
    text
}

/// A dimension is only by its sign an expression, and no bare param with what -1 means there.
fn bare(tree: &Tree) -> String {
    match tree {
        Tree::Op(..) => tree.text(),
        tree => format!("{}+0", tree.text()),
    }
}
