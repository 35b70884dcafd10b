//! How much is read to compare constants?

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::bytes::source::Source;
use crate::error::Result;
use crate::{Error, Open};

/// Bytes of which each reading is counted.
struct Counted(Vec<u8>, Arc<AtomicUsize>);

impl Source for Counted {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read_at(&self, address: u64, bytes: &mut [u8]) -> Result<()> {
        self.1.fetch_add(1, Ordering::Relaxed);
        let address = address as usize;
        bytes.copy_from_slice(&self.0[address..address + bytes.len()]);
        Ok(())
    }
}

/// How often a stream is read while it is opened.
fn reads(layout: &str, bytes: Vec<u8>) -> usize {
    let count = Arc::new(AtomicUsize::new(0));
    let open = Open::new().raw().layout_text(layout).expect("a layout");
    open.source(Counted(bytes, count.clone())).expect("a stream");
    count.load(Ordering::Relaxed)
}

#[test]
fn the_front_is_read_once() {
    let without = reads("a = S1[4]  b = u1  x = u1[4091]", vec![b'A'; 4096]);
    let many = "a = S1[4]  #: const = \"AAAA\"\nb = u1  #: const = 65\n\
                c = {m = u1  #: const = 65\n v = u1}[100]\nx = u1[3891]";
    assert_eq!(reads(many, vec![b'A'; 4096]), without + 1);
}

#[test]
fn long_lists_cost_no_more() {
    let bytes = vec![7; 2 << 20];
    for layout in [
        "l = {m = u1  #: const = 7\n v = u1}[1000000]",
        "l [/ m = u1  #: const = 7\n v = u1]*1000000",
        "m = u1[2000000]  #: const = 7",
    ] {
        let read = reads(layout, bytes.clone());
        assert!(read < 64, "{layout}: {read}");
    }
}

/// What lies behind what was compared is compared when it is read.
#[test]
fn the_rest_is_compared_when_it_is_read() {
    let mut bytes = vec![7; 20_000];
    bytes[19_000] = 8;
    let open = Open::new().raw().layout_text("l = {m = u1  #: const = 7\n v = u1}[10000]");
    let stream = open.expect("a layout").bytes(bytes).expect("the front is right");
    let read = stream.get("/l").and_then(|item| item.data()?.value());
    assert!(matches!(read, Err(Error::Const { address: 19_000, .. })), "{read:?}");
}
