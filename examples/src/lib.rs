//! Small programs that use Dudley: each file of `examples/` shows one idea, `radhydro` is a whole
//! simulation, and the layouts in `layouts/` describe files of other formats.
