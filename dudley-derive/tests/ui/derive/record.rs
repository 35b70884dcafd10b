use dudley::Dudley;

#[derive(Dudley)]
#[dudley(record)]
struct Tracer {
    x: f64,
    name: String,
    path: Vec<f64>,
    of: Mesh,
}

#[derive(Dudley)]
struct Mesh {
    x: f64,
}

fn main() {}
