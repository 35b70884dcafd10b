//! Tuples, and what may be absent among others: records whose structs nobody has declared.

use super::field::{FieldType, Member};
use super::form::{Dims, Element, Field, Form, Struct};
use super::give::Giver;
use super::record::{Packed, Plan, PlanField, give_records, take_record, take_records};
use super::wanted::Wanted;
use crate::error::Result;
use crate::read::dtype::Dtype;
use crate::read::item::Item;

/// A field of such a record.
const fn field(name: &'static str, form: Form) -> Field {
    Field {
        name,
        quoted: false,
        doc: &[],
        shape: None,
        order: None,
        align: None,
        presence: false,
        form,
    }
}

/// Such a record: `name` is for messages.
const fn table(name: &'static str, fields: &'static [Field]) -> Struct {
    Struct {
        name,
        declared: false,
        doc: &[],
        order: None,
        align: None,
        packed: None,
        params: &[],
        fields,
    }
}

const fn wanted(name: &'static str, widen: bool) -> Wanted {
    Wanted { name, aliases: &[], widen }
}

const fn plan_of<T: Packed>(name: &'static str, widen: bool) -> PlanField {
    PlanField { wanted: wanted(name, widen), dispensable: false, plan: T::plan }
}

/// What is the same of all that is stored as a record: one as an item, and many as an array.
macro_rules! as_records {
    ([$($param:ident),*] $type:ty) => {
        impl<$($param: Packed),*> Member for $type {
            const ELEMENT: Element = Self::PACKED.element;
            const INNER: Dims = Dims::None;
            type Part<Whole: FieldType> = Whole;

            fn give_all<'a>(
                flat: &'a [Self],
                shape: Vec<usize>,
                to: &mut Giver<'a>,
                name: &'static str,
            ) -> Result<()> {
                give_records(flat, shape, to, name)
            }

            fn take_all(item: &Item, widen: bool) -> Result<(Vec<Self>, Vec<usize>)> {
                take_records(item, widen)
            }

            fn part<Whole: FieldType>(item: &Item, widen: bool) -> Result<Whole> {
                Whole::take(item, widen)
            }
        }
    };
}

macro_rules! tuples {
    ($([$($param:ident $at:tt $name:literal),*];)*) => {$(
        impl<$($param: Packed),*> Packed for ($($param,)*) {
            const PACKED: Form = {
                struct Of<T>(T);
                impl<$($param: Packed),*> Of<($($param,)*)> {
                    const FIELDS: &'static [Field] = &[$(field($name, $param::PACKED)),*];
                    const TABLE: &'static Struct = &table("a tuple", Self::FIELDS);
                }
                Form::scalar(Element::Record(Of::<Self>::TABLE))
            };

            fn plan(dtype: &Dtype, shape: &[u64], widen: bool) -> Result<Plan> {
                Plan::of_struct(dtype, shape, &[$(plan_of::<$param>($name, widen)),*])
            }

            fn put(&self, plan: &Plan, room: &mut [u8]) {
                $(plan.put($at, &self.$at, room);)*
            }

            fn get(plan: &Plan, bytes: &[u8]) -> Result<Self> {
                Ok(($($param::get_of(plan, $at, bytes, || None)?,)*))
            }
        }

        impl<$($param: Packed),*> FieldType for ($($param,)*) {
            const FORM: Form = Self::PACKED;
            type Part = Self;

            fn give<'a>(&'a self, to: &mut Giver<'a>, name: &'static str) -> Result<()> {
                give_records(std::slice::from_ref(self), Vec::new(), to, name)
            }

            fn take(item: &Item, widen: bool) -> Result<Self> {
                take_record(item, widen)
            }

            fn part(item: &Item, widen: bool) -> Result<Self> {
                take_record(item, widen)
            }
        }

        as_records! { [$($param),*] ($($param,)*) }
    )*};
}

tuples! {
    [A 0 "_0"];
    [A 0 "_0", B 1 "_1"];
    [A 0 "_0", B 1 "_1", C 2 "_2"];
    [A 0 "_0", B 1 "_1", C 2 "_2", D 3 "_3"];
    [A 0 "_0", B 1 "_1", C 2 "_2", D 3 "_3", E 4 "_4"];
    [A 0 "_0", B 1 "_1", C 2 "_2", D 3 "_3", E 4 "_4", F 5 "_5"];
}

/// Among others, what may be absent has its room, and a flag in front.
impl<T: Packed> Packed for Option<T> {
    const PACKED: Form = {
        struct Of<T>(T);
        impl<T: Packed> Of<T> {
            const FIELDS: &'static [Field] =
                &[field("some", bool::PACKED), field("value", T::PACKED)];
            const TABLE: &'static Struct = &table("an `Option`", Self::FIELDS);
        }
        Form::scalar(Element::Record(Of::<T>::TABLE))
    };

    fn plan(dtype: &Dtype, shape: &[u64], widen: bool) -> Result<Plan> {
        let fields = [plan_of::<bool>("some", widen), plan_of::<T>("value", widen)];
        Plan::of_struct(dtype, shape, &fields).or_else(|error| {
            // What was always there when the stream was written.
            T::plan(dtype, shape, widen).map(Plan::always).map_err(|_| error)
        })
    }

    fn put(&self, plan: &Plan, room: &mut [u8]) {
        plan.put(0, &self.is_some(), room);
        if let Some(value) = self {
            plan.put(1, value, room);
        }
    }

    fn get(plan: &Plan, bytes: &[u8]) -> Result<Self> {
        if let Some(plan) = plan.is_always() {
            return T::get(plan, bytes).map(Some);
        }
        if bool::get_of(plan, 0, bytes, || None)? {
            T::get_of(plan, 1, bytes, || None).map(Some)
        } else {
            Ok(None)
        }
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

as_records! { [T] Option<T> }
