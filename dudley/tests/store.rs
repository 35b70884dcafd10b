//! Objects of stores: right values, or an error that names the range, whatever the server does.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dudley::bytes::object_store::local::LocalFileSystem;
use dudley::bytes::object_store::memory::InMemory;
use dudley::bytes::object_store::path::Path;
use dudley::bytes::object_store::{ObjectStore, ObjectStoreExt};
use dudley::bytes::{Source, StoreOptions, StoreSource};
use dudley::error::{Group, StoreFault};
use dudley::{Error, Open, Stream, Work};

/// What the server does with a request for bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// The bytes.
    Right,
    /// 500.
    Fails,
    /// 416.
    NoRange,
    /// All bytes, with 200.
    Whole,
    /// Fewer bytes than it says.
    Cut,
    /// Fewer bytes, and it says so.
    Fewer,
    /// The bytes one by one.
    Slow,
    /// Nothing, until the client has gone.
    Silent,
}

/// A server of one object.
struct Server {
    address: String,
    shared: Arc<Shared>,
}

struct Shared {
    object: Mutex<Vec<u8>>,
    tag: Mutex<Option<String>>,
    /// What is done with the next requests for bytes, in turn; then they are answered.
    answers: Mutex<Vec<Answer>>,
    /// The ranges that were requested.
    asked: Mutex<Vec<(u64, u64)>>,
    heads: AtomicUsize,
}

impl Server {
    fn new(object: Vec<u8>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}/runs/a.bd", listener.local_addr().expect("bound"));
        let shared = Arc::new(Shared {
            object: Mutex::new(object),
            tag: Mutex::new(Some("\"first\"".to_owned())),
            answers: Mutex::new(Vec::new()),
            asked: Mutex::new(Vec::new()),
            heads: AtomicUsize::new(0),
        });
        let served = shared.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let served = served.clone();
                // A connection that breaks is the client's matter.
                std::thread::spawn(move || served.connection(stream));
            }
        });
        Server { address, shared }
    }

    fn answer(&self, answers: &[Answer]) {
        *self.shared.answers.lock().expect("no panic") = answers.iter().rev().copied().collect();
    }

    fn asked(&self) -> Vec<(u64, u64)> {
        std::mem::take(&mut *self.shared.asked.lock().expect("no panic"))
    }

    fn options() -> StoreOptions {
        StoreOptions::new().retries(2).timeout(Duration::from_secs(20))
    }

    fn open(&self) -> StoreSource {
        Server::options().cache(0).gap(0).url(&self.address).expect("an object")
    }
}

impl Shared {
    fn connection(&self, stream: TcpStream) -> Option<()> {
        let mut lines = BufReader::new(stream.try_clone().ok()?);
        loop {
            let (mut head, mut range, mut wanted) = (String::new(), None, None);
            lines.read_line(&mut head).ok().filter(|read| *read > 0)?;
            loop {
                let mut line = String::new();
                lines.read_line(&mut line).ok().filter(|read| *read > 0)?;
                if line.trim().is_empty() {
                    break;
                }
                let (name, value) = line.trim().split_once(": ")?;
                match name.to_ascii_lowercase().as_str() {
                    "range" => range = Some(parse_range(value)?),
                    "if-match" => wanted = Some(value.to_owned()),
                    _ => {}
                }
            }
            let mut out = &stream;
            match head.split(' ').next()? {
                "HEAD" => self.head(&mut out),
                _ => self.get(&mut out, &mut lines, range?, wanted),
            }?;
        }
    }

    fn headers(&self) -> String {
        let tag = self.tag.lock().expect("no panic").clone();
        tag.map_or(String::new(), |tag| format!("ETag: {tag}\r\n"))
    }

    fn head(&self, out: &mut impl Write) -> Option<()> {
        self.heads.fetch_add(1, Ordering::Relaxed);
        let len = self.object.lock().expect("no panic").len();
        let tag = self.headers();
        write!(out, "HTTP/1.1 200 OK\r\nContent-Length: {len}\r\n{tag}\r\n").ok()
    }

    fn get(
        &self,
        out: &mut impl Write,
        client: &mut impl Read,
        (first, last): (u64, u64),
        wanted: Option<String>,
    ) -> Option<()> {
        self.asked.lock().expect("no panic").push((first, last + 1));
        let object = self.object.lock().expect("no panic").clone();
        let answer = self.answers.lock().expect("no panic").pop().unwrap_or(Answer::Right);
        let empty = |status: &str| format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        if wanted.is_some_and(|wanted| Some(wanted) != *self.tag.lock().expect("no panic")) {
            return out.write_all(empty("412 Precondition Failed").as_bytes()).ok();
        }
        let last = last.min(object.len() as u64 - 1);
        if first > last || answer == Answer::NoRange {
            return out.write_all(empty("416 Range Not Satisfiable").as_bytes()).ok();
        }
        let bytes = &object[first as usize..=last as usize];
        let bytes = if answer == Answer::Fewer { &bytes[..bytes.len() - 1] } else { bytes };
        let (len, all, tag) = (bytes.len(), object.len(), self.headers());
        let partial = format!(
            "HTTP/1.1 206 Partial Content\r\nContent-Length: {len}\r\n\
             Content-Range: bytes {first}-{last}/{all}\r\n{tag}\r\n"
        );
        match answer {
            Answer::Fails => out.write_all(empty("500 Internal Server Error").as_bytes()).ok(),
            Answer::Whole => {
                let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {all}\r\n{tag}\r\n");
                out.write_all(head.as_bytes()).ok()?;
                out.write_all(&object).ok()
            }
            Answer::Cut => {
                out.write_all(partial.as_bytes()).ok()?;
                out.write_all(&bytes[..len / 2]).ok()?;
                // The connection ends here.
                None
            }
            Answer::Slow => {
                out.write_all(partial.as_bytes()).ok()?;
                bytes
                    .iter()
                    .try_for_each(|byte| out.write_all(&[*byte]).and_then(|()| out.flush()).ok())
            }
            Answer::Silent => {
                let mut rest = Vec::new();
                client.read_to_end(&mut rest).ok()?;
                None
            }
            Answer::Right | Answer::Fewer | Answer::NoRange => {
                out.write_all(partial.as_bytes()).ok()?;
                out.write_all(bytes).ok()
            }
        }
    }
}

fn parse_range(value: &str) -> Option<(u64, u64)> {
    let (first, last) = value.strip_prefix("bytes=")?.split_once('-')?;
    Some((first.parse().ok()?, last.parse().ok()?))
}

fn doubles(count: usize) -> Vec<u8> {
    (0..count).flat_map(|at| (at as f64).to_le_bytes()).collect()
}

/// Bytes 800 to 1600, which are to be right, or an error.
fn read(source: &StoreSource) -> Result<(), Error> {
    let mut bytes = vec![0; 800];
    source.read_at(800, &mut bytes)?;
    assert_eq!(bytes, doubles(200)[800..]);
    Ok(())
}

/// The fault of an error that names bytes 800 to 1600 of the object.
fn fault(source: &StoreSource) -> StoreFault {
    match read(source).expect_err("no right answer") {
        Error::Store { object, range, fault } => {
            assert!(object.starts_with("http://127.0.0.1:") && object.ends_with("/runs/a.bd"));
            assert_eq!(range, 800..1600);
            fault
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_server_gives_slices_in_few_requests() {
    let server = Server::new(doubles(20 * 300 * 100));
    let open = || Open::new().layout_text("x = f8[20, 300, 100]").expect("a layout").raw();
    let stream = open().source(server.open()).expect("a stream");
    server.asked();
    let x = stream.select("/x[:, 100:130, :]").expect("there").read::<f64>().expect("served");
    assert_eq!((x.shape(), x[[19, 29, 99]]), (&[20, 30, 100][..], 582_999.0));
    let asked = server.asked();
    assert_eq!(asked.len(), 20);
    assert_eq!(asked.iter().map(|(first, end)| end - first).sum::<u64>(), 20 * 30 * 800);

    // With a gap as large as what lies between, it is one; with threads the values are the same.
    let wide = Server::options().cache(0).gap(1 << 20).request(64 << 20);
    let stream = open().source(wide.url(&server.address).expect("an object")).expect("a stream");
    server.asked();
    let stream = stream.working(Work::new().threads(3));
    assert!(stream.select("/x[:, 100:130, :]").expect("there").read::<f64>().expect("served") == x);
    assert_eq!(server.asked().len(), 1);

    // Large arrays come in several requests at once.
    let parts = Server::options().request(1 << 20);
    let stream = open().source(parts.url(&server.address).expect("an object")).expect("a stream");
    server.asked();
    let all = stream.get("/x").and_then(|x| x.read::<f64>()).expect("served");
    assert!(all.iter().enumerate().all(|(at, value)| *value == at as f64));
    assert_eq!(server.asked().len(), 5);
}

#[test]
fn small_reads_bring_blocks_that_are_kept() {
    let layout = dudley::parse_layout(b"N : i8  x = f8[N]").expect("a layout");
    let values: Vec<f64> = (0..1000).map(f64::from).collect();
    let writer = dudley::Writer::new(layout).param("/N", 1000).put("/x", &values).attach(true);
    let server = Server::new(writer.to_bytes().expect("complete"));
    let source = Server::options().url(&server.address).expect("an object");
    let stream = Open::new().source(source).expect("a stream");
    let x = stream.get("/x").expect("there");
    assert_eq!(x.read::<f64>().expect("served").sum(), 499_500.0);
    for at in 0..100 {
        let path = format!("/x[{at}]");
        stream.select(&path).and_then(|one| one.read::<f64>()).expect("served");
    }
    // Signature, layout, param and items, all of them small.
    assert_eq!(
        server.asked(),
        [(
            0,
            stream
                .appended_text()
                .expect("there")
                .map_or(0, |text| { stream.len() + text.len() as u64 })
        )]
    );
    assert_eq!(server.shared.heads.load(Ordering::Relaxed), 1);
}

#[test]
fn what_fails_once_is_asked_for_again() {
    let server = Server::new(doubles(1000));
    let source = server.open();
    for answers in [&[Answer::Fails][..], &[Answer::Fails, Answer::Fails], &[Answer::Cut]] {
        server.asked();
        server.answer(answers);
        read(&source).expect("right in the end");
        assert_eq!(server.asked().len(), answers.len() + 1, "{answers:?}");
    }
    server.answer(&[Answer::Slow]);
    read(&source).expect("slow, but right");
}

#[test]
fn what_fails_for_good_is_an_error_with_the_range() {
    let server = Server::new(doubles(1000));
    let source = server.open();
    server.answer(&[Answer::Fails; 3]);
    let refused = fault(&source);
    assert!(matches!(refused, StoreFault::Refused(_)));
    assert!(refused.to_string().contains("500"), "{refused}");
    server.answer(&[Answer::NoRange]);
    let refused = fault(&source);
    assert!(refused.to_string().contains("416"), "{refused}");
    server.answer(&[Answer::Whole]);
    assert!(matches!(fault(&source), StoreFault::Refused(_)));
    server.answer(&[Answer::Fewer]);
    assert!(matches!(fault(&source), StoreFault::Short { found: 799 }));
    server.answer(&[Answer::Cut; 3]);
    assert!(matches!(fault(&source), StoreFault::Refused(_)));
    read(&source).expect("nothing is broken");
    let impatient = Server::options().timeout(Duration::from_millis(200)).retries(0).cache(0);
    let source = impatient.url(&server.address).expect("an object");
    server.answer(&[Answer::Silent]);
    assert!(matches!(fault(&source), StoreFault::Refused(_)));
}

#[test]
fn an_object_that_changes_is_noticed() {
    let server = Server::new(doubles(1000));
    let source = server.open();
    read(&source).expect("as it was");
    *server.shared.tag.lock().expect("no panic") = Some("\"second\"".to_owned());
    let changed = fault(&source);
    assert!(matches!(changed, StoreFault::Changed { .. }), "{changed}");
    // A weak tag cannot be requested, and is compared.
    *server.shared.tag.lock().expect("no panic") = Some("W/\"third\"".to_owned());
    let source = server.open();
    read(&source).expect("as it is now");
    *server.shared.tag.lock().expect("no panic") = Some("W/\"fourth\"".to_owned());
    let changed = fault(&source);
    assert!(changed.to_string().contains("the tag W/\"fourth\", not W/\"third\""), "{changed}");
    // Without a tag, the length shows it.
    *server.shared.tag.lock().expect("no panic") = None;
    let source = server.open();
    read(&source).expect("as it is now");
    server.shared.object.lock().expect("no panic").truncate(7999);
    let changed = fault(&source);
    assert!(changed.to_string().contains("7999 bytes, not 8000"), "{changed}");
}

#[test]
fn addresses_that_cannot_be_opened_say_why() {
    let server = Server::new(doubles(10));
    let wrong = |address: &str| match StoreSource::open(address) {
        Err(error) => error.to_string(),
        Ok(_) => panic!("{address} opens"),
    };
    assert!(wrong("no address").contains("`no address` cannot be opened"));
    assert!(wrong("ftp://a/b").contains("there is no store for `ftp:`"));
    assert!(wrong(&format!("{}?a=b", server.address)).contains("cannot be read in ranges"));
    assert!(wrong("s3://bucket/key").contains("without the feature `store-aws`"));
    let folder = tempfile::tempdir().expect("a folder");
    let missing = format!("file://{}/none.bd", folder.path().display());
    assert!(wrong(&missing).starts_with("cannot read `file://"));
    // Nobody listens there any more.
    let closed = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port");
    let closed = format!("http://{closed}/a.bd");
    let error = StoreOptions::new().retries(0).url(&closed).expect_err("no server");
    assert!(matches!(error, Error::Store { .. }), "{error}");
    // As a file that is not there, and a bad name.
    assert_eq!(error.group(), Group::File);
    assert_eq!(StoreSource::open("ftp://a/b").expect_err("no store").group(), Group::BadValue);
}

fn check(stream: &Stream) {
    let x = stream.select("/x[::100, 1]").expect("there").read::<f64>().expect("served");
    assert_eq!(x.as_slice(), Some(&[1.0, 1001.0, 2001.0, 3001.0, 4001.0][..]));
    let all = stream.get("/x").and_then(|x| x.read::<f64>()).expect("served");
    assert!(all.iter().enumerate().all(|(at, value)| *value == at as f64));
    assert!(matches!(stream.get("/y").and_then(|y| y.read::<f64>()), Err(Error::Truncated { .. })));
}

#[test]
fn memory_and_folders_are_stores_too() {
    let open = || Open::new().layout_text("x = f8[500, 10]  y = f8[2]").expect("a layout").raw();
    let memory = Arc::new(InMemory::new());
    let (store, bytes) = (memory.clone(), doubles(5001));
    let put = |bytes: Vec<u8>| {
        let path = Path::from("a/b.bd");
        let mut put = std::pin::pin!(store.put(&path, bytes.into()));
        // Memory has nothing to wait for.
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(matches!(put.as_mut().poll(&mut context), std::task::Poll::Ready(Ok(_))));
    };
    put(bytes.clone());
    let object = |options: StoreOptions| options.object(memory.clone(), "a/b.bd").expect("there");
    check(&open().source(object(StoreOptions::new())).expect("a stream"));
    check(&open().source(object(StoreOptions::new().cache(0).request(999))).expect("a stream"));
    let before = object(StoreOptions::new().cache(0));
    put(bytes.clone());
    let error = before.read_at(0, &mut [0; 8]).expect_err("another object");
    let changed = |fault: &StoreFault| matches!(fault, StoreFault::Changed { .. });
    assert!(matches!(&error, Error::Store { fault, .. } if changed(fault)), "{error}");
    assert!(StoreOptions::new().object(memory.clone(), "a/c.bd").is_err());

    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("b.bd"), &bytes).expect("space");
    let local: Arc<dyn ObjectStore> =
        Arc::new(LocalFileSystem::new_with_prefix(folder.path()).expect("a folder"));
    check(
        &open().source(StoreOptions::new().object(local, "b.bd").expect("there")).expect("opens"),
    );
    let address = format!("file://{}", folder.path().join("b.bd").display());
    check(&open().source(StoreSource::open(&address).expect("there")).expect("a stream"));
}
