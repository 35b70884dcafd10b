//! The dimensions of an array as the layout says them, and the params that decide them.

use dudley_parser::layout::path::of_param;
use dudley_parser::layout::{ArrayId, Count, DictId, Dim, DocKey, Element, ParamId, Scope, Step};
use dudley_parser::resolve::Target;

use super::Item;
use crate::error::Result;

impl Item {
    /// For each dimension of its shape how the layout says it, if a param decides it.
    ///
    /// # Errors
    /// As [`Self::data`].
    pub fn dims(&self) -> Result<Vec<Option<String>>> {
        let layout = self.stream.layout();
        let said = self.declared_dims()?.into_iter().map(|dim| {
            let has_param = dim.is_some_and(|dim| layout.params_of(dim.count).next().is_some());
            let text = dim.and_then(|dim| layout.text().get(dim.span.range()));
            text.filter(|_| has_param).map(str::to_owned)
        });
        Ok(said.collect())
    }

    /// The name of each dimension of its shape: from the attribute `dims`, or the name of its param. `None` if a
    /// param of -1 removes a dimension.
    ///
    /// ```
    /// let text = "\"\" = {c = u1[-1, 2]  #: dims = [\"\", \"x\"]\n}[3]  #: dims = \"time\"";
    /// let stream = dudley::Open::new().layout_text(text)?.raw().bytes(vec![0; 6])?;
    /// assert_eq!(stream.get("/c")?.dim_names()?, [Some("time".to_owned()), Some("x".to_owned())]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::data`].
    pub fn dim_names(&self) -> Result<Vec<Option<String>>> {
        let rank = self.data()?.shape.len();
        let layout = self.stream.layout();
        if let Target::List(list) = self.node.target {
            let said = layout.stated_dims(DocKey::of(layout[list].span), rank);
            let said = said.map(|names| names.into_iter().map(|it| Some(it.to_owned())).collect());
            return Ok(said.unwrap_or_else(|| vec![None; rank]));
        }
        let mut names = Vec::new();
        for array in self.arrays().into_iter().map(|id| &layout[id]) {
            // Of a view the last one is presented as others.
            let viewed = usize::from(layout.view_of(array).is_some());
            let dims = layout.dims(array);
            let stored = &dims[..dims.len().saturating_sub(viewed)];
            let is_gone = |at: usize| stored.get(at).is_some_and(|dim| dim.count == Count::Int(-1));
            let there = layout.dim_names(array).into_iter().enumerate();
            let there = there.filter(|(at, _)| !is_gone(*at));
            names.extend(there.map(|(_, name)| name.map(str::to_owned)));
        }
        Ok(if names.len() == rank { names } else { vec![None; rank] })
    }

    /// The params of dicts that decide each dimension of an array, if their names have the same meaning everywhere in
    /// their dicts; `None` for a dimension that is a number, or that other params decide.
    ///
    /// ```
    /// let text = "N : 2  x = u1[3, N-]";
    /// let stream = dudley::Open::new().layout_text(text)?.raw().bytes(vec![1, 2, 3])?;
    /// let params = stream.get("/x")?.dim_params()?;
    /// assert!(params[0].is_empty());
    /// assert_eq!(params[1][0].path(), "/:N");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::data`].
    pub fn dim_params(&self) -> Result<Vec<Vec<Item>>> {
        let layout = self.stream.layout();
        let dict = match self.node.target {
            Target::Array(id) | Target::Spliced(id, _) => layout[id].dict,
            _ => None,
        };
        let params = self.declared_dims()?.into_iter().map(|dim| {
            let ids = dim.into_iter().flat_map(|dim| layout.params_of(dim.count));
            ids.map(|id| self.param_near(dict, id)).collect::<Option<Vec<_>>>().unwrap_or_default()
        });
        Ok(params.collect())
    }

    /// The declared number of items of a list with one repeat, and the params that decide it; `None` if a number
    /// decides it, or params of other dicts.
    ///
    /// ```
    /// let text = "N : 2  hist = [/ t = u1]*N";
    /// let stream = dudley::Open::new().layout_text(text)?.raw().bytes(vec![1, 2])?;
    /// let (name, params) = stream.get("/hist")?.repeat_dim().expect("a param");
    /// assert_eq!((&*name, params[0].path()), ("N", "/:N"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn repeat_dim(&self) -> Option<(String, Vec<Item>)> {
        let Target::List(list) = self.node.target else { return None };
        let layout = self.stream.layout();
        let [piece] = layout[list].pieces[..] else { return None };
        let piece = &layout[piece];
        let params = layout.params_of(piece.count);
        let params: Vec<_> =
            params.map(|id| self.param_near(Some(layout[list].dict), id)).collect::<Option<_>>()?;
        let name = layout.text().get(piece.count_span.range())?.to_owned();
        (piece.body.len() == 1 && !params.is_empty()).then_some((name, params))
    }

    /// The param of a dict or of those around it, if it is what its name means in all of the dict that declares it.
    fn param_near(&self, dict: Option<DictId>, id: ParamId) -> Option<Item> {
        let layout = self.stream.layout();
        let param = &layout[id];
        // The nearest of its name, which is the only one there.
        let mut around = std::iter::successors(dict, |dict| layout[*dict].parent);
        let near = around.find(|dict| !layout.declarations(*dict, param.name).is_empty())?;
        let is_near =
            param.scope == Scope::Dict(near) && layout.declarations(near, param.name).len() == 1;
        is_near.then(|| self.stream.get(&of_param(&layout.param_path(id))).ok()).flatten()
    }

    /// What the layout says of each dimension of an array; none of any where a param of -1 takes one away.
    fn declared_dims(&self) -> Result<Vec<Option<Dim>>> {
        let rank = self.data()?.shape.len();
        let layout = self.stream.layout();
        let arrays = self.arrays();
        let dims = arrays.iter().flat_map(|id| layout.dims(&layout[*id]));
        let there = dims.filter(|dim| dim.count != Count::Int(-1));
        let dims: Vec<_> = there.map(|dim| Some(*dim)).collect();
        let is_view = arrays.iter().any(|id| layout.view_of(&layout[*id]).is_some());
        Ok(if dims.len() == rank && !is_view { dims } else { vec![None; rank] })
    }

    /// What declares its dimensions: the array; of a member that is presented as an item, the record before it.
    fn arrays(&self) -> Vec<ArrayId> {
        match self.node.target {
            Target::Array(id) => vec![id],
            Target::Spliced(id, member) => {
                std::iter::once(id).chain(self.spliced_member(id, member)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether it is presented otherwise than it is stored (spec 7.7).
    pub(crate) fn is_presented(&self) -> bool {
        self.arrays().into_iter().any(|id| self.stream.layout()[id].presented)
    }

    /// Whether it is a param of records that are presented as items of their dict (spec 3.10).
    pub(super) fn is_presented_param(&self) -> bool {
        matches!(self.node.target, Target::Spliced(id, member) if self.spliced_member(id, member).is_none())
    }

    /// The member of a record that is presented as an item of its dict, if it is no param.
    pub(super) fn spliced_member(&self, id: ArrayId, member: u32) -> Option<ArrayId> {
        let layout = self.stream.layout();
        let Element::Record(record) = layout[id].element else { return None };
        match layout.run(layout[record].members).get(member as usize)? {
            Step::Array(member) => Some(*member),
            _ => None,
        }
    }
}
