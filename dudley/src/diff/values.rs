//! Structs compared that must be looked at one by one: those of variable size, or with filtered fields.
//!
//! A type that stands for its one member, such as a text with its length before it, is compared with its params
//! too: texts that are shown alike may have NULs at the end.

use std::collections::BTreeMap;

use dudley_parser::layout::path::push_name;

use super::close::{Close, Tolerance};
use super::{Difference, Values, Worst};
use crate::elements::value::Value;

/// Values that are compared, element by element of two arrays.
pub(super) struct Fields<'t> {
    /// How far apart the numbers of a path may be; `None` if it is ignored.
    tolerance: &'t dyn Fn(&str) -> Option<Tolerance>,
    /// Learns of what cannot be compared.
    tell: &'t mut dyn FnMut(Difference),
    /// Each field under its path, with how bad the worst is.
    found: BTreeMap<String, (Values, f64)>,
}

impl<'t> Fields<'t> {
    /// Nothing yet.
    pub(super) fn new(
        tolerance: &'t dyn Fn(&str) -> Option<Tolerance>,
        tell: &'t mut dyn FnMut(Difference),
    ) -> Fields<'t> {
        Fields { tolerance, tell, found: BTreeMap::new() }
    }

    /// Tells where values differ, in the order of the paths.
    pub(super) fn finish(self) {
        let found = self.found.into_iter().filter(|(_, (values, _))| values.count > 0);
        for (path, (values, _)) in found {
            (self.tell)(Difference::Values { path, values });
        }
    }

    /// Compares two values, under a path and with the indices that they have there.
    pub(super) fn both(&mut self, path: &str, index: &mut Vec<u64>, a: &Value, b: &Value) {
        let Some(tolerance) = (self.tolerance)(path) else { return };
        match (a, b) {
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                for (at, (a, b)) in a.iter().zip(b).enumerate() {
                    index.push(at as u64);
                    self.both(path, index, a, b);
                    index.pop();
                }
            }
            (Value::Array(a), Value::Array(b)) => (self.tell)(Difference::Shape {
                path: crate::read::path::instance_path(path, index),
                a: vec![a.len() as u64],
                b: vec![b.len() as u64],
            }),
            (Value::Struct(a), Value::Struct(b)) if stands_for(a) && stands_for(b) => {
                for (name, a) in a {
                    let Some((_, b)) = b.iter().find(|(other, _)| other == name) else { continue };
                    match name.as_str() {
                        "" => self.both(path, index, a, b),
                        name => self.both(&below(path, name), index, a, b),
                    }
                }
            }
            (Value::Struct(a), Value::Struct(b)) if names(a) != names(b) => {
                let (path, a, b) = (path.to_owned(), fields(a), fields(b));
                (self.tell)(Difference::Dtype { path, a, b });
            }
            (Value::Struct(a), Value::Struct(b)) => {
                for ((name, a), (_, b)) in a.iter().zip(b) {
                    self.both(&below(path, name), index, a, b);
                }
            }
            _ => self.single(path, index, a, b, &tolerance),
        }
    }

    fn single(&mut self, path: &str, index: &[u64], a: &Value, b: &Value, tolerance: &Tolerance) {
        let (close, excess, apart) = match (a, b) {
            (Value::Float(a), Value::Float(b)) => {
                (a.close(*b, tolerance), a.excess(*b, tolerance), a.apart(*b))
            }
            (Value::Complex(re, im), Value::Complex(re_b, im_b)) => {
                let a = num_complex::Complex::new(*re, *im);
                let b = num_complex::Complex::new(*re_b, *im_b);
                (a.close(b, tolerance), a.excess(b, tolerance), a.apart(b))
            }
            (a, b) => (a == b, 0.0, super::Apart::default()),
        };
        let (values, most) = self.found.entry(path.to_owned()).or_insert_with(|| {
            let worst = Worst::of(Value::Null, Value::Null);
            (Values { count: 0, of: 0, worst }, f64::NEG_INFINITY)
        });
        values.of += 1;
        values.count += u64::from(!close);
        if !close && excess > *most {
            // Nothing but a time that is none is null.
            let times = [a, b].contains(&&Value::Null);
            let worst = Worst::of(a.clone(), b.clone());
            let worst = Worst { index: index.to_vec(), apart, times, ..worst };
            (values.worst, *most) = (worst, excess);
        }
    }
}

/// The path of a field.
fn below(path: &str, name: &str) -> String {
    let mut path = format!("{path}.");
    push_name(&mut path, name);
    path
}

/// Whether a struct is shown as its one member (spec 3.5).
fn stands_for(fields: &[(String, Value)]) -> bool {
    fields.iter().any(|(name, _)| name.is_empty())
}

fn names(fields: &[(String, Value)]) -> Vec<&str> {
    fields.iter().map(|(name, _)| name.as_str()).collect()
}

/// `struct{a,b}`
fn fields(fields: &[(String, Value)]) -> String {
    format!("struct{{{}}}", names(fields).join(","))
}
