//! What is said of the differences of layouts. That none is missed is seen in `tests/tests/it/compare.rs`.

use dudley_parser::compare::{Change, Level, compare};
use dudley_parser::{Layout, check};

fn layout(text: &str) -> Layout {
    let checked = check(text.as_bytes());
    checked.layout.unwrap_or_else(|| panic!("{text}: {:?}", checked.diagnostics))
}

fn changes(old: &str, new: &str) -> Vec<Change> {
    compare(&layout(old), &layout(new), 16)
}

/// A line for each change: code, levels, path, message, example.
fn told(old: &str, new: &str) -> String {
    let line = |change: &Change| {
        let levels: Vec<&str> = change.levels.iter().map(Level::as_str).collect();
        let mut line = format!("{} [{}] {}", change.code, levels.join(" "), change.message);
        if let Some(example) = &change.example {
            line += &format!(": {} ({})", example, example.path);
        }
        if !change.also.is_empty() {
            line += &format!("; also {}", change.also.join(" "));
        }
        line + "\n"
    };
    changes(old, new).iter().map(line).collect()
}

macro_rules! snapshots {
    ($($name:ident $old:literal $new:literal;)*) => {
        $(#[test] fn $name() {
            insta::assert_snapshot!(told($old, $new));
        })*
    };
}

snapshots! {
    inserted "N : i4\nx = f8[N]\ny = i4\nz = f8" "N : i4\nx = f8[N]\na = i2\ny = i4\nz = f8";
    removed "x = i4\ny = i4\nd/ z = i4" "x = i4\n/d/ z = i4";
    renamed "N : i4\nx = f8[N]\nd/ y = i2 ../l [i4]*N" "M : i4\nz = f8[M]\ne/ y = i2 ../k [i4]*M";
    sizes "N : i4\nx = f8[N]\ny = i1" "N : i4\nx = f4[N]\ny = i1";
    same_size "x = f8" "x = u8";
    transposed "I : i4\nJ : i4\nx = f8[J, I]" "I : i4\nJ : i4\nx = f8[I, J]";
    suffix "N : i8\nx = f8[N]\ny = i4" "N : i8\nx = f8[N-]\ny = i4";
    only_at_zero "N : i4\nM : i4\nx = i1[N]\ny = i4[N] %8" "N : i4\nM : i4\nx = i1[N] %8\ny = i4[N]";
    param_kind "N : 3\nx = f8[N]" "N : i8\nx = f8[N]";
    param_value "N : 3\nx = f8[N]\ny = i1" "N : 4\nx = f8[N]\ny = i1";
    literal "N : 3\nx = f8[N]" "x = f8[3]";
    orders "x = f8\ny = <i4\nz = u1" ">\nx = f8\ny = i4\nz = u1";
    idle_alignment "x = i4\ny = i4" "x = i4\ny = i4 %2";
    member "T {a = i4  b = i4}\nx = T[5]\ny = T\nz = i4" "T {a = i4  c = i2  b = i4}\nx = T[5]\ny = T\nz = i4";
    variable "x = {N : i4  a = i1[N]}[2]\ny = i4" "x = {N : i4  a = i1[N+1]}[2]\ny = i4";
    field_renamed "x = {n = i4  lon = f4}[3]" "x = {n = i4  lambda = f4}[3]";
    params_of_one_name "x = {N : i4  a = i1[N]}\ny = {N : i4  b = i1[N]}\nz = i8" "x = {N : i4  a = i1[N]}\ny = {N : i4  b = i1[N]}\nz = i4[2]";
    params_of_one_name_in_both "T {N : u1  a = i1[N]}\nx = {m = T[2]  n = {}}" "T {N : u1  a = i1[N]}\nx = {o = T[1, 2]  n = {}}";
    spliced "N : i4\n\"\" = {a = i4  b = i8}[N]\nc = i1" "N : i4\n\"\" = {a = i4  b = i4}[N]\nc = i1";
    spliced_reordered "x = i4\n\"\" = {a = f8  k : i4  b = i4[2]}[3]" "x = i8[2]\n\"\" = {a = f8  b = i4[2]  k : i4}[3]";
    spliced_behind_params "N : i4  M : i4\nx = f8[N]\n\"\" = {a = f8  b = i4[2]}[M]" "N : i4  M : i4\nx = f8[N]\n\"\" = {b = i4[4]  a = f8}[M]";
    shape_of_fixed "M : 3\nI : i4\nx = f8[M, I]\ny = f4[M-1]\nz = S1[M]" "M : 4\nI : i4\nx = f8[M, I]\ny = f4[M-1]\nz = S1[4]";
    shape_of_fixed_in_types "M : 3\nT {a = f4[M]}\nx = T[2]\n\"\" = {b = i4[M]}[M]" "M : 4\nT {a = f4[M]}\nx = T[2]\n\"\" = {b = i4[M]}[M]";
    shape_as_before "M : 3\nK : 0 #: stream_bytes\nx = f8[M]\ny = i1[K]\nl [f8]*M" "M : 4\nK : 1 #: stream_bytes\nx = f8[M-1]\ny = i1[K]\nl [f8]*M";
    spliced_as_before "x = i8\n\"\" = {a = i8  b = i8}" "\"\" = {k = i8  a = i8  b = i8}";
    spliced_in_lists "l [/ n = i4  \"\" = {a = i4  b = i4[2]}[2]]*2" "l [/ n = i4  \"\" = {b = i4[3]  a = i4}[2]]*2";
    spliced_and_not "T {a = i4  b = i4}\n\"\" = T[2]\nc = T" "T {b = i4  a = i4}\n\"\" = T[2]\nc = T";
    lists "N : i4\nl [i1, f8]*N\nx = i2" "N : i4\nl [i1, f4]*N\nx = i2";
    lengths "l [i4]*3\nx = i2" "l [i4]*4\nx = i2";
    extended "t = [f8]\nr = [i4]\nt[1] r[1]" "t = [f8]\nr = [i8]\nt[1] r[1]";
    repeated_otherwise "l [i4, i4]\nx = i2" "l [i4]*2\nx = i2";
    extended_otherwise "l = [f8, i4]\nl[2]\nx = i2" "l = [f8, i4, i4, i4]\nx = i2";
    longer_otherwise "l [i4]\nl[4000000]\nx = i2" "l [i4]*4000001\nx = i2";
    kinds "x = f8\ny [f8]" "x [f8]\ny = f8";
    filters "x = f8[9] -> zlib\ny = i1" "x = f8[9] -> zstd[40]\ny = i1";
    comments "x = f8 ## (cm) here\ny = i1 #: const = 3\nz = i4 ## old" "x = f8 ## (m) here\ny = i1 #: const = 4\nz = i4 ## new #: a = 1";
    types "T {a = i4}\nx = T" "S {a = i4}\nx = S";
    summaries "{ t = f8 }\nx = i4" "{ t = f8  d = f8 }\nx = i4";
    reordered "x = i4\ny = i4\nz = i4" "y = i4\nx = i4\nz = i4";
    explicit "x = i4\ny = i4\nz = i4" "x = i4\ny = i4 @24\nz = i4";
    negative "N : i4\nx = i1[N]" "N : i4\nx = i1[N-3]";
    negative_at "K : i4\nb = f2[K, K] @64\nz = i4" "K : i4\nb = f2[K, K-2] @64\nz = i4";
    presented_otherwise "a = i4\nb = f8\nc = i4" "\"\" = {b = f8  a = i4}\nc = i4";
    presented_as_before "a = i4\nb = i4\nc = i4" "\"\" = {a = i4  b = i4}\nc = i4";
    presented_larger "\"\" = {a = i4  b = i4}\nc = i8" "a = i8\nb = i4\nc = i8";
    presented_in_lists "N : i4\nl [/ x = i1  a = i1[N]  b = i8]*2" "N : i4\nl [/ x = i1  \"\" = {a = i1[N]  b = i8}]*2";
    type_at_two_places "N : 2\nT {x = f4[N]}\na = T\nd/ b = T" "N : 2\nT {x = f4[N]}\na = T\nd/ N : 3  b = T";
    order_of_nothing "<\nx = u1[3]\ny = >i4" ">\nx = u1[3]\ny = i4";
    moved_in_lists "l [/ a = i4 ]*3" "l [/ a = i4  b = i4 ]*3";
    param_of_another_dict "d/ N : 3\nx = f4[N]" "N : 3\nd/ x = f4[N]";
    signed_sum "N : i4\nx = f8[N]" "N : i4\nx = f8[N+0]";
    types_in_types "N : 2\nS {x = f4[N]}\nT {s = S}\na = T\nd/ b = T\n/c = T" "N : 2\nS {x = f4[N]}\nT {s = S}\na = T\nd/ N : 3  b = T\n/c = T";
}

#[test]
fn nothing_for_what_is_the_same() {
    for (old, new) in [
        ("N : u1\nx = f8[N]", "N : u1\nx = f8[N+0]"),
        ("N : i4\nM : i4\nx = f8[N+M+2]", "N : i4\nM : i4\nx = f8[1+M+N+1]"),
        ("S {n : u1  s = S1[n]}\nx = S", "S {n : u1  s = S1[n+0]}\nx = S"),
        ("", ""),
        ("N := i4 x=f8[N]", "N : i4\nx = f8[ N ]  # length"),
        ("a/b/x = f8", "a/ b/ x = f8"),
        ("N : i4\nl [f8, /x = i4]*N", "N : i4\nl [f8, / x = i4 ,]*N"),
        ("T {N : i2 a = f8[N]}\nx = T[3]", "T {N : i2  a = f8[N]}\nx = T[3]"),
    ] {
        assert_eq!(changes(old, new), [], "{old} and {new}");
    }
}

/// Whether lengths are one number, whatever `N` and `M` are.
fn alike(old: &str, new: &str) -> bool {
    let text = |dim: &str| format!("N : i8\nM : i8\nx = f8[{dim}]\nl [i4]*({dim})\n");
    changes(&text(old), &text(new)).is_empty()
}

#[test]
fn expressions_that_are_one_number() {
    for (old, new) in [
        ("N*2", "N+N"),
        ("(N+2)*M", "M*N+M+M"),
        ("(N-1)*(N+1)", "N*N-1"),
        ("N*4/2", "N*2"),
        ("N/2/2", "N/4"),
        ("N/(2*M)", "N/M/2"),
        ("N*3/6", "N/2"),
        ("(N-M)/2", "(M-N)/(0-2)"),
        ("N/2+N/2", "N/2*2"),
        ("(N/2+1)*2", "N/2+2+N/2"),
    ] {
        assert!(alike(old, new), "{old} and {new}");
        assert!(alike(new, old), "{new} and {old}");
    }
    for (old, new) in [
        ("N*2", "N*3"),
        ("N*M", "N+M"),
        // One of them wants what the other does not.
        ("N/2*2", "N+0"),
        ("N*M/M", "N+0"),
        ("N+M-M", "N+0"),
        ("N/2-N/2", "N-N"),
        ("N/2", "N*2"),
    ] {
        assert!(!alike(old, new), "{old} and {new}");
        assert!(!alike(new, old), "{new} and {old}");
    }
    let many = |dim: &str| format!("({dim})*").repeat(100) + "1";
    assert!(!alike(&many("N+M"), &many("M+N")), "too long to be multiplied out");
}

/// A repeat is never -1, so `*N` is `*(N)`; a dimension of -1 is taken away, so `[N]` is not `[N+0]`.
#[test]
fn repeats_that_are_one_number() {
    let text = |repeat: &str| format!("N : i8\nl = [u1]\nl [u1]*{repeat}\n");
    for repeat in ["(N)", "(N+0)", "(0+N)"] {
        assert_eq!(told(&text("N"), &text(repeat)), "", "{repeat}");
        assert_eq!(told(&text(repeat), &text("N")), "", "{repeat}");
    }
    assert_ne!(told(&text("N"), &text("(N+1)")), "");
    let more = |count: &str| format!("N : i8\nl = [u1]\nl[{count}]\n");
    assert_eq!(told(&more("N"), &more("(N)")), "");
    assert_ne!(told("N : i8\nx = u1[N]", "N : i8\nx = u1[N+0]"), "");
}

#[test]
fn who_meets_a_change() {
    let of = |old: &str, new: &str| {
        let found = changes(old, new);
        let victims = found.iter().flat_map(Change::breaks).map(|one| one.as_str());
        victims.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(of("x = f8\ny = f8", "x = f8"), "old_files old_readers source");
    assert_eq!(of("N : 3", "M : i4"), "old_readers source");
    assert_eq!(of("x = f8", "x = u8"), "old_files old_readers source");
    assert_eq!(of("x = f8 ## (m)", "x = f8 ## (s)"), "source");
    assert_eq!(of("x = f8", "x = f8\ny = f8"), "");
}

#[test]
fn large_layouts() {
    let text = |extra: &str| {
        let items = (0..10_000).map(|at| format!("a{at} = f8[N, {}]\n", at % 7 + 1));
        format!("N : i4\n{extra}{}", items.collect::<String>())
    };
    assert_eq!(changes(&text(""), &text("")), []);
    let found = changes(&text(""), &text("new = i8\n"));
    let moved: Vec<_> = found.iter().filter(|change| change.code == "change-address").collect();
    assert_eq!(moved.len(), 1, "one run");
    assert_eq!(moved[0].also.len(), 9_999);
}

/// Members of structs without a name are paired for each item, and are open for the same reason in all: this takes a
/// minute if each trial visits all of them.
#[test]
fn many_structs_that_all_changed() {
    let items = |members: &str| (0..3000).map(|at| format!("v{at} = {{{members}}}[N]\n")).collect();
    let (old, new): (String, String) =
        (items("a = i4 b = f8 c = i1"), items("a = i8 b = f8 c = i4 d = i8"));
    let found = changes(&format!("N : i8\n{old}"), &format!("N : i8\n{new}"));
    let count = |code: &str| found.iter().filter(|change| change.code == code).count();
    assert_eq!((count("change-dtype"), count("change-address")), (6000, 2999));
}

#[test]
fn nothing_is_missed_behind_many_items() {
    let text = |extra: &str| {
        let item = |at: usize| match at {
            55_000 => format!("{extra}a{at} = i4\n"),
            _ => format!("a{at} = i4\n"),
        };
        (0..60_000).map(item).collect::<String>()
    };
    let found = changes(&text(""), &text("new = i8\n"));
    let moved: Vec<_> = found.iter().filter(|change| change.code == "change-address").collect();
    assert_eq!(moved.len(), 1, "one run");
    assert_eq!((&*moved[0].path, moved[0].also.len()), ("/a55000", 4_999));
}

#[test]
fn nothing_is_missed_behind_lists_in_lists() {
    // The innermost item is there 6^9 times.
    let deep = format!("deep {}i1{}\n", "[".repeat(9), "]*6".repeat(9));
    let text = |middle: &str, last: &str| format!("{deep}{middle}k [i1, {last}]*5\n");
    let codes = |old: String, new: String| {
        let found = changes(&old, &new);
        let line = |change: &Change| {
            let example = change.example.as_ref().map(|it| it.path.clone());
            format!("{} {}", change.code, example.unwrap_or_default())
        };
        found.iter().map(line).collect::<Vec<_>>()
    };
    let moved = codes(text("x = f8\n", "i4"), text("x = f8\nnew = i8\n", "i4"));
    assert_eq!(moved, ["change-address /k/8", "change-added "]);
    let align = codes(text("", "i2 %2"), text("", "i2 %8"));
    assert_eq!(align, ["change-address /k/8", "change-align "]);
    assert_eq!(codes(text("", "i2"), text("", "i2")), [""; 0]);
}

#[test]
fn many_params() {
    let params = (0..10_000).map(|at| format!("P{at} : i4\nx{at} = i1[P{at}]\n"));
    let old: String = params.collect();
    let found = changes(&old, &old.replace("x9000 =", "new = i8\nx9000 ="));
    assert!(found.iter().any(|change| change.code == "change-address" && change.path == "/x9000"));
}

/// Items that lie elsewhere.
fn moved(old: &str, new: &str) -> Vec<String> {
    let found = changes(old, new).into_iter();
    let moved = found.filter(|change| change.example.is_some());
    let mut moved: Vec<String> =
        moved.flat_map(|change| [vec![change.path], change.also].concat()).collect();
    moved.dedup();
    moved
}

#[test]
fn what_is_so_for_few_values() {
    // Where a sum is below 0 there is nothing to compare.
    assert_eq!(
        moved("N : i4\nx = f8[N-9000]\ny = i4", "N : i4\nx = f8[N-9000]\nz = i8\ny = i4"),
        ["/y"]
    );
    let far = |back: u32| format!("P : i8\nT : u4 @P-{back}\nx = u1[T+0] @P-T");
    assert_eq!(moved(&far(50_000), &far(50_004)), ["/:T"]);
    let sums = |more: u32| format!("A : i8\nB : i8\nx = u1[A-B-{more}]\ny = f8 @A-B-{more}");
    assert_eq!(moved(&sums(700), &sums(701)), ["/x", "/y"]);
    // The greatest of two ends.
    let ends = |dtype: &str, more: &str| {
        format!("N : {dtype}\ns = {{x = i1[N]  e = i1 @300{more}}}\nt = i1")
    };
    assert_eq!(moved(&ends("i4", ""), &ends("i4", "  f = {} @N+40")), ["/s", "/t"]);
    assert_eq!(moved(&ends("u1", ""), &ends("u1", "  f = {} @N+40")), [""; 0], "N is at most 255");
    // What has no bytes is not aligned.
    let none = |more: &str| {
        format!("N : i1\n{more}x = {{k = i2  v = i1[N]}}[N]\ny = {{M : 2  m = S1[N]}} %2\nN : i1")
    };
    assert_eq!(moved(&none(""), &none("a = i1\n")), ["/:N#2"]);
    let size = |number: &str| format!("SIZE : 0  #: stream_bytes\nx = u1[SIZE-{number}]\ny = u1");
    assert_eq!(moved(&size("90000"), &size("90001")), ["/x", "/y"]);
}

#[test]
fn what_is_the_same_for_all_values() {
    for (old, new) in [
        (
            "N : i4\nx = f4[2, N]\ny = i4\nz = f8[N]",
            "N : i4\na = f4[N]\nb = f4[N]\ny = i4\nz = f8[N]",
        ),
        ("N : i8\nx = f8[N]\ny = i8 %8\nz = i4", "N : i8\nx = f8[N] %4\ny = i8 %2\nz = i4 %8"),
        ("x = {a = f8  b = i4[2]}\ny = i4", "x = {a = f8  b = i4[2] %8} %8\ny = i4 %1"),
        (
            "N : i4\nT {n : i2  \"\" = S1[n]}\nx = T\ny = i4",
            "N : i4\nT {n : i2  \"\" = S1[n]}\nx = T\ny = i4\nz = f8",
        ),
        ("N : i4\nl [f8, i4, i4]*N\nx = i2", "N : i4\nl [f8, i4, i4 %4]*N\nx = i2 %4"),
    ] {
        assert_eq!(moved(old, new), [""; 0], "{old} and {new}");
    }
}

#[test]
fn one_of_many_params() {
    // In one of many groups something lies elsewhere, where one param is 0 and another is not.
    let text = |odd: &str| {
        let groups = (0..60).map(|g| {
            let items: String = (0..150).map(|at| format!("v{g}_{at} = f8[A{g}]\n")).collect();
            let odd = if g == 37 { odd } else { "" };
            format!(
                "A{g} : i4\nB{g} : i4\na{g} = f8[B{g}+0, 2]\nb{g} = i4\n{items}c{g} = i4{odd}\nd{g} = f8\n"
            )
        });
        groups.collect::<String>()
    };
    let (old, new) = (text(""), text(" %8"));
    let found = changes(&old, &new);
    let first = found.iter().find(|change| change.example.is_some()).expect("it is found");
    assert_eq!(first.path, "/c37");
    let example = first.example.as_ref().expect("an example");
    assert!(example.params.contains(&("A37".to_owned(), 0)), "{example}");
}

#[test]
fn the_last_of_very_many() {
    let text = |last: &str| {
        let items = (0..60_000).map(|at| format!("a{at} = f4\n"));
        format!("{}{last}", items.collect::<String>())
    };
    assert_eq!(moved(&text("b = f4\nc = f4"), &text("c = f4\nb = f4")), ["/b", "/c"]);
}

/// Params of the example of a change, and its numbers, as people read them.
fn example(old: &str, new: &str, path: &str) -> String {
    let found = changes(old, new);
    let change = found.iter().find(|it| it.path == path && it.example.is_some());
    change.and_then(|it| it.example.as_ref()).map_or("none".to_owned(), ToString::to_string)
}

#[test]
fn each_of_many_changes_has_a_simple_example() {
    let text = |dtypes: [&str; 2]| {
        let items = (0..3000).map(|at| format!("x{at} = {}[N, M]\n", dtypes[at % 2]));
        format!("N : i4\nM : i4\n{}", items.collect::<String>())
    };
    let found = changes(&text(["f8", "i2"]), &text(["f4", "i4"]));
    let sizes: Vec<String> = found
        .iter()
        .filter(|change| change.code == "change-dtype")
        .map(|change| change.example.as_ref().expect("an example").to_string())
        .collect();
    assert_eq!(sizes.len(), 3000);
    for (at, size) in sizes.iter().enumerate() {
        let numbers = if at % 2 == 0 { "8, now 4" } else { "2, now 4" };
        assert_eq!(size, &format!("bytes {numbers} with N = 1, M = 1"), "{at}");
    }
}

#[test]
fn examples_name_all_that_they_depend_on() {
    // What is aligned does not move with each value of a param before it.
    let text = |more: &str| format!("N : i4\nx = u1[N]\n{more}y = f8");
    assert_eq!(example(&text(""), &text("a = i8\n"), "/y"), "address 24, now 32 with N = 1");
    let text = |more: &str| format!("S : u4\nx = f8[9] -> zlib [S]\n{more}y = f8");
    assert_eq!(example(&text(""), &text("a = i8\n"), "/y"), "address 88, now 96 with S = 64");
    let text = |more: &str| format!("SIZE : 0  #: stream_bytes\nx = u1[SIZE-{more}]\ny = u1");
    assert_eq!(example(&text("9"), &text("8"), "/y"), "address 65543, now 65544 with SIZE = 65536");
    let text = |param: &str, more: &str| format!("N : {param}\nx = u1[N] @100\n{more}y = u1");
    let said = example(&text("5", ""), &text("i8", "a = i4\n"), "/y");
    assert_eq!(said, "address 105, now 112 with N = 5");
}

/// Values that filters can store come before 0 there, without which a list has no items.
#[test]
fn an_example_names_how_many_items_there_are() {
    let text = "P0 : u2\nP1 : 0\nP2 : i4\nv3 = i1[P1-]\nv4 = f8[1] -> zlib [P1+0] @300\n\
                v5 = {n : i4  x = u1[3]}\nl6 [/ a = f8  b = f8]*P0\nv7 = <i2 -> zlib [P0+0] @300\n";
    let new: String =
        text.lines().filter(|line| !line.starts_with("v4")).map(|it| format!("{it}\n")).collect();
    let found = changes(text, &new);
    let moved = found.iter().find(|change| change.path.starts_with("/l6/")).expect("it moved");
    let example = moved.example.as_ref().expect("an example");
    assert_eq!(example.params.first(), Some(&("P0".to_owned(), 64)), "{example}");
}

#[test]
fn what_filters_store_decides() {
    // No param says anything here.
    let text = |more: &str| format!("x = f8[9] -> zlib\nz = u1[5] -> zlib\ny = i4{more}");
    let said = example(&text(""), &text(" %16"), "/y");
    assert_eq!(said, "address 164, now 176, if filters store 65 bytes");
}

#[test]
fn an_example_is_one_of_what_can_be_placed() {
    let (old, new) = ("N : i4\nx = f8[N]\ny = i4", "N : i4\nx = f8[N-3] @64\ny = i4");
    assert_eq!(example(old, new, "/x"), "address 24, now 64 with N = 3");
}

#[test]
fn arguments_that_only_a_writer_heeds() {
    let found = |old: &str, new: &str| {
        let found = changes(&format!("x = f8[5] -> {old}"), &format!("x = f8[5] -> {new}"));
        let found = found.iter().map(|it| format!("{:?} {}", it.levels, it.message));
        found.collect::<Vec<_>>()
    };
    assert_eq!(
        found("zlib(3)", "zlib(9)"),
        ["{Source} `/x` was stored by `zlib(3)`, and is by `zlib(9)`"]
    );
    assert_eq!(
        found("zstd", "zstd(9)"),
        ["{Source} `/x` was stored by `zstd`, and is by `zstd(9)`"]
    );
    assert_eq!(
        found("own(3, 'a')", "own(3, 'b')"),
        ["{Layout, Read} `/x` was stored by `own(3, \"a\")`, and is by `own(3, \"b\")`"]
    );
}

#[test]
fn members_of_a_record_that_are_items_of_their_own() {
    let found = |old: &str, new: &str| {
        let found = changes(old, new);
        let found = found.iter().map(|it| format!("{} {:?} {}", it.code, it.levels, it.path));
        found.collect::<Vec<_>>()
    };
    let (record, items) = ("\"\" = {x = f8  y = i4}[5]", "x = f8[5]\ny = i4[5]");
    assert_eq!(found(record, items), ["change-kind {Layout, Source} /\"\""]);
    assert_eq!(found(items, record), ["change-kind {Layout, Source} /\"\""]);
    // Bytes are where they were.
    assert_eq!(found("\"\" = {x = f8}[5]", "x = f8[5]"), ["change-kind {Source} /\"\""]);
    assert_eq!(
        found(record, "x = f4[5]\ny = i4[6]\nz = u1"),
        [
            "change-kind {Layout, Source} /\"\"",
            "change-dtype {Read, Source} /x",
            "change-shape {Read, Source} /y",
            "change-added {} /z",
        ]
    );
    assert_eq!(
        found(record, "x = f8[5]"),
        ["change-kind {Layout, Source} /\"\"", "change-removed {Layout, Read, Source} /y"]
    );
}

/// What is read of a stream as another number decides where things are looked for.
#[test]
fn params_of_another_sign_lie_about_the_rest() {
    for (old, new) in [
        ("M : i1\nx = f8[M, 3]\ny = f8", "M : u1\nx = f8[M, 3]\ny = f8"),
        ("P {L : u1 a = u1[L]}\np = P[2]\ny = f8", "P {L : i1 a = u1[L]}\np = P[2]\ny = f8"),
    ] {
        let found = changes(old, new);
        let dtype = found.iter().find(|change| change.code == "change-dtype").expect("a change");
        assert!(dtype.levels.has(Level::Layout) && dtype.levels.has(Level::Source), "{found:?}");
    }
    let found = changes("x = i8", "x = u8");
    assert!(!found[0].levels.has(Level::Layout), "{found:?}");
}

/// Of items that are more than numbers it is said that they may differ, and nothing is said of what follows them.
#[test]
fn items_in_other_brackets_may_be_others() {
    let dict = "/ n : u1  a [f8, i4]  b = {m : u1  x = f4[m]}[n, k]";
    for (old, new) in [
        (format!("[{dict}]*4"), format!("[{dict}]\nl [{dict}, {dict}]\nl [{dict}]")),
        (format!("[{dict}]*3\nl [f8]"), format!("[{dict}]*2\nl [{dict}, f8]")),
        ("[f8]*k\nl [i8]".to_owned(), "[f8, f8]*k\nl [i8]*2".to_owned()),
        ("[f8, f8]*k".to_owned(), "[f8]*(2*k)".to_owned()),
        ("[f8]*3\nl [i8]*2".to_owned(), "[f8]*2\nl [i8]*3".to_owned()),
        ("[f8 ## one\n, f8]".to_owned(), "[f8]*2".to_owned()),
        // An empty item lies nowhere, so it does not show where the next one is.
        ("[u1[0], u1]".to_owned(), "[u1[0]]\nl [u1]".to_owned()),
        ("[u1[k], u1]".to_owned(), "[u1[k]]\nl [u1]".to_owned()),
    ] {
        let text = |list: &str| format!("k : u1\nl {list}\nx = i2\n");
        let found = changes(&text(&old), &text(&new));
        let of_list =
            found.iter().find(|change| change.path == "/l").expect("a change of the list");
        assert!(
            Level::ALL.into_iter().all(|level| of_list.levels.has(level)),
            "{old}\n---\n{new}\n{found:#?}"
        );
        assert!(found.iter().all(|change| change.path != "/x"), "{old}\n---\n{new}\n{found:#?}");
    }
}

/// Brackets without items take no time, however often they are repeated.
#[test]
fn nothing_is_repeated_in_no_time() {
    let found = changes("l []*4000000000000000000\nl [f8, f8]\n", "l [f8]*2\n");
    assert!(found.iter().all(|change| change.path == "/l"), "{found:#?}");
}
