//! Numbers of an array as a line or an image: as many of them as a screen shows.

use dudley::elements::{Part, Primitive, Scalar, Sink};
use dudley::read::slice::Index;
use dudley::{Data, Dtype, Error, Result};
use serde_json::{Value as Json, json};

/// Points of a line at most.
const POINTS: u64 = 1024;

/// Pixels of a side of an image at most.
const SIDE: u64 = 256;

/// Whether there is something to draw: several numbers, in an array or in fields of records.
pub(crate) fn is_drawn(data: &Data) -> bool {
    drawn_field(data, None).is_some_and(|data| data.shape().iter().any(|dim| *dim > 1))
}

/// The numbers along the last one or two dimensions that have more than one index, others at the indices `at`. Of more
/// than there is room for every n-th is taken: `steps` says which.
///
/// # Errors
/// If there are no numbers; if reading fails.
pub(crate) fn of(data: &Data, field: Option<&str>, at: &[u64]) -> Result<Json> {
    let nothing =
        || Error::Listed { path: data.path().into(), why: "there are no numbers to draw".into() };
    let chosen = drawn_field(data, field).ok_or_else(nothing)?;
    let shape = chosen.shape();
    let long: Vec<usize> = (0..shape.len()).filter(|dim| shape[*dim] > 1).collect();
    let drawn = &long[long.len().saturating_sub(2)..];
    if drawn.is_empty() || shape.contains(&0) {
        return Err(nothing());
    }
    let most = if drawn.len() == 1 { POINTS } else { SIDE };
    let mut steps = Vec::new();
    let mut indices = Vec::new();
    for (dim, count) in shape.iter().enumerate() {
        indices.push(if drawn.contains(&dim) {
            let step = count.div_ceil(most).cast_signed();
            steps.push(step);
            Index::Range { start: None, stop: None, step }
        } else {
            let index = at.get(dim).copied().unwrap_or(0).min(count - 1);
            Index::At(index.cast_signed())
        });
    }
    let mut numbers = Numbers::default();
    chosen.slice(&indices)?.emit(&mut numbers, false)?;
    Ok(json!({
        "fields": fields(data),
        "field": chosen.path().strip_prefix(data.path()).unwrap_or_default().trim_start_matches('.'),
        "unit": chosen.unit(),
        "shape": shape,
        "drawn": drawn,
        "steps": steps,
        "absolute": numbers.complex,
        "values": numbers.values,
    }))
}

/// An array of numbers, or a field that is one: the first, if none is named.
fn drawn_field(data: &Data, field: Option<&str>) -> Option<Data> {
    let Dtype::Record(_) = data.dtype() else {
        return numeric(data.dtype()).then(|| data.clone());
    };
    let fields = fields(data);
    let field = field.map(str::to_owned).or_else(|| fields.first().cloned())?;
    if fields.contains(&field) { data.field(&field).ok() } else { None }
}

/// The fields of a record that are numbers.
fn fields(data: &Data) -> Vec<String> {
    let Dtype::Record(record) = data.dtype() else { return Vec::new() };
    let drawn = record.fields.iter().filter(|field| numeric(&field.dtype));
    drawn.map(|field| field.name.clone()).collect()
}

fn numeric(dtype: &Dtype) -> bool {
    matches!(dtype, Dtype::Primitive(primitive, _) if !primitive.is_text() && *primitive != Primitive::B1)
}

/// Collects numbers as floats; what is none is null.
#[derive(Default)]
struct Numbers {
    values: Vec<Option<f64>>,
    complex: bool,
}

impl Sink for Numbers {
    fn scalar(&mut self, value: Scalar<'_>) -> Result<()> {
        let number = match value {
            Scalar::Int(value) => value as f64,
            Scalar::Float(value, _) => value,
            Scalar::Complex(Part::Float(re, _), Part::Float(im, _)) => {
                self.complex = true;
                re.hypot(im)
            }
            _ => f64::NAN,
        };
        self.values.push(Some(number).filter(|number| number.is_finite()));
        Ok(())
    }

    fn begin_array(&mut self, _: u64) -> Result<()> {
        Ok(())
    }

    fn end_array(&mut self) -> Result<()> {
        Ok(())
    }

    fn begin_struct(&mut self) -> Result<()> {
        Ok(())
    }

    fn field(&mut self, _: &str) -> Result<()> {
        Ok(())
    }

    fn end_struct(&mut self) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use crate::Session;

    fn plot(layout: &str, bytes: Vec<u8>, more: &str) -> Json {
        let mut session = Session::default();
        let mut ask = |request: &str| session.answer(request, || bytes.clone());
        ask(&format!(r#"{{"do": "open", "layout": "{layout}", "raw": true}}"#));
        let answer = ask(&format!(r#"{{"do": "plot", "row": 0{more}}}"#));
        serde_json::from_str(&answer).expect("JSON")
    }

    #[test]
    fn the_last_long_dimensions_are_drawn() {
        let bytes: Vec<u8> = (0..24).collect();
        let found = plot("x = u1[2, 3, 1, 4]", bytes, r#", "at": [1]"#);
        assert_eq!((&found["drawn"], &found["steps"]), (&json!([1, 3]), &json!([1, 1])));
        assert_eq!(found["values"], json!((12..24).map(f64::from).collect::<Vec<_>>()));
    }

    #[test]
    fn of_many_numbers_some_are_taken() {
        let found = plot("x = u1[5000]", (0..5000_u32).map(|it| it as u8).collect(), "");
        assert_eq!(found["steps"], json!([5]));
        let values = found["values"].as_array().expect("numbers");
        assert_eq!((values.len(), &values[1], &values[999]), (1000, &json!(5.0), &json!(131.0)));
    }

    #[test]
    fn fields_are_chosen_and_what_is_no_number_is_null() {
        let layout = "r = {n = S1[1]  a = u1[2]  b = <f4}[2]";
        let mut bytes = vec![b'n', 1, 2, 0];
        bytes.extend(f32::NAN.to_le_bytes());
        bytes.extend([b'm', 3, 4, 0]);
        bytes.extend(1.5_f32.to_le_bytes());
        let first = plot(layout, bytes.clone(), "");
        assert_eq!((&first["fields"], &first["field"]), (&json!(["a", "b"]), &json!("a")));
        assert_eq!(first["values"], json!([1.0, 2.0, 3.0, 4.0]));
        assert_eq!(plot(layout, bytes.clone(), r#", "field": "b""#)["values"], json!([null, 1.5]));
        for field in ["n", "c"] {
            let error = plot(layout, bytes.clone(), &format!(r#", "field": "{field}""#));
            assert!(error["error"].as_str().is_some_and(|it| it.contains("no numbers")), "{error}");
        }
    }
}
