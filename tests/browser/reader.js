// What the reader of pages answers outside of a browser: reads JSON lines of {file, requests}, writes for each
// a line with all answers, and how many bytes were read. `reader.js READER.JS`.

const fs = require("node:fs");
const readline = require("node:readline");
const zlib = require("node:zlib");

const packed = /DUDLEY_READER = "([^"]*)"/.exec(fs.readFileSync(process.argv[2], "utf8"))[1];
const program = new WebAssembly.Module(zlib.gunzipSync(Buffer.from(packed, "base64")));

function answers(file, requests) {
  const descriptor = fs.openSync(file);
  let read = 0;
  let wasm = null;
  const page = {
    length: () => BigInt(fs.fstatSync(descriptor).size),
    read(address, into, count) {
      read += count;
      return fs.readSync(descriptor, new Uint8Array(wasm.memory.buffer), into >>> 0, count, address);
    },
    progress() {},
  };
  wasm = new WebAssembly.Instance(program, { page }).exports;
  const all = requests.map(request => {
    const text = Buffer.from(JSON.stringify(request));
    const room = wasm.room(text.length) >>> 0;
    Buffer.from(wasm.memory.buffer).set(text, room);
    const length = wasm.call() >>> 0;
    return Buffer.from(wasm.memory.buffer, wasm.answer() >>> 0, length).toString("utf8");
  });
  fs.closeSync(descriptor);
  return { answers: all, read };
}

readline.createInterface({ input: process.stdin }).on("line", line => {
  const { file, requests } = JSON.parse(line);
  console.log(JSON.stringify(answers(file, requests)));
});
