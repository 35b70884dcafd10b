// Files dropped on pages: `files.js CHROMIUM FOLDER PICTURES`, the folder holding the sites and files that
// tests/tests/doc/files.rs makes. Ends with an error that says what is not as it should be.

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { Browser } = require("./browser.js");

const [chromium, folder, pictures] = process.argv.slice(2);
const url = (site, page = "index.html") => pathToFileURL(path.join(folder, site, page)).href;
const text = selector => `document.querySelector(${JSON.stringify(selector)})?.textContent`;

// Chooses a file, as one does in the dialogue of the browser.
async function choose(browser, name) {
  const { root } = await browser.send("DOM.getDocument");
  const { nodeId } = await browser.send("DOM.querySelector", { nodeId: root.nodeId, selector: "#file-field" });
  await browser.send("DOM.setFileInputFiles", { nodeId, files: [path.join(folder, name)] });
  await shown(browser, name);
}

// All that happens by itself is done.
async function shown(browser, name) {
  await browser.until(`${text("#file h2 bdi")} === ${JSON.stringify(name)} && page.file.done`);
}

// A browser that is busy may take what is dropped for something that was only dragged over the page.
async function drop(browser, name) {
  const data = { items: [], files: [path.join(folder, name)], dragOperationsMask: 1 };
  const taken = `${text("#file h2 bdi")} === ${JSON.stringify(name)}`;
  let tries = 0;
  do {
    for (const type of ["dragEnter", "dragOver", "drop"]) {
      await browser.send("Input.dispatchDragEvent", { type, x: 640, y: 400, data });
    }
  } while (!(await browser.soon(taken, 5)) && ++tries < 5);
  await shown(browser, name);
}

const row = name => `[...document.querySelectorAll(".found tr")].find(tr => tr.querySelector(".path")?.textContent === ${JSON.stringify(name)})`;
const value = name => `${row(name)}?.querySelector(".value").textContent`;

async function fields(browser) {
  await browser.open(url("blast"));
  await choose(browser, "blast.bd");
  assert.match(await browser.run(text("#file .facts")), /native streamlittle-endianlayout at/);
  assert.match(await browser.run(text("#file .values")), /IMAX = 5.*JMAX = 4.*NREC = 3/);
  assert.match(await browser.run(value("/time")), /^1\.5/);
  assert.match(await browser.run(value("/title")), /^"a blast"/);
  assert.match(await browser.run(value("/r")), /^\[0\.0, 1\.0, 2\.0, 3\.0, 4\.0, …\] 0\.0 … 19\.0, mean 9\.5/);
  assert.match(await browser.run(value("/history[:]/energy")), /^\[10\.0, 20\.0, 30\.0\]/);
  // The page has the params of the file: z is behind r, which has 4*5 numbers from 80 on.
  assert.equal(await browser.run("document.querySelector('[data-param=\"0\"]').value"), "5");
  const address = "document.getElementById('/z').querySelector('[data-label=address] span').textContent";
  assert.equal(await browser.run(address), "240");
  assert.equal(await browser.run(`${row("/history[:]/t")}.querySelector("a").getAttribute("href")`), "#/history/~5b.i~5d./t");
}

async function bytes(browser) {
  // From an item to its bytes, and from a byte to its item.
  await browser.run(`${row("/z")}.querySelector(".at").click()`);
  await browser.until(`/\\/z\\[0, 0\\].* = 0\\.5/.test(${text(".hex-info")})`);
  assert.equal(await browser.run("document.querySelectorAll('.hex-line > .lit').length"), 8);
  assert.ok(await browser.run(`${row("/z")}.classList.contains("picked")`));
  await browser.run("document.querySelector('.hex-line > [data-at=\"250\"]').click()");
  await browser.until(`/\\/z\\[0, 1\\]/.test(${text(".hex-info")})`);
  await browser.run("document.querySelector('.hex').focus()");
  await browser.send("Input.dispatchKeyEvent", { type: "keyDown", key: "ArrowUp", code: "ArrowUp", windowsVirtualKeyCode: 38 });
  await browser.until(`/\\/r\\[3, 4\\].* = 19\\.0/.test(${text(".hex-info")})`);
  const field = "document.querySelector('.hex-view input')";
  await browser.run(`${field}.value = "0x2"; ${field}.dispatchEvent(new Event("change"))`);
  await browser.until(`/signature/.test(${text(".hex-info")})`);
  // Between the records there is padding; the last number of the last one is found.
  await browser.run("page.file.hex.go(518, 518)");
  await browser.until(`/in no item/.test(${text(".hex-info")})`);
  await browser.run("page.file.hex.go(page.file.found.layout - 3, page.file.found.layout - 3)");
  await browser.until(`/\\/history\\/2\\/front.* = 2\\.5.*cm/.test(${text(".hex-info")})`);
}

// Numbers are drawn: a line for one dimension, an image for two, with axes and units.
async function plots(browser) {
  const plot = name => `${row(name)}.nextElementSibling`;
  const button = name => `[...${row(name)}.querySelectorAll("button")].find(button => button.textContent === "plot")`;
  for (const [name, words, label] of [
    ["/history[:]/energy", /^\/history\[:\]\/energy \(J\)$/, /10 to 30$/],
    ["/r", /^\/r \(cm\)$/, /0 to 19$/],
  ]) {
    await browser.run(`${button(name)}.click()`);
    await browser.until(`${plot(name)}?.querySelector("canvas[aria-label]")`);
    assert.match(await browser.run(`${plot(name)}.querySelector(".hint").textContent`), words);
    assert.match(await browser.run(`${plot(name)}.querySelector("canvas").getAttribute("aria-label")`), label);
    const colours = await browser.run(`(() => {
      const canvas = ${plot(name)}.querySelector("canvas");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    })()`);
    assert.ok(colours > 5, `${name}: ${colours} colours`);
  }
  // What the pointer is on.
  await browser.run(`(() => {
    const canvas = ${plot("/r")}.querySelector("canvas");
    const box = canvas.getBoundingClientRect();
    const at = { clientX: box.left + 80 * box.width / 640, clientY: box.top + 15 * box.width / 640 };
    canvas.dispatchEvent(new PointerEvent("pointermove", at));
  })()`);
  assert.match(await browser.run(`${plot("/r")}.querySelector(".hint").textContent`), /; \[0, 0\] = 0$/);
  if (pictures) await browser.picture(path.join(pictures, "plots.png"));
  for (const name of ["/history[:]/energy", "/r"]) await browser.run(`${button(name)}.click()`);
  assert.equal(await browser.run("document.querySelectorAll('tr.plot').length"), 0);
}

// Of a large file only ranges are read, until one asks for all of it.
async function large(browser) {
  await drop(browser, "large.bd");
  assert.match(await browser.run(text("#file .hint")), /another/);
  assert.match(await browser.run(value("/after")), /^\[7\.0\]/);
  const read = "page.file.reader.read.bytes";
  assert.ok((await browser.run(read)) < 100000, String(await browser.run(read)));
  await browser.run("page.file.hex.go(page.file.found.layout - 8, page.file.found.layout - 8)");
  await browser.until(`/\\/after\\[0\\] .* = 7/.test(${text(".hex-info")})`);
  assert.ok((await browser.run(read)) < 110000, String(await browser.run(read)));
  await browser.run(`${row("/big")}.querySelector(".numbers").click()`);
  await browser.until(`/-3\.0 … 9\.0/.test(${value("/big")})`);
  assert.ok((await browser.run(read)) > 40e6);
  // The layout of the page is another, and is taken if one says so.
  await browser.run("document.querySelector('#file .hint button').click()");
  await shown(browser, "large.bd");
  assert.ok(await browser.run(`${row("/rho")} !== undefined`));
}

async function broken(browser) {
  await choose(browser, "cut.bd");
  assert.match(await browser.run(text(".notes")), /layout/);
  assert.match(await browser.run(value("/r")), /^\[0\.0, 1\.0/);
  // What is cut off begins, and says once how many bytes of it are wanted.
  assert.match(await browser.run(value("/z")), /^\[0\.5, 1\.5, .*`\/z`: 160 bytes are needed at address 240, but the stream has 60/);
  assert.doesNotMatch(await browser.run(text(".notes")), /bytes are needed/);
  assert.match(await browser.run(value("/rho")), /bytes are needed at/);
  await choose(browser, "damaged.bd");
  assert.match(await browser.run(text(".notes")), /signature|byte/);
  assert.match(await browser.run(text(".hex")), /8d/);
  await choose(browser, "noise.bd");
  assert.match(await browser.run(text(".notes")), /no signature/);
  await choose(browser, "empty.bd");
  assert.match(await browser.run(text(".notes")), /./);
  // With its own layout wrong, that of the page is taken.
  await choose(browser, "wrong.bd");
  assert.match(await browser.run(text(".notes")), /f9/);
  assert.match(await browser.run(value("/time")), /^1\.5/);
}

async function hostile(browser) {
  await browser.open(url("hostile"));
  await choose(browser, "hostile.bd");
  const seen = await browser.run("document.getElementById('file').innerText");
  assert.ok(seen.includes("<script>alert(1)</script>") || seen.includes("<img src=x"), seen);
  assert.ok(!/[\u0000-\u0008\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(seen));
  assert.equal(await browser.run("document.querySelectorAll('#file img, #file script, #file b').length"), 0);
  for (const at of [16, 17, 100, 40, 60]) await browser.run(`page.file.hex.go(${at}, ${at})`);
  assert.equal(await browser.run("document.querySelectorAll('img').length"), 0);
}

// What does not have a page of its own: raw streams of either order; many rows; a page without the reader.
async function others(browser) {
  await browser.open(url("raw"));
  await choose(browser, "raw.dat");
  assert.match(await browser.run(value("/x")), /^\[258, 3\]/);
  await browser.open(url("many"));
  await choose(browser, "many.bd");
  assert.match(await browser.run(value("/g/v298")), /^\[298\.0/);
  const field = "document.querySelector('#file > input')";
  await browser.run(`${field}.value = "v1799"; ${field}.dispatchEvent(new Event("input"))`);
  await browser.until(`/^\\[1799\\.0/.test(${value("/g/v1799")})`);
  assert.deepEqual(browser.errors, []);
  await browser.open(url("alone"));
  await choose(browser, "blast.bd");
  assert.match(await browser.run(text(".notes")), /reader\.js.*dudc doc/);
  // That the file is not there is said on the console, too.
  browser.errors = browser.errors.filter(error => !/ERR_FILE_NOT_FOUND/.test(error));
}

async function look(browser) {
  for (const [name, width, height, dark] of [["light", 1280, 1100, false], ["dark", 1280, 1100, true], ["phone", 390, 1500, false]]) {
    await browser.size(width, height, dark, width < 500);
    await browser.open(url("blast"));
    await choose(browser, "blast.bd");
    await browser.run("page.file.hex.go(240, 240)");
    const wide = await browser.run("document.documentElement.scrollWidth");
    assert.ok(wide <= width, `the page is ${wide} pixels wide on a screen of ${width}`);
    await browser.run("document.documentElement.style.scrollBehavior = 'auto'; page.file.section.scrollIntoView()");
    if (pictures) await browser.picture(path.join(pictures, `file-${name}.png`));
  }
}

(async () => {
  const browser = new Browser(chromium);
  try {
    await browser.start();
    await browser.send("DOM.enable");
    await browser.size(1280, 900);
    for (const one of [fields, bytes, plots, large, broken, hostile, others, look]) await one(browser);
    assert.deepEqual(browser.errors, []);
  } finally {
    await browser.close();
  }
})().catch(error => {
  console.error(error);
  process.exitCode = 1;
});
