use dudley::Dudley;

#[derive(Dudley)]
struct State {
    #[dudley(widen)]
    text: String,
    #[dudley(widen)]
    inner: Inner,
    #[dudley(widen)]
    rows: Vec<Row>,
    #[dudley(widen)]
    pair: (f64, u32),
}

#[derive(Dudley)]
#[dudley(widen)]
struct Inner {
    text: String,
}

#[derive(Dudley)]
#[dudley(record)]
struct Row {
    x: f64,
}

fn main() {}
