//! How fast typed code knows where everything lies: a plan of many items, from params alone.

use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::OnceLock;

use dudley::typed::{Addresses, Handle, Kind, Known, Mode, Params, Schema, params};

use crate::Outcome;
use crate::report::{Report, Target};
use crate::timing;

const ITEMS: usize = 10_000;

/// What `layout!` would make of the layout, without a method for each item.
enum Many {}

#[derive(Clone)]
struct Zones {
    n: usize,
}

struct Root<M>(Handle<M>);

impl Params for Zones {
    fn values(&self) -> Vec<(&'static str, i128)> {
        vec![("/:N", params::count(self.n))]
    }

    fn known(known: &params::Known<'_>) -> dudley::Result<Self> {
        Ok(Zones { n: known.count("/:N")? })
    }
}

impl<M: Mode> Kind<M> for Root<M> {
    fn of(at: Handle<M>) -> Self {
        Root(at)
    }
}

impl Schema for Many {
    type Params = Zones;
    type Root<M: Mode> = Root<M>;

    fn known() -> &'static Known {
        static KNOWN: OnceLock<Known> = OnceLock::new();
        KNOWN.get_or_init(|| Known::new(text().leak(), 0))
    }
}

/// Items of 100 dicts, a line each.
fn text() -> String {
    let mut text = String::from("N : i8\n");
    for item in 0..ITEMS {
        if item % 100 == 0 {
            let _ = writeln!(text, "/part_{}/", item / 100);
        }
        let dtype = ["f8[N]", "i2[3]", "f4", "f8[N+, N-]"][item % 4];
        let _ = writeln!(text, "  item_{} = {dtype}", item % 100);
    }
    text
}

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let n = 1000;
    let addresses = Addresses::<Many>::new(&Zones { n })?;
    let part = addresses.0.child::<Root<_>>("part_99");
    let last = part.0.child::<Root<_>>("item_99");
    let bytes = last.0.item()?.data()?.bytes();
    if (bytes, addresses.data_end()?) != (8 * 1001 * 999, last.0.item()?.address()? + bytes) {
        return Err("the last item is somewhere else".into());
    }
    let seconds = timing::least(|| {
        black_box(Addresses::<Many>::new(black_box(&Zones { n }))?);
        Ok(())
    })?;
    let what = "addresses of 10,000 typed items";
    report.add(what, seconds * 1e3, "ms", Target::AtMost(0.3))?;
    let seconds = timing::least(|| {
        for i in 0..1000 {
            black_box(last.0.item()?.data()?.address() + i);
        }
        Ok(())
    })?;
    report.add("one of them, looked up", seconds * 1e6, "ns", Target::None)
}
