fn main() {
    let _ = dudley_derive::layout_text!("no/such/layout.dud");
}
