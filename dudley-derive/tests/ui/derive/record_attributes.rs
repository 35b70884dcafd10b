use dudley::Dudley;

#[derive(Dudley)]
#[dudley(record)]
struct Tracer {
    #[dudley(shape = "3")]
    x: [f64; 3],
    #[dudley(param)]
    n: i32,
}

#[derive(Dudley)]
#[dudley(align = 64)]
struct Mesh {
    x: f64,
}

#[derive(Dudley)]
#[dudley(record)]
struct Nothing {
    #[dudley(skip)]
    x: f64,
}

fn main() {}
