use dudley::Dudley;

#[derive(Dudley)]
struct State {
    x: [f64; 0],
}

#[derive(Dudley)]
struct Lists {
    x: Option<Vec<State>>,
}

fn main() {}
