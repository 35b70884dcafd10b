//! Small programs that use Dudley: each file of `examples/` shows one idea, those of `layouts/`
//! describe files of other formats.
