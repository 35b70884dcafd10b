// A file that is looked at: a worker reads it through the WebAssembly of `reader.js`, and answers. Only
// the ranges that are asked for are read.

// Runs in the worker, which knows nothing else of the page.
function readerWorker() {
  const files = new FileReaderSync();
  const read = { requests: 0, bytes: 0, failed: null };
  let file = null;
  let wasm = null;
  const page = {
    length: () => BigInt(file.size),
    read(address, into, count) {
      const from = Number(address);
      try {
        const bytes = new Uint8Array(files.readAsArrayBuffer(file.slice(from, from + count)));
        new Uint8Array(wasm.memory.buffer).set(bytes, into >>> 0);
        read.requests += 1;
        read.bytes += bytes.length;
        return bytes.length;
      } catch (error) {
        read.failed = error.message;
        return 0;
      }
    },
    progress: bytes => postMessage({ progress: Number(bytes) }),
  };
  const ask = request => {
    const text = new TextEncoder().encode(JSON.stringify(request));
    const room = wasm.room(text.length) >>> 0;
    new Uint8Array(wasm.memory.buffer).set(text, room);
    const length = wasm.call() >>> 0;
    const answer = new Uint8Array(wasm.memory.buffer, wasm.answer() >>> 0, length);
    return JSON.parse(new TextDecoder().decode(answer));
  };
  onmessage = async ({ data }) => {
    try {
      if (data.module) {
        file = data.file;
        wasm = (await WebAssembly.instantiate(data.module, { page })).exports;
      }
      postMessage({ id: data.id, answer: ask(data.request), read });
    } catch (error) {
      postMessage({ id: data.id, failed: String(error), read });
    }
  };
}

const reader = { module: null };

// The reader is a file beside the page, which is loaded when it is needed: a script, since a page that
// was opened from a disk may load nothing else.
function readerModule() {
  reader.module ??= new Promise((done, fail) => {
    const script = html("script", { src: "reader.js" });
    script.onload = done;
    script.onerror = () => fail(new Error("reader.js, which reads streams, is not beside this page; dudc doc writes it."));
    document.head.append(script);
  }).then(async () => {
    const packed = Uint8Array.from(atob(window.DUDLEY_READER), letter => letter.charCodeAt(0));
    const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(bytes).arrayBuffer());
  });
  reader.module.catch(() => { reader.module = null; });
  return reader.module;
}

class Reader {
  constructor(file) {
    this.file = file;
    this.waiting = new Map();
    this.next = 0;
    this.ended = null;
    this.read = { requests: 0, bytes: 0, failed: null };
    this.progress = () => {};
  }

  // Starts a worker, and answers the first request.
  async open(request) {
    const module = await readerModule();
    // Closed while the module came: nobody would end the worker.
    if (this.ended) throw new Error(this.ended);
    const url = URL.createObjectURL(new Blob([`(${readerWorker})()`], { type: "text/javascript" }));
    this.worker = new Worker(url);
    this.worker.onmessage = ({ data }) => this.heard(data);
    this.worker.onerror = event => this.end(event.message || "the reader has failed");
    const answer = await this.ask(request, { module, file: this.file });
    URL.revokeObjectURL(url);
    return answer;
  }

  ask(request, more = {}) {
    const id = this.next++;
    return new Promise((done, fail) => {
      this.waiting.set(id, { done, fail });
      this.worker.postMessage({ id, request, ...more });
    });
  }

  heard({ id, answer, failed, read, progress }) {
    if (progress !== undefined) return void this.progress(progress);
    this.read = read;
    const { done, fail } = this.waiting.get(id) || {};
    this.waiting.delete(id);
    // After a trap nothing in the worker is what it was.
    if (failed) fail?.(new Error(failed));
    else done?.(answer);
  }

  end(why = "closed") {
    this.ended = why;
    this.worker?.terminate();
    for (const { fail } of this.waiting.values()) fail(new Error(why));
    this.waiting.clear();
  }
}
