//! Values that params are tried with: simple ones, those near the numbers that the layouts add to them,
//! large ones, and the same ones whenever two layouts are compared.

use super::declared::Comparison;
use crate::layout::dtype::{Kind, Primitive};
use crate::layout::expr::ExprOp;
use crate::layout::{Count, Element, Layout, ParamId, ParamValue, Place};
use hashbrown::HashSet;

/// Values that a param is tried with, the simplest first.
pub(super) const SIMPLE: [i64; 16] = [1, 2, 3, 0, 4, 5, -1, 7, 8, 6, 9, 12, 13, 16, 17, 33];

/// What sums add to one param, up to this many different numbers.
const ADDED: usize = 12;

/// Addresses in the text that all params are tried near.
const ADDRESSES: usize = 6;

/// What is visited one by one for a trial, if the counts of all that are multiplied; and what each
/// count may be anyway.
const ONE_BY_ONE: f64 = 10_000.0;
const FEW: i64 = 9;

/// How many bytes a filtered item is said to store: every filter can make this many of something. All of these
/// leave another rest where they are aligned.
const STORED: std::ops::Range<i64> = 64..80;

/// Bytes of the stream at least, where a layout asks for them.
const STREAM_BYTES: i64 = 1 << 16;

/// What the params of both layouts may be, by their classes.
pub(super) struct Domains {
    /// One value: fixed in the old layout. Else those to try, the simplest first. Behind those of the params
    /// the length of the stream, and the bytes that filtered items store.
    values: Vec<Vec<i64>>,
    /// The greatest value of its type; the least is -1 or 0.
    most: Vec<i64>,
    /// Classes that anything depends on, and that are read from the stream.
    pub(super) live: Vec<usize>,
    /// Those that are fixed in the old layout, and read by the new one; and the length of the stream, where a
    /// layout asks for it.
    pub(super) mixed: Vec<usize>,
    /// What the length of the stream is said to be.
    stream_bytes: i64,
    random: u64,
}

impl Domains {
    pub(super) fn new(of: &Comparison<'_>) -> Domains {
        let count = of.old.param_count() + of.new.param_count();
        let mut domains = Domains {
            values: vec![SIMPLE.to_vec(); count],
            most: vec![i64::MAX; count],
            live: Vec::new(),
            mixed: Vec::new(),
            stream_bytes: STREAM_BYTES,
            random: 0x9e37_79b9_7f4a_7c15,
        };
        domains.near_numbers(of);
        domains.stored(of);
        let mut used = HashSet::new();
        let (mut fixed, mut mixed) = (HashSet::new(), HashSet::new());
        for (side, layout) in [of.old, of.new].into_iter().enumerate() {
            for (id, param) in layout.params() {
                let class = of.class(side, id) as usize;
                if param.used {
                    used.insert(class);
                }
                match param.value {
                    ParamValue::Fixed(_) if param.to_end.is_some() => {
                        domains.of_type(class, Primitive::U8);
                    }
                    // One that the other layout reads has the value that this one states.
                    ParamValue::Fixed(value) if side == 0 => {
                        fixed.insert(class);
                        domains.values[class] = vec![value];
                    }
                    ParamValue::Fixed(_) => {}
                    ParamValue::Streamed(..) if fixed.contains(&class) => {
                        mixed.insert(class);
                    }
                    ParamValue::Streamed(primitive, _) => domains.of_type(class, primitive),
                }
            }
        }
        domains.one_by_one(of);
        let length = domains.stream_bytes;
        domains.values.push(vec![length, length + 1, length + 8, 2 * length]);
        domains.values.push(STORED.collect());
        domains.most.resize(domains.values.len(), i64::MAX);
        let live = used.into_iter().filter(|&class| domains.values[class].len() > 1);
        domains.live = live.collect();
        domains.live.sort_unstable();
        domains.mixed = mixed.into_iter().collect();
        let asks = |layout: &Layout| layout.params().any(|(_, param)| param.stream_bytes);
        if asks(of.old) || asks(of.new) {
            domains.mixed.push(domains.stream_class());
        }
        domains.mixed.sort_unstable();
        domains
    }

    /// Adds values near which a sum is 0, a suffix has taken all, or an address is reached.
    fn near_numbers(&mut self, of: &Comparison<'_>) {
        let mut addresses = HashSet::new();
        for (side, layout) in [of.old, of.new].into_iter().enumerate() {
            let mut add = |id: ParamId, number: i64| {
                let values = &mut self.values[of.class(side, id) as usize];
                let near = [number, number.saturating_add(1), number.saturating_add(9)];
                if !values.contains(&number) && values.len() < SIMPLE.len() + 3 * ADDED {
                    values.extend(near);
                }
            };
            let mut most = 0;
            for ops in &layout.exprs {
                let numbers = ops.iter().filter_map(|op| match op {
                    ExprOp::Int(number) => Some(number.saturating_abs()),
                    _ => None,
                });
                let number = numbers.fold(0, i64::saturating_add);
                most = number.max(most);
                for op in ops {
                    if let ExprOp::Param(id) = *op {
                        add(id, number);
                    }
                }
            }
            for count in counts(layout) {
                match count {
                    Count::Param(id, suffix) if suffix != 0 => add(id, i64::from(suffix.abs())),
                    Count::Int(number) => most = number.max(most),
                    _ => {}
                }
            }
            let arrays = layout.arrays.iter().map(|array| array.place);
            let places = arrays.chain(layout.params.iter().map(|param| param.place));
            for place in places {
                if let Place::At(Count::Int(number), _) = place {
                    most = number.max(most);
                    if addresses.len() < ADDRESSES {
                        addresses.insert(number);
                    }
                }
            }
            self.stream_bytes = self.stream_bytes.max(most.saturating_mul(2).min(1 << 60));
        }
        let mut addresses: Vec<i64> = addresses.into_iter().filter(|number| *number > 0).collect();
        addresses.sort_unstable();
        for values in &mut self.values {
            values.extend(addresses.iter().flat_map(|&number| [number / 8, number]));
            let mut known = HashSet::new();
            values.retain(|value| known.insert(*value));
        }
    }

    /// Adds what filters store to what their params may be: it is simpler than a size that none can make.
    fn stored(&mut self, of: &Comparison<'_>) {
        for (side, layout) in [of.old, of.new].into_iter().enumerate() {
            let counts = layout.filters.iter().filter_map(|filter| Some(filter.stored?.count));
            for count in counts {
                for id in layout.params_of(count) {
                    let values = &mut self.values[of.class(side, id) as usize];
                    values.retain(|value| !STORED.contains(value));
                    values.splice(0..0, STORED);
                }
            }
        }
    }

    /// Keeps what a type can hold.
    fn of_type(&mut self, class: usize, primitive: Primitive) {
        if self.values[class].len() == 1 {
            return;
        }
        let unsigned = primitive.kind() == Kind::Unsigned;
        let bits = 8 * primitive.size() as u32 - u32::from(!unsigned);
        let most = 1_i64.checked_shl(bits.min(63)).map_or(i64::MAX, |most| most.wrapping_sub(1));
        let most = self.most[class].min(most);
        self.most[class] = most;
        let least = if unsigned { 0 } else { -1 };
        self.values[class].retain(|value| (least..=most).contains(value));
    }

    /// Keeps small how many there are of what differs in size: each instance is measured, and there may be
    /// others in each.
    fn one_by_one(&mut self, of: &Comparison<'_>) {
        let mut counted = Vec::new();
        for (side, layout) in [of.old, of.new].into_iter().enumerate() {
            let repeats = layout.repeats.iter().filter(|repeat| repeat.varying);
            let arrays = layout.arrays.iter().filter(|array| match array.element {
                Element::Record(record) => layout[record].variable,
                Element::Primitive(..) => false,
            });
            let dims = arrays.flat_map(|array| layout.dims(array)).map(|dim| dim.count);
            let params = repeats.map(|repeat| repeat.count).chain(dims).filter_map(|count| {
                let Count::Param(id, _) = count else { return None };
                Some((side, of.class(side, id) as usize))
            });
            counted.extend(params);
        }
        let deep = [0, 1].map(|side| counted.iter().filter(|(of, _)| *of == side).count());
        let deep = deep.into_iter().max().unwrap_or(0).clamp(1, 64);
        let most = (ONE_BY_ONE.powf(1.0 / deep as f64) as i64).max(FEW);
        for (_, class) in counted {
            if self.values[class].len() > 1 {
                // Below the numbers that are taken away from it nothing may have a place.
                let near = |value: i64| value <= 4 * most && !SIMPLE.contains(&value);
                self.values[class].retain(|value| *value <= most || near(*value));
                let known = self.values[class].iter().fold(FEW, |a, b| a.max(*b));
                self.most[class] = self.most[class].min(known);
            }
        }
    }

    /// The class that stands for the length of the stream.
    pub(super) fn stream_class(&self) -> usize {
        self.values.len() - 2
    }

    /// The class that stands for the bytes that filtered items store.
    pub(super) fn stored_class(&self) -> usize {
        self.values.len() - 1
    }

    /// The values that a param of a class is tried with.
    pub(super) fn of(&self, class: usize) -> &[i64] {
        &self.values[class]
    }

    /// The one value that a class has, if it is fixed in the old layout.
    pub(super) fn only(&self, class: usize) -> Option<i64> {
        match self.values[class][..] {
            [value] => Some(value),
            _ => None,
        }
    }

    fn holds(&self, class: usize, value: i64) -> bool {
        let negative = self.values[class].contains(&-1);
        value >= if negative { -1 } else { 0 } && value <= self.most[class]
    }

    /// A number below `limit`; xorshift.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 33) as usize % limit.max(1)
    }

    /// The simplest value of each class.
    pub(super) fn base(&self) -> Vec<i64> {
        let first = |domain: &Vec<i64>| domain.first().copied().unwrap_or(1);
        self.values.iter().map(first).collect()
    }

    /// The greatest value that each class is tried with.
    pub(super) fn large(&self) -> Vec<i64> {
        let greatest = |domain: &Vec<i64>| domain.iter().copied().max().unwrap_or(1);
        let mut values = self.base();
        for &class in &self.live {
            values[class] = greatest(&self.values[class]);
        }
        values
    }

    /// The same with other values for what is read, by its number among that, where its type has them.
    pub(super) fn with(&self, value: impl Fn(usize) -> i64) -> Vec<i64> {
        let mut values = self.base();
        for (number, &class) in self.live.iter().enumerate() {
            let value = value(number);
            if self.holds(class, value) {
                values[class] = value;
            }
        }
        values
    }

    /// Says what filters store: arbitrary, and another number each time.
    pub(super) fn store(&mut self, values: &mut [i64]) {
        let stored = STORED.start + self.below(40) as i64;
        values.last_mut().into_iter().for_each(|last| *last = stored);
    }

    /// A random value of a class; `others` are what it may be near.
    pub(super) fn pick(&mut self, class: usize, others: &[i64]) -> i64 {
        let known = self.below(self.values[class].len());
        let known = self.values[class].get(known).copied().unwrap_or(1);
        let value = match self.below(8) {
            _ if self.only(class).is_some() => known,
            0 => (1_i64 << self.below(21)) + self.below(17) as i64,
            1 => self.below(5000) as i64,
            2 if !others.is_empty() => others[self.below(others.len())].saturating_add(known),
            _ => known,
        };
        if self.holds(class, value) { value } else { known }
    }

    /// Random values for all that is read.
    pub(super) fn mix(&mut self) -> Vec<i64> {
        let mut values = self.base();
        let live = self.live.clone();
        let mut others = Vec::with_capacity(live.len());
        for class in live {
            values[class] = self.pick(class, &others);
            others.push(values[class]);
        }
        self.store(&mut values);
        values
    }
}

/// All counts of a layout but addresses.
fn counts(layout: &Layout) -> impl Iterator<Item = Count> {
    let dims = layout.dims.iter().map(|dim| dim.count);
    let repeats = layout.repeats.iter().map(|repeat| repeat.count);
    let stored = layout.filters.iter().filter_map(|filter| filter.stored.map(|dim| dim.count));
    dims.chain(repeats).chain(stored)
}
