//! Records have the fields of the layout, with their types.

dudley::layout!(mod run = "rec {tag = >u2  pos = f4[3]  name = U1[4]}\nrecs = rec[2]");

fn main() -> dudley::Result<()> {
    let name = dudley::typed::Chars::new("xe")?;
    let _ = run::Rec { tag: 1, name };
    let _ = run::Rec { tag: 1, pos: [0.0; 2], name };
    let _ = run::Rec { tag: 1, pos: [0.0; 3], name: "xe" };
    Ok(())
}
