//! The codecs of the fixed parts of the format, made from its layouts.

dudley::layout!(pub(crate) mod header = "layouts/blosc2-header.dud");
dudley::layout!(pub(crate) mod header_2020 = "layouts/blosc2-header-2020.dud");
dudley::layout!(pub(crate) mod entry = "layouts/blosc2-entry.dud");
dudley::layout!(pub(crate) mod contents = "layouts/blosc2-contents.dud");
dudley::layout!(pub(crate) mod content = "layouts/blosc2-content.dud");
dudley::layout!(pub(crate) mod trailer = "layouts/blosc2-trailer.dud");
dudley::layout!(pub(crate) mod trailer_2020 = "layouts/blosc2-trailer-2020.dud");
dudley::layout!(pub(crate) mod chunk_16 = "layouts/blosc2-chunk-16.dud");
dudley::layout!(pub(crate) mod chunk_32 = "layouts/blosc2-chunk-32.dud");
dudley::layout!(pub(crate) mod stream = "layouts/blosc2-stream.dud");
dudley::layout!(pub(crate) mod offsets = "layouts/blosc2-offsets.dud");
dudley::layout!(pub(crate) mod checksums = "layouts/blosc2-checksums.dud");
dudley::layout!(pub(crate) mod journal = "layouts/blosc2-journal.dud");
dudley::layout!(pub(crate) mod b2nd = "layouts/blosc2-b2nd.dud");
dudley::layout!(pub(crate) mod dtype = "layouts/blosc2-dtype.dud");
