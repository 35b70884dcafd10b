//! Constants: items for which a layout declares the only legal value (spec 7.3).

use super::dtype::Primitive;
use super::{Array, DocKey, Element, Layout, Param, RecordId, Step};
use crate::comments::Attribute;

impl Layout {
    /// The only legal value of an array, and how many of its dimensions stand in front of what that is the value of:
    /// those around the member of a typedef, of which it is declared there.
    pub fn stated(&self, array: &Array) -> Option<(&Attribute, usize)> {
        let (mut array, mut outer) = (array, 0);
        loop {
            if let Some(stated) = self.attribute(DocKey::of(array.span), "const") {
                return Some((stated, outer));
            }
            let member = self.first_member(array.typedef?)?;
            outer += array.rank.saturating_sub(member.rank) as usize;
            array = member;
        }
    }

    /// The first member of a struct that is no param: the one of a typedef.
    pub fn first_member(&self, record: RecordId) -> Option<&Array> {
        self.run(self[record].members).iter().find_map(|step| match *step {
            Step::Array(member) => Some(&self[member]),
            _ => None,
        })
    }

    /// The elements of an array as it is shown, if they are no structs.
    pub fn elements(&self, array: &Array) -> Option<Primitive> {
        let mut element = array.element;
        loop {
            match element {
                Element::Primitive(primitive, _) => return Some(primitive),
                Element::Record(id) if self[id].transparent => {
                    element = self.first_member(id)?.element;
                }
                Element::Record(_) => return None,
            }
        }
    }

    /// The only legal value of a param.
    pub fn stated_param(&self, param: &Param) -> Option<&Attribute> {
        self.attribute(DocKey::of(param.span), "const")
    }
}
