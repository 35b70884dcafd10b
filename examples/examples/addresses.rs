//! Where everything of a file lies that does not exist yet: from a layout and its params alone.

use dudley_parser::resolve::{Given, NoValues, Node, Resolver, State};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let layout = dudley::parse_layout(b"N : i8  x = f8[N, 3]  flag = u1  y = f4[N+]")?;
    for count in [10, 1_000_000] {
        let param = dudley::read::path::param(&layout, "N")?;
        let mut given = Given { start: 16, ..Given::default() };
        given.params.insert(param, count);
        let mut state = State::new();
        let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
        for name in ["x", "flag", "y"] {
            let node = resolver.child(&Node::root(), name).ok_or("no such item")?;
            let placed = resolver.place(&node)?;
            println!("N = {count}: {name} at {}, {} bytes", placed.address, placed.bytes);
        }
    }
    Ok(())
}
