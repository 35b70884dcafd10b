use dudley::Dudley;

#[derive(Dudley)]
#[dudley(order = "middle", crate = "no crate", parts = "a b")]
struct State {
    #[dudley(align = 3)]
    a: f64,
    #[dudley(align = "8")]
    b: f64,
    #[dudley(order = 1)]
    c: f64,
    #[dudley(name = "")]
    d: f64,
    #[dudley(name = "two\nlines")]
    e: f64,
    #[dudley(unit = "a)b")]
    f: f64,
    #[dudley(shape = "[N]")]
    g: Vec<f64>,
    #[dudley(shape = "N+-")]
    h: Vec<f64>,
    #[dudley(shape = "")]
    i: Vec<f64>,
    #[dudley(skip = "yes")]
    j: f64,
}

fn main() {}
