//! Counts that nobody can go through one by one: of structs and repetitions that may differ in size, and do
//! not.

mod kit;
use kit::Folder;

const LAYOUTS: [&str; 6] = [
    "a = {Q : u1  v = i1[0, Q]}[9223372036854775807]",
    "K : 100000000000\nZ : 0\na = {Q : u1  v = i1[Z, Q]}[K]",
    "l [/ x = {P : u1  v = i1[P, 0]}[100000000000]]*3",
    "T {P : u1  v = i1[P, 0]}\nU {a = T[1000]}\nx = U[1000000000]",
    "l [/ P : i1  x = i1[P, 0]]*9223372036854775807",
    "l [[/ P : i1  x = i1[P, 0]]*9223372036854775807]*9223372036854775807",
];

#[test]
fn layouts_and_streams_come_to_an_end() {
    let folder = Folder::empty();
    folder.write("x.bin", [0; 100]);
    for layout in LAYOUTS {
        folder.write("x.dud", format!("{layout}\nb = i4\n"));
        folder.write("y.dud", format!("zz = i2\n{layout}\nb = i4\n"));
        for words in ["check x.dud", "ls x.dud", "gen rust x.dud", "doc x.dud -o pages --force"] {
            let said = folder.run(words);
            assert!(said.status <= 1, "{words}: {said:?}");
        }
        assert!(folder.run("breaking x.dud y.dud").status <= 1, "{layout}");
        for command in ["ls", "dump", "dump --hex", "stat", "verify", "get /b"] {
            let (command, path) = command.split_once(" /").unwrap_or((command, ""));
            let path = if path.is_empty() { String::new() } else { format!(" /{path}") };
            let said = folder.run(&format!("{command} x.bin{path} --layout x.dud --raw"));
            assert_eq!(said.status, 1, "{command}: {layout}: {said:?}");
            let all = format!("{}{}", said.out, said.err);
            assert!(all.contains("error"), "{command}: {layout}: {said:?}");
        }
    }
}

#[test]
fn what_lies_behind_them_is_compared() {
    let folder = Folder::empty();
    let names = "names = {LEN : u1  text = S1[LEN]}[9000000000]\ny = i4\n";
    folder.write("old.dud", names);
    folder.write("new.dud", format!("zz = i2\n{names}"));
    let said = folder.run("breaking old.dud new.dud");
    assert!(said.out.contains("`/y` lies elsewhere"), "{said:?}");
    folder.write("old.dud", "A : i4\nx = i2[3]\nl [/ s = {Q : i1  v = u2[Q]}[A+A]]*A\ny = u1\n");
    folder.write("new.dud", "A : i4\nx = i2[5]\nl [/ s = {Q : i1  v = u2[Q]}[A+A]]*A\ny = u1\n");
    let said = folder.run("breaking old.dud new.dud");
    assert!(said.out.contains("also `/y`"), "{said:?}");
}
