//! What a written formula comes to, by the meaning of its functions (docs/language.md).

use dudley_parser::formula::{Labels, index_name};
use dudley_parser::layout::ParamId;
use hashbrown::HashMap;

struct Reader<'t> {
    rest: &'t str,
    names: HashMap<String, i128>,
}

/// None: below 0, illegal, or it needs the end of an item.
pub(super) fn value(
    text: &str,
    labels: &Labels<'_>,
    params: &HashMap<ParamId, i128>,
    repetitions: &[u64],
) -> Option<u64> {
    let mut names: HashMap<String, i128> =
        params.iter().map(|(id, value)| (labels.param(*id), *value)).collect();
    // A param that is called like an index hides it; no test of ours has both in a formula.
    for (depth, number) in repetitions.iter().enumerate() {
        names.entry(index_name(depth as u32)).or_insert((*number).into());
    }
    let mut reader = Reader { rest: text, names };
    let value = reader.sum()?;
    assert_eq!(reader.rest, "", "{text}");
    u64::try_from(value).ok()
}

impl Reader<'_> {
    fn eat(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn sum(&mut self) -> Option<i128> {
        let mut total = if self.eat("-") { -self.product()? } else { self.product()? };
        loop {
            if self.eat("+") {
                total += self.product()?;
            } else if self.eat("-") {
                total -= self.product()?;
            } else {
                return Some(total);
            }
        }
    }

    fn product(&mut self) -> Option<i128> {
        let mut all = self.factor()?;
        loop {
            if self.eat("*") {
                all *= self.factor()?;
            } else if self.eat("/") {
                let by = self.factor()?;
                all = all.checked_rem(by).filter(|rest| *rest == 0).map(|_| all / by)?;
            } else {
                return Some(all);
            }
        }
    }

    fn factor(&mut self) -> Option<i128> {
        if self.eat("(") {
            let inner = self.sum()?;
            return self.eat(")").then_some(inner);
        }
        self.rest = self.rest.trim_start();
        let ends = if self.rest.starts_with('/') { " +-*()," } else { " +-*/()," };
        let end = self.rest.find(|c| ends.contains(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        if !self.eat("(") {
            return name.parse().ok().or_else(|| self.names.get(name).copied());
        }
        if name == "dim" {
            return self.dim();
        }
        let mut all = vec![self.sum()?];
        while self.eat(",") {
            all.push(self.sum()?);
        }
        assert!(self.eat(")"), "{name}(… {}", self.rest);
        match (name, all.as_slice()) {
            ("max", all) => all.iter().max().copied(),
            ("when", [some, value]) => Some(if *some == 0 { 0 } else { *value }),
            (_, [value, 0]) => Some(*value),
            (_, [value] | [value, _]) => {
                let to: i128 = name.strip_prefix("align")?.parse().ok()?;
                Some(-(-value).div_euclid(to) * to)
            }
            _ => panic!("{name} of {} numbers", all.len()),
        }
    }

    /// A param with suffixes, and the bracket behind it.
    fn dim(&mut self) -> Option<i128> {
        let end = self.rest.find(|c| "+-)".contains(c))?;
        let (name, rest) = self.rest.split_at(end);
        let (suffixes, rest) = rest.split_once(')')?;
        self.rest = rest;
        let more = suffixes.bytes().map(|sign| if sign == b'+' { 1 } else { -1 }).sum::<i128>();
        match *self.names.get(name)? {
            0 => Some(0),
            -1 => Some(1),
            value => Some(value + more).filter(|dim| *dim >= 0),
        }
    }
}
