//! Writes arrays as a FITS file: plans a layout in which the headers are items among the data.

use std::fmt::Write;

use dudley::model::{Planned, WriteFile};
use dudley::numpy::ArraySource;
use dudley::numpy::arrays::{About, Named};
use dudley::numpy::layout::Dicts;
use dudley::read::Parts;
use dudley::{ByteOrder, Dtype, Primitive, Result};
use dudley_parser::comments::{AttrValue, Attribute};
use dudley_parser::layout::words::{ATTRIBUTE_TYPES, native_name};

use super::card::Value;
use super::cards::{Cards, is_keyword};
use super::header::BLOCK;
use super::keywords::is_structural;
use super::rows::{Columns, columns};
use super::stored::{bitpix_name, recode, scaling, value};
use crate::{attribute_types, headers};

/// Writes FITS files.
pub(crate) struct WriteFits;

impl WriteFile for WriteFits {
    fn name(&self) -> &'static str {
        "fits"
    }

    fn plan(&self, arrays: Vec<Named>, dicts: &Dicts) -> Result<Planned> {
        let mut file = File { planned: Planned::default(), at: 0 };
        file.planned.layout.push_str(">\n#: stream = \"raw\"\n");
        let (params, mut arrays): (Vec<Named>, Vec<Named>) =
            arrays.into_iter().partition(|it| it.param);
        let is_primary = |it: &Named| it.parts == ["PRIMARY"] && is_image(it);
        let primary = arrays.iter().position(is_primary).map(|at| arrays.remove(at));
        file.primary(primary, &params, dicts)?;
        for array in arrays {
            file.extension(array)?;
        }
        Ok(file.planned)
    }
}

/// A file in the making.
struct File {
    planned: Planned,
    at: u64,
}

fn is_image(array: &Named) -> bool {
    array.source.units().is_some_and(|(primitive, _, _)| bitpix_name(primitive).is_some())
}

impl File {
    fn lose(&mut self, path: &str, what: &str) {
        self.planned.lost.push(format!("`{path}`: {what}"));
    }

    fn primary(&mut self, image: Option<Named>, params: &[Named], dicts: &Dicts) -> Result<()> {
        let mut cards = Cards::new("SIMPLE", &Value::Logical(true), "");
        let data = match &image {
            Some(image) => Some(self.image_cards(&mut cards, image, false)?),
            None => {
                cards.card("BITPIX", &Value::Int(8), "");
                cards.card("NAXIS", &Value::Int(0), "");
                None
            }
        };
        cards.card("EXTEND", &Value::Logical(true), "");
        if let Some(image) = &image {
            self.said(&mut cards, image, &[]);
        }
        // The primary header has room for the comments on one dict.
        let own: [&[String]; 2] = [&["PRIMARY".to_owned()], &[]];
        let used = own.into_iter().find(|names| image.is_none() && dicts.contains_key(*names));
        for (names, about) in dicts {
            if Some(&names[..]) == used {
                self.about(&mut cards, "/PRIMARY", about);
            } else if !(about.doc.is_empty() && about.attributes.is_empty() && about.unit.is_none())
            {
                self.lose(
                    &format!("/{}", names.join("/")),
                    "what is said of it, as there are no dicts",
                );
            }
        }
        for param in params {
            let path = param.parts.join(" ");
            let value = param.source.integer()?.and_then(|value| i64::try_from(value).ok());
            let upper = path.to_uppercase();
            let keyword = if is_keyword(&upper) { &upper } else { &path };
            if is_structural(keyword) {
                self.lose(&path, "a param of this name says in a header what data are");
                continue;
            }
            let fits = value.is_some_and(|value| cards.card(keyword, &Value::Int(value), ""));
            if !fits {
                self.lose(&path, "no card has room for this param");
            }
        }
        self.hdu(cards, data);
        Ok(())
    }

    fn extension(&mut self, array: Named) -> Result<()> {
        let path = format!("/{}", array.parts.join("/"));
        let Some(data) = array.source.data().cloned() else {
            self.lose(&path, "left out: it is of no stream");
            return Ok(());
        };
        let is_made =
            array.source.units().is_none_or(|(primitive, _, _)| recode(primitive, false).is_some());
        if matches!(&array.source, ArraySource::Data(stacked) if stacked.single().is_none())
            && (is_made || !is_image(&array))
        {
            self.lose(
                &path,
                "left out: items of a list that are stored otherwise are written each by itself",
            );
            return Ok(());
        }
        if is_image(&array) {
            let mut cards = Cards::new("XTENSION", &Value::Text("IMAGE".into()), "");
            let item = self.image_cards(&mut cards, &array, true)?;
            self.named(&mut cards, &array);
            self.said(&mut cards, &array, &["EXTNAME", "EXTVER"]);
            self.hdu(cards, Some(item));
            return Ok(());
        }
        let own = array.parts.last().map_or("value", String::as_str);
        let made = match columns(&data, own) {
            Ok(made) => made,
            Err(why) => {
                self.lose(&path, &why);
                return Ok(());
            }
        };
        let Columns { rows, width, layout, columns } = made;
        let mut cards = Cards::new("XTENSION", &Value::Text("BINTABLE".into()), "");
        let int = |value: u64| Value::Int(value as i64);
        for (keyword, value) in [
            ("BITPIX", int(8)),
            ("NAXIS", int(2)),
            ("NAXIS1", int(width)),
            ("NAXIS2", int(rows)),
            ("PCOUNT", int(0)),
            ("GCOUNT", int(1)),
            ("TFIELDS", int(columns.len() as u64)),
        ] {
            cards.card(keyword, &value, "");
        }
        for (number, column) in (1..).zip(&columns) {
            if let Some(lost) = column.lost {
                self.lose(&format!("{path}.{}", column.name), lost);
            }
            for (root, value, comment) in &column.cards {
                if !cards.card(&format!("{root}{number}"), value, comment) {
                    self.lose(
                        &format!("{path}.{}", column.name),
                        &format!("{root} has not all of it"),
                    );
                }
            }
        }
        self.named(&mut cards, &array);
        self.said(&mut cards, &array, &["EXTNAME", "EXTVER"]);
        let source = data.recoded(&|primitive| recode(primitive, true))?;
        self.hdu(cards, Some((layout, source.into(), rows.saturating_mul(width))));
        Ok(())
    }

    /// Adds the cards of an image; returns its item: type and shape, elements, and the number of bytes.
    fn image_cards(
        &mut self,
        cards: &mut Cards,
        image: &Named,
        is_extension: bool,
    ) -> Result<(String, ArraySource, u64)> {
        let path = format!("/{}", image.parts.join("/"));
        let primitive = image.source.units().map_or(Primitive::U1, |(primitive, _, _)| primitive);
        let (bits, dtype) = bitpix_name(primitive).unwrap_or((8, "u1"));
        let shape = image.source.shape().to_vec();
        if shape.is_empty() {
            self.lose(&path, "a single value becomes an image of one");
        }
        if matches!(primitive, Primitive::B1 | Primitive::F2) {
            self.lose(
                &path,
                &format!("elements of `{}` become those of BITPIX {bits}", primitive.name()),
            );
        }
        cards.card("BITPIX", &Value::Int(bits), "");
        let axes: Vec<u64> =
            if shape.is_empty() { vec![1] } else { shape.iter().rev().copied().collect() };
        cards.card("NAXIS", &Value::Int(axes.len() as i64), "");
        for (number, axis) in (1..).zip(&axes) {
            cards.card(&format!("NAXIS{number}"), &Value::Int(*axis as i64), "");
        }
        if is_extension {
            cards.card("PCOUNT", &Value::Int(0), "");
            cards.card("GCOUNT", &Value::Int(1), "");
        }
        let (scaling, lost) =
            scaling(primitive, ["BSCALE", "BZERO", "BLANK"], attributes_of(image));
        for (keyword, value) in scaling {
            cards.card(keyword, &value, "");
        }
        if let Some(lost) = lost {
            self.lose(&path, lost);
        }
        let source = match (recode(primitive, false), image.source.data()) {
            (Some(recode), Some(data)) => data.recoded(&|_| Some(recode))?.into(),
            _ => image.source.clone(),
        };
        let bytes =
            shape.iter().fold(bits.unsigned_abs() / 8, |bytes, dim| bytes.saturating_mul(*dim));
        Ok((format!("{dtype}{}", headers::shape(&shape)), source, bytes))
    }

    /// Adds the name of an extension.
    fn named(&mut self, cards: &mut Cards, array: &Named) {
        let attributes = attributes_of(array);
        let own =
            |name: &str| attributes.iter().find(|it| it.name == name).map(|it| it.value.clone());
        match own("EXTNAME") {
            Some(AttrValue::Text(name)) => {
                cards.card("EXTNAME", &Value::Text(name), "");
                if let Some(AttrValue::Int(version)) = own("EXTVER") {
                    cards.card("EXTVER", &Value::Int(version), "");
                }
            }
            _ => {
                cards.card("EXTNAME", &Value::Text(array.parts.join("/")), "");
            }
        }
    }

    /// Adds the comments on an array, except for some attributes.
    fn said(&mut self, cards: &mut Cards, array: &Named, but: &[&str]) {
        let path = format!("/{}", array.parts.join("/"));
        let Some(data) = array.source.data() else { return };
        let unit = data.unit().or(array.about.unit.as_deref());
        if let Some(unit) = unit.filter(|_| is_image(array))
            && !cards.card("BUNIT", &Value::Text(unit.to_owned()), "")
        {
            self.lose(&path, "its unit");
        }
        let attributes = attributes_of(array).to_vec();
        let doc: Vec<&str> = data.doc_without_unit().collect();
        self.lines(
            cards,
            &path,
            &doc,
            attributes.iter().filter(|it| !but.contains(&&*it.name)),
            is_image(array),
        );
    }

    fn about(&mut self, cards: &mut Cards, path: &str, about: &About) {
        let doc: Vec<&str> = about.doc.iter().map(String::as_str).collect();
        self.lines(cards, path, &doc, about.attributes.iter(), false);
    }

    /// Adds attributes as cards, with their comments from the documentation; other lines of it become commentary.
    fn lines<'a>(
        &mut self,
        cards: &mut Cards,
        path: &str,
        doc: &[&str],
        attributes: impl Iterator<Item = &'a Attribute>,
        is_image: bool,
    ) {
        let mut used = vec![false; doc.len()];
        let attributes: Vec<&Attribute> = attributes.collect();
        let types = attributes.iter().find(|it| it.name == ATTRIBUTE_TYPES);
        let types = types.map_or(&[][..], |it| attribute_types::entries(&it.value));
        let is_false = |keyword: &str, value: &AttrValue| {
            let said = attribute_types::of(types.iter().map(String::as_str), keyword);
            said == Some(Primitive::B1) && *value == AttrValue::Int(0)
        };
        // Presentation hints do not affect the file.
        for attribute in attributes.iter().filter(|it| !headers::is_of_storage(it)) {
            let keyword = match attribute.name.as_str() {
                "scale_factor" | "add_offset" | "_FillValue" if is_image => continue,
                "units" | ATTRIBUTE_TYPES => continue,
                "dims" => {
                    self.axes(cards, path, &attribute.value, &attributes);
                    continue;
                }
                name => native_name(name),
            };
            if is_structural(keyword.trim_start_matches("HIERARCH ")) {
                self.lose(path, &format!("`{keyword}` says in a header where data are"));
                continue;
            }
            let start = format!("{keyword}: ");
            let comment = doc.iter().position(|line| line.starts_with(&start));
            let text = comment.map_or("", |at| &doc[at][start.len()..]);
            let fits = value(&attribute.value).is_some_and(|value| {
                let is_false = is_false(keyword, &attribute.value);
                cards.card(keyword, if is_false { &Value::Logical(false) } else { &value }, text)
            });
            if fits {
                comment.into_iter().for_each(|at| used[at] = true);
            } else {
                self.lose(path, &format!("no card has room for `{}`", attribute.name));
            }
        }
        let is_title = |line: &str| line.starts_with("HDU ") && line.contains(", ");
        for (line, _) in doc.iter().zip(&used).filter(|(line, used)| !**used && !is_title(line)) {
            match line.strip_prefix("HISTORY ") {
                Some(rest) => cards.commentary("HISTORY", rest),
                None => cards.commentary("COMMENT", &format!(" {line}")),
            }
        }
    }

    /// Adds the names of dimensions, unless attributes already have these cards.
    fn axes(&mut self, cards: &mut Cards, path: &str, value: &AttrValue, all: &[&Attribute]) {
        let AttrValue::Texts(names) = value else { return };
        for (number, name) in (1..).zip(names.iter().rev()) {
            let keyword = format!("CTYPE{number}");
            let is_card = |it: &&Attribute| it.name == keyword && it.text() == Some(&**name);
            if all.iter().any(is_card) {
                continue;
            }
            if !cards.card(&keyword, &Value::Text(name.clone()), "") {
                self.lose(path, "the names of its dimensions");
            }
        }
    }

    /// Adds a header and its data.
    fn hdu(&mut self, cards: Cards, data: Option<(String, ArraySource, u64)>) {
        let number = self.planned.items.len();
        let header = cards.finish();
        self.bytes(&format!("header{number}"), header);
        let Some((layout, source, bytes)) = data else { return };
        let name = format!("data{number}");
        // Writing to a string cannot fail.
        let _ = writeln!(self.planned.layout, "{name} = {layout} @{}", self.at);
        self.planned.items.push(Named::new(vec![name], false, source));
        self.at = self.at.saturating_add(bytes);
        let rest = self.at.next_multiple_of(BLOCK) - self.at;
        if rest > 0 {
            self.bytes(&format!("rest{number}"), vec![0; rest as usize]);
        }
    }

    fn bytes(&mut self, name: &str, bytes: Vec<u8>) {
        let length = bytes.len() as u64;
        let _ = writeln!(self.planned.layout, "{name} = u1[{length}] @{}", self.at);
        let parts = Parts::new(Dtype::Primitive(Primitive::U1, ByteOrder::Big), &[length]);
        // Bytes in memory are always complete.
        if let Ok(data) = parts.data(bytes) {
            self.planned.items.push(Named::new(vec![name.to_owned()], false, data));
        }
        self.at += length;
    }
}

fn attributes_of(array: &Named) -> &[Attribute] {
    match array.source.data() {
        Some(data) if array.about.attributes.is_empty() => data.attributes(),
        _ => &array.about.attributes,
    }
}
