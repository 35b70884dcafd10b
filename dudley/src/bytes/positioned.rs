//! Files read and written by position, on each operating system; and how they are opened.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// The most bytes that one call of the system writes: what else wants the file, such as who removes it when a signal
/// ends the program, waits for one call.
const AT_ONCE: usize = 16 << 20;

/// Opens what must be a file, to read or as `options` say. A pipe is not waited for, nor a device asked.
///
/// # Errors
/// If the operating system refuses, or it is something else.
pub(crate) fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    Ok(measured(path, options)?.0)
}

/// As [`open`], with the length of the file in bytes.
pub(crate) fn measured(path: &Path, options: &mut OpenOptions) -> io::Result<(File, u64)> {
    #[cfg(target_os = "linux")]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK);
    #[cfg(not(target_os = "linux"))]
    if let Ok(found) = std::fs::metadata(path) {
        check_kind(&found)?;
    }
    let file = options.open(path)?;
    let found = file.metadata()?;
    check_kind(&found)?;
    Ok((file, found.len()))
}

/// Checks that something is a file: nothing else can be read by position.
fn check_kind(found: &std::fs::Metadata) -> io::Result<()> {
    match found.file_type() {
        kind if kind.is_file() => Ok(()),
        #[cfg(target_os = "linux")]
        kind if kind.is_dir() => Err(io::Error::from_raw_os_error(libc::EISDIR)),
        #[cfg(not(target_os = "linux"))]
        kind if kind.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        _ => Err(no_file()),
    }
}

/// What is wrong with a pipe or a device where there must be a file.
pub(crate) fn no_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is no file")
}

/// A file without a position of its own.
#[derive(Debug)]
pub(crate) struct Positioned {
    file: File,
    /// Where there are no positioned reads, a read moves the position and needs the file alone.
    #[cfg(not(any(unix, windows)))]
    alone: std::sync::Mutex<()>,
}

impl Positioned {
    pub(crate) fn new(file: File) -> Positioned {
        Positioned {
            file,
            #[cfg(not(any(unix, windows)))]
            alone: std::sync::Mutex::new(()),
        }
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    /// Fills `buf` from `address` on as far as the file goes; the number of bytes read.
    pub(crate) fn read_at(&self, address: u64, buf: &mut [u8]) -> io::Result<usize> {
        let mut done = 0;
        while done < buf.len() {
            match self.read_some(address + done as u64, &mut buf[done..]) {
                Ok(0) => break,
                Ok(n) => done += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(done)
    }

    /// Where the first byte stands from `address` on that somebody wrote: `u64::MAX` if there is none, `None` where
    /// the system does not tell.
    pub(crate) fn data_from(&self, address: u64) -> Option<u64> {
        // This moves the position of the file, which no read here asks for.
        #[cfg(any(target_os = "linux", target_os = "android"))]
        return match rustix::fs::seek(&self.file, rustix::fs::SeekFrom::Data(address)) {
            Err(rustix::io::Errno::NXIO) => Some(u64::MAX),
            found => found.ok(),
        };
        #[cfg(not(any(target_os = "linux", target_os = "android")))]
        {
            let _ = address;
            None
        }
    }

    /// Writes all of `bytes` from `address` on.
    pub(crate) fn write_at(&self, address: u64, bytes: &[u8]) -> io::Result<()> {
        let mut done = 0;
        while done < bytes.len() {
            let more = &bytes[done..];
            match self.write_some(address + done as u64, &more[..more.len().min(AT_ONCE)]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(n) => done += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

#[cfg(unix)]
impl Positioned {
    fn read_some(&self, address: u64, buf: &mut [u8]) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(&self.file, buf, address)
    }

    fn write_some(&self, address: u64, bytes: &[u8]) -> io::Result<usize> {
        std::os::unix::fs::FileExt::write_at(&self.file, bytes, address)
    }
}

#[cfg(windows)]
impl Positioned {
    fn read_some(&self, address: u64, buf: &mut [u8]) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(&self.file, buf, address)
    }

    fn write_some(&self, address: u64, bytes: &[u8]) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_write(&self.file, bytes, address)
    }
}

#[cfg(not(any(unix, windows)))]
impl Positioned {
    fn read_some(&self, address: u64, buf: &mut [u8]) -> io::Result<usize> {
        use io::{Read, Seek};
        let _alone = self.alone.lock();
        (&self.file).seek(io::SeekFrom::Start(address))?;
        (&self.file).read(buf)
    }

    fn write_some(&self, address: u64, bytes: &[u8]) -> io::Result<usize> {
        use io::{Seek, Write};
        let _alone = self.alone.lock();
        (&self.file).seek(io::SeekFrom::Start(address))?;
        (&self.file).write(bytes)
    }
}
