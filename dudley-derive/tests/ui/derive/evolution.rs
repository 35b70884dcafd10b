use dudley::Dudley;

#[derive(Dudley)]
struct Aliases {
    a: f64,
    #[dudley(alias = "a", alias = "c")]
    b: f64,
    #[dudley(alias = "c")]
    d: f64,
    #[dudley(alias = "")]
    e: f64,
}

#[derive(Dudley)]
struct Defaults {
    #[dudley(default = "not a path")]
    a: f64,
    #[dudley(default, default)]
    b: f64,
}

#[derive(Dudley)]
struct Skipped {
    #[dudley(skip, alias = "b", widen)]
    a: f64,
}

#[derive(Dudley)]
#[repr(u8)]
enum Phase {
    #[dudley(alias = "b", widen)]
    Solid,
}

fn main() {}
