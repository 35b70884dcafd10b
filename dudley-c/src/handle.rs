//! Handles: numbers in a table, which C has as pointers that point nowhere.

use std::any::Any;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use crate::error::{DUD_CLOSED, Failure};

type Things = HashMap<usize, Arc<dyn Any + Send + Sync>>;

/// What is open, and the number of the last that was opened. A number is never used again.
static TABLE: LazyLock<RwLock<(Things, usize)>> = LazyLock::new(RwLock::default);

/// A handle of something that is open.
#[repr(transparent)]
pub struct Handle<T>(*mut Opaque, PhantomData<T>);

#[expect(unreachable_pub, reason = "it is named by a public type")]
/// Where no handle points.
pub struct Opaque;

impl<T: Any + Send + Sync> Handle<T> {
    /// A handle of something new.
    pub(crate) fn new(thing: T) -> Handle<T> {
        Handle::of(Arc::new(thing))
    }

    /// A handle of something.
    pub(crate) fn of(thing: Arc<T>) -> Handle<T> {
        let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
        // Aligned as pointers are, for programs that look at the low bits.
        table.1 += 16;
        let number = table.1;
        table.0.insert(number, thing);
        Handle(std::ptr::without_provenance_mut(number), PhantomData)
    }

    /// What it stands for, which lives until the call ends even if another thread closes it.
    pub(crate) fn get(&self) -> Result<Arc<T>, Failure> {
        let table = TABLE.read().unwrap_or_else(PoisonError::into_inner);
        let thing = table.0.get(&self.0.addr()).cloned().ok_or_else(|| self.closed())?;
        drop(table);
        thing.downcast().map_err(|_| Failure::new(DUD_CLOSED, "the handle is of another kind"))
    }

    /// As [`Self::get`], or `None` for NULL.
    pub(crate) fn get_or_null(&self) -> Result<Option<Arc<T>>, Failure> {
        if self.0.is_null() { Ok(None) } else { self.get().map(Some) }
    }

    /// Takes it from the table. Closing NULL does nothing.
    pub(crate) fn close(&self) -> Result<Option<Arc<T>>, Failure> {
        let Some(thing) = self.get_or_null()? else { return Ok(None) };
        let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
        let taken = table.0.remove(&self.0.addr());
        drop(table);
        taken.map(|_| Some(thing)).ok_or_else(|| self.closed())
    }

    fn closed(&self) -> Failure {
        let text = if self.0.is_null() { "the handle is NULL" } else { "the handle is closed" };
        Failure::new(DUD_CLOSED, text)
    }
}
