//! Texts of C: types, comments, strings, numbers.

use dudley_parser::layout::dtype::Primitive;

/// The C type that holds an element.
pub(super) fn c_type(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::I1 => "int8_t",
        Primitive::I2 => "int16_t",
        Primitive::I4 => "int32_t",
        Primitive::I8 => "int64_t",
        Primitive::U1 | Primitive::B1 => "uint8_t",
        Primitive::U2 | Primitive::F2 | Primitive::Utf16 => "uint16_t",
        Primitive::U4 | Primitive::P4 | Primitive::Utf32 => "uint32_t",
        Primitive::U8 | Primitive::P8 => "uint64_t",
        Primitive::F4 => "float",
        Primitive::F8 => "double",
        Primitive::C4 => "dudc_c4",
        Primitive::C8 => "dudc_c8",
        Primitive::C16 => "dudc_c16",
        Primitive::S1 | Primitive::Utf8 => "char",
    }
}

/// A remark on elements that the C type does not describe completely.
pub(super) fn remark(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::B1 => "0 is false, every other value true",
        Primitive::F2 => "bits of binary16, of which dudc_half makes a number",
        Primitive::C4 => "bits of binary16, of which dudc_half makes numbers",
        Primitive::S1 => "text in Windows-1252",
        Primitive::Utf8 => "text in UTF-8",
        Primitive::Utf16 => "text in UTF-16",
        Primitive::Utf32 => "text in UTF-32",
        _ => "",
    }
}

/// Lines of a comment.
pub(super) fn comment<S: AsRef<str>>(lines: &[S], indent: &str) -> String {
    let clean = |line: &str| {
        let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        line.replace("*/", "* /").replace("/*", "/ *").trim_end().to_owned()
    };
    let lines: Vec<String> = lines.iter().map(|line| clean(line.as_ref())).collect();
    match lines.iter().rposition(|line| !line.is_empty()) {
        None => String::new(),
        Some(last) => {
            format!("{indent}/* {} */\n", lines[..=last].join(&format!("\n{indent}   ")))
        }
    }
}

/// A string, all of it in ASCII.
pub(super) fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' | b'?' => {
                quoted.push('\\');
                quoted.push(char::from(byte));
            }
            b'\n' => quoted += "\\n",
            b' '..=b'~' => quoted.push(char::from(byte)),
            byte => quoted += &format!("\\{byte:03o}"),
        }
    }
    quoted.push('"');
    quoted
}

/// A number of 64 bits.
pub(super) fn number(value: i64) -> String {
    if value == i64::MIN {
        "INT64_MIN".to_owned()
    } else if i32::try_from(value).is_ok() {
        value.to_string()
    } else {
        format!("INT64_C({value})")
    }
}
