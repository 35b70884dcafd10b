// What the script of a page computes, for many layouts: reads JSON lines of {data, params, indices},
// writes for each a line with all results.

const path = require("node:path");
const readline = require("node:readline");
const { evaluate } = require(path.resolve(process.argv[2]));

readline.createInterface({ input: process.stdin }).on("line", line => {
  const { ops, params, indices } = JSON.parse(line);
  const big = value => (value === null ? null : BigInt(value));
  const results = evaluate(ops, params.map(big), indices.map(big));
  console.log(JSON.stringify(results.map(value => (value === null ? null : value.toString()))));
});
