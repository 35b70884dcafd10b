// What the script of a page computes, for many layouts: reads JSON lines of {data, params, indices},
// writes for each a line with all results, "?" for those that only a stream tells.

const path = require("node:path");
const readline = require("node:readline");
const { elsewhere, evaluate, movingOf, unknownOf } = require(path.resolve(process.argv[2]));

readline.createInterface({ input: process.stdin }).on("line", line => {
  const { ops, params, indices } = JSON.parse(line);
  const big = value => (value === null ? null : BigInt(value));
  const results = evaluate(ops, params.map(big), indices.map(big));
  // Single operations come to the same, from the results of the first repetitions.
  const first = evaluate(ops, params.map(big), indices.map(() => 0n));
  const valueOf = elsewhere(ops, movingOf(ops), params.map(big), first, indices.map(big));
  for (let at = ops.length - 1; at >= 0; at--) {
    if (valueOf(at) !== results[at]) throw new Error(`operation ${at}: ${valueOf(at)}, not ${results[at]}`);
  }
  const unknown = unknownOf(ops, results);
  console.log(JSON.stringify(results.map((value, at) => (unknown[at] ? "?" : value === null ? null : value.toString()))));
});
