use dudley::Dudley;

#[derive(Dudley)]
struct State {
    x: Option<Option<f64>>,
}

fn main() {}
