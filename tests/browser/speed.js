// How long a reader waits: `speed.js CHROMIUM PAGE PARAM`. Prints two numbers of milliseconds, each the least of
// 20: from the opening of a page until it can be used, and from a change of a param until what is seen of it is
// drawn.

const { pathToFileURL } = require("node:url");
const { Browser } = require("./browser.js");

const [chromium, page, label] = process.argv.slice(2);
const RUNS = 20;

// Behind the next frame, when it was drawn.
const drawn = "new Promise(done => requestAnimationFrame(() => setTimeout(done)))";

const change = value => `(async () => {
  const param = page.data.params.findIndex(param => param.label === ${JSON.stringify(label)});
  const field = document.querySelector('[data-param="' + param + '"]');
  const began = performance.now();
  field.value = ${JSON.stringify(String(value))};
  field.dispatchEvent(new Event("input", { bubbles: true }));
  await ${drawn};
  return performance.now() - began;
})()`;

(async () => {
  const browser = new Browser(chromium);
  try {
    await browser.start();
    await browser.size(1280, 900);
    const source = `addEventListener("load", () => ${drawn}.then(() => window.usable = performance.now()))`;
    await browser.send("Page.addScriptToEvaluateOnNewDocument", { source });
    const opened = [], changed = [];
    for (let run = 0; run < RUNS; run++) {
      await browser.open(pathToFileURL(page).href);
      await browser.until("window.usable");
      opened.push(await browser.run("window.usable"));
      changed.push(await browser.run(change(run + 2)));
    }
    console.log(Math.min(...opened), Math.min(...changed));
  } finally {
    await browser.close();
  }
})().catch(error => {
  console.error(error);
  process.exitCode = 1;
});
