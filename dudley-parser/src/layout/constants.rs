//! Constants: items for which a layout declares the only legal value (spec 7.3).

use super::dtype::Primitive;
use super::{Array, DocKey, Element, Layout, Param, RecordId, Step};
use crate::comments::Attribute;

impl Layout {
    /// The only legal value of an array, and how many of its dimensions stand in front of what that is the value of:
    /// those around the member of a typedef, of which it is declared there.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"magic = u1[2]  #: const = [1, 2]").layout.unwrap();
    /// let (_, magic) = layout.arrays().next().unwrap();
    /// let (constant, outer) = layout.stated(magic).unwrap();
    /// assert_eq!((constant.name.as_str(), outer), ("const", 0));
    /// ```
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
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = {N : i8  a = u1[N]}").layout.unwrap();
    /// let (id, _) = layout.records().next().unwrap();
    /// let member = layout.first_member(id).unwrap();
    /// assert_eq!(layout.name(member.name), "a");
    /// ```
    pub fn first_member(&self, record: RecordId) -> Option<&Array> {
        self.run(self[record].members).iter().find_map(|step| match *step {
            Step::Array(member) => Some(&self[member]),
            _ => None,
        })
    }

    /// Whether a member only says where its struct ends: `"" = {}`, which has no name and no bytes. It is not shown.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = {a = f4 @0  \"\" = {} @7} %1").layout.unwrap();
    /// let ends = layout.arrays().filter(|(_, array)| layout.is_end(array));
    /// assert_eq!(ends.count(), 1);
    /// ```
    pub fn is_end(&self, member: &Array) -> bool {
        let is_empty = |id: RecordId| self.run(self[id].members).is_empty();
        let is_nothing = matches!(member.element, Element::Record(id) if is_empty(id));
        is_nothing && member.rank == 0 && self.name(member.name).is_empty()
    }

    /// The elements of an array as it is shown, if they are no structs.
    ///
    /// ```
    /// use dudley_parser::layout::dtype::Primitive;
    ///
    /// let layout = dudley_parser::check(b"x = f8[3]  y = {a = u1  b = f8}").layout.unwrap();
    /// let kinds: Vec<_> = layout.arrays().map(|(_, array)| layout.elements(array)).collect();
    /// assert!(kinds.contains(&Some(Primitive::F8)) && kinds.contains(&None));
    /// ```
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
    ///
    /// ```
    /// let layout = dudley_parser::check(b"N : i8  #: const = 3\nx = f8[N]").layout.unwrap();
    /// let (_, n) = layout.params().next().unwrap();
    /// assert!(layout.stated_param(n).is_some());
    /// ```
    pub fn stated_param(&self, param: &Param) -> Option<&Attribute> {
        self.attribute(DocKey::of(param.span), "const")
    }
}
