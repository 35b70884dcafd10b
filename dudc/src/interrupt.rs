//! Signals that end the program: unfinished files are removed first.

/// From now on Ctrl-C, `kill` and the end of a terminal leave no temporary files behind. The program ends by the
/// signal then, as it would without this. Signals that were ignored when it began stay so, as `nohup` and shells
/// want it.
#[cfg(unix)]
pub(crate) fn leave_nothing() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    let signals = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| !is_ignored(*signal));
    // Without it signals still end the program, and the next writer of a file removes the unfinished one.
    let Ok(mut signals) = Signals::new(signals) else { return };
    let wait = move || {
        for signal in signals.forever() {
            dudley::bytes::remove_unfinished();
            crate::scratch::remove_all();
            let _ = emulate_default_handler(signal);
        }
    };
    let _ = std::thread::Builder::new().name("signals".into()).spawn(wait);
}

#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action nothing changes, and the present one is written to memory that is there for it.
    // A zeroed one is one, too, if it is not.
    let action = unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
        action.assume_init()
    };
    action.sa_sigaction == libc::SIG_IGN
}

/// On other systems the next writer of a file removes the unfinished one.
#[cfg(not(unix))]
pub(crate) fn leave_nothing() {}
