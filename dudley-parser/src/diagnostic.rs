//! Faults of a text: findings with a severity, a stable code and spans.
//!
//! All faults of a text are collected, so these are values in a list, not an error type. How they
//! look on a terminal is in `render.rs`; what each code means is in `explain.rs`.

use crate::span::Span;

/// How bad a finding is. Only errors keep a layout from being used.
///
/// ```
/// use dudley_parser::Severity;
///
/// let found = dudley_parser::check(b"x = f9").diagnostics;
/// assert_eq!(found[0].severity, Severity::Error);
/// assert!(Severity::Error > Severity::Warning && Severity::Warning > Severity::Note);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing: an extension of the language, a lint.
    Note,
    /// Probably not what was meant.
    Warning,
    /// The layout cannot be used.
    Error,
}

impl Severity {
    /// Whether it keeps a layout from being used.
    ///
    /// ```
    /// use dudley_parser::Severity;
    ///
    /// assert!(Severity::Error.is_error() && !Severity::Warning.is_error());
    /// ```
    pub const fn is_error(self) -> bool {
        matches!(self, Severity::Error)
    }

    /// `"error"`, `"warning"` or `"note"`.
    ///
    /// ```
    /// use dudley_parser::Severity;
    ///
    /// assert_eq!(Severity::Note.as_str(), "note");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A place in the text with a remark.
///
/// ```
/// let text = "x = f9";
/// let found = dudley_parser::check(text.as_bytes()).diagnostics;
/// assert_eq!(&text[found[0].primary.span.range()], "f9");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The remark, which may be empty.
    pub text: String,
}

/// One finding about a layout text.
///
/// ```
/// let found = &dudley_parser::check(b"x = f9").diagnostics[0];
/// assert_eq!(found.code, "unknown-type");
/// assert!(found.message.contains("f9") && found.primary.span.start == 4);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The rule, as a stable word such as `unknown-type`; `dudc explain` knows it.
    pub code: &'static str,
    /// The fault and the expected text, in one line.
    pub message: String,
    /// The place to look at first.
    pub primary: Label,
    /// Other places that take part.
    pub secondary: Vec<Label>,
    /// The cure, if known.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A finding of a severity at a span.
    ///
    /// ```
    /// use dudley_parser::{Severity, diagnostic::Diagnostic, span::Span};
    ///
    /// let note = Diagnostic::new(Severity::Note, "mine", Span::at(0), "a remark");
    /// assert_eq!((note.code, note.help), ("mine", None));
    /// ```
    pub fn new(
        severity: Severity,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Self {
        Self {
            severity,
            code,
            message: message.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            help: None,
        }
    }

    /// An error at a span.
    ///
    /// ```
    /// use dudley_parser::{diagnostic::Diagnostic, span::Span};
    ///
    /// assert!(Diagnostic::error("mine", Span::at(0), "wrong").severity.is_error());
    /// ```
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, span, message)
    }

    /// A warning at a span.
    ///
    /// ```
    /// use dudley_parser::{Severity, diagnostic::Diagnostic, span::Span};
    ///
    /// assert_eq!(Diagnostic::warning("mine", Span::at(0), "odd").severity, Severity::Warning);
    /// ```
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, span, message)
    }

    /// A note at a span.
    ///
    /// ```
    /// use dudley_parser::{Severity, diagnostic::Diagnostic, span::Span};
    ///
    /// assert_eq!(Diagnostic::note("mine", Span::at(0), "a remark").severity, Severity::Note);
    /// ```
    pub fn note(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Note, code, span, message)
    }

    /// Says something at the primary span.
    ///
    /// ```
    /// use dudley_parser::{diagnostic::Diagnostic, span::Span};
    ///
    /// let error = Diagnostic::error("mine", Span::at(0), "wrong").label("here");
    /// assert_eq!(error.primary.text, "here");
    /// ```
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Points at another place.
    ///
    /// ```
    /// use dudley_parser::{diagnostic::Diagnostic, span::Span};
    ///
    /// let error = Diagnostic::error("mine", Span::at(9), "twice").also(Span::at(0), "the first");
    /// assert_eq!(error.secondary[0].text, "the first");
    /// ```
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Says what to do about it.
    ///
    /// ```
    /// use dudley_parser::{diagnostic::Diagnostic, span::Span};
    ///
    /// let error = Diagnostic::error("mine", Span::at(0), "wrong").help("write `f8`");
    /// assert_eq!(error.help.as_deref(), Some("write `f8`"));
    /// ```
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}
