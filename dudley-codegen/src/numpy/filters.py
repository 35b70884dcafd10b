class Filter:
    """How the bytes of an array are compressed, and how many are stored."""

    def __init__(self, name, counted=False):
        self.name = name
        # Whether a count of 8 bytes stands in front of them.
        self.counted = counted

    def count(self, source, address, element):
        """The bytes in the stream of elements of so many bytes: the count, and what it says."""
        if element == 0 or isinstance(element, Fault) or isinstance(address, Fault):
            return address if isinstance(address, Fault) else element
        count = source.param("the stored bytes", Number("u8", source.order), address)
        if isinstance(count, Fault):
            # They cannot be read, or are more than any stream has.
            return CutOff(count.why)
        return reach(count + 8)

    def decoded(self, item):
        """The bytes of the array."""
        if self.counted and item.nbytes == 0:
            # Elements of no bytes: not even their count is stored.
            return b""
        skip = 8 if self.counted else 0
        stored = item.source.view(item.path, item.address, item.nbytes)[skip:].tobytes()
        if self.name not in DECODERS:
            raise StreamError(
                f"{item.path}: the filter `{self.name}` is not known here"
            )
        try:
            data = DECODERS[self.name](stored)
        except ImportError as error:
            raise StreamError(
                f"{item.path}: the filter `{self.name}` needs {error.name}"
            ) from None
        except Exception as error:
            raise StreamError(
                f"{item.path}: at address {item.address}: {self.name}: {error}"
            ) from error
        wanted = item.count * item.kind.size
        if len(data) != wanted:
            raise StreamError(
                f"{item.path}: decoded to {len(data)} bytes, expected {wanted}"
            )
        return data


def module(name):
    """A module that only some filters need."""
    return importlib.import_module(name)


DECODERS = {
    "zlib": lambda data: module("zlib").decompress(data),
    "gzip": lambda data: module("gzip").decompress(data),
    "bzip2": lambda data: module("bz2").decompress(data),
    "xz": lambda data: module("lzma").decompress(data),
    "lz4": lambda data: module("lz4.frame").decompress(data),
    "zstd": lambda data: (
        module("zstandard").ZstdDecompressor().decompressobj().decompress(data)
    ),
    "blosc2": lambda data: module("blosc2").schunk_from_cframe(data)[:],
}
