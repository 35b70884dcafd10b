// Carries out the operations of a layout: nothing else is known of it here. An operation is a list,
// its code first; `results[n]` is what operation n comes to, a BigInt, or null where a number is
// illegal or missing. All is checked within 63 bits.

const LIMIT = 2n ** 63n - 1n;

const within = value => (value >= -LIMIT - 1n && value <= LIMIT ? value : null);
const natural = value => (value !== null && value >= 0n && value <= LIMIT ? value : null);
const alignUp = (value, to) => natural(((value + to - 1n) / to) * to);

function product(dims, element, results) {
  let count = 1n;
  for (const dim of dims) {
    const value = results[dim];
    if (value === null) return null;
    if (value !== -1n) count *= value;
  }
  if (count === 0n) return 0n;
  const bytes = natural(results[element]);
  return bytes === null ? null : natural(count * bytes);
}

function repeated(index, first, second, third) {
  if (index === null) return null;
  // The second may lie at an address of its own, wherever the first is.
  if (index === 0n) return first;
  if (second === null) return null;
  if (index === 1n) return second;
  if (third === null) return null;
  const stride = third > second ? third - second : 0n;
  return natural(second + (index - 1n) * stride);
}

// One operation; `params` are BigInts or null, `indices` the numbers of repetitions.
function operate(op, results, params, indices) {
  switch (op[0]) {
    case 0:
      return BigInt(op[1]);
    case 2: {
      const value = params[op[1]];
      return value === null || value === undefined || value < -1n ? null : within(value);
    }
    case 3:
      return indices[op[1]] ?? null;
    case 4: {
      let total = 0n;
      for (const node of op[1]) {
        if (results[node] === null) return null;
        total += results[node];
      }
      for (const node of op[2]) {
        if (results[node] === null) return null;
        total -= results[node];
      }
      return within(total);
    }
    case 5: {
      const value = results[op[1]];
      if (value === null || value === 0n || value === -1n) return value;
      return natural(value + BigInt(op[2]));
    }
    case 6:
      return natural(results[op[1]]);
    case 7:
      return product(op[1], op[2], results);
    case 8: {
      const cursor = natural(results[op[1]]);
      const bytes = natural(results[op[3]]);
      if (cursor === null || bytes === null) return null;
      return bytes === 0n ? cursor : alignUp(cursor, BigInt(op[2]));
    }
    case 9: {
      const a = natural(results[op[1]]);
      const b = natural(results[op[2]]);
      return a === null || b === null ? null : natural(a + b);
    }
    case 10: {
      let greatest = 0n;
      for (const node of op[1]) {
        if (results[node] === null) return null;
        if (results[node] > greatest) greatest = results[node];
      }
      return greatest;
    }
    case 11: {
      const bytes = results[op[1]];
      return bytes === null || bytes === 0n ? bytes : results[op[2]];
    }
    case 12:
      return repeated(
        natural(results[op[1]]), natural(results[op[2]]), natural(results[op[3]]),
        natural(results[op[4]]));
    case 14:
    case 15: {
      const a = results[op[1]];
      const b = results[op[2]];
      if (a === null || b === null) return null;
      if (op[0] === 14) return within(a * b);
      return b === 0n || a % b !== 0n ? null : within(a / b);
    }
    default:
      return null;
  }
}

function evaluate(ops, params, indices) {
  const results = new Array(ops.length);
  for (let at = 0; at < ops.length; at++) {
    results[at] = operate(ops[at], results, params, indices);
  }
  return results;
}

// The operations that an operation takes the results of.
function operands(op) {
  switch (op[0]) {
    case 4:
      return [...op[1], ...op[2]];
    case 5:
    case 6:
      return [op[1]];
    case 7:
      return [...op[1], op[2]];
    case 8:
      return [op[1], op[3]];
    case 9:
    case 11:
    case 14:
    case 15:
      return [op[1], op[2]];
    case 10:
      return op[1];
    case 12:
      return op.slice(1);
    default:
      return [];
  }
}

// Which results are none since only a stream tells them: what else is wrong with them is not known.
function unknownOf(ops, results) {
  const unknown = new Array(ops.length).fill(false);
  if (!ops.some(op => op[0] === 13)) return unknown;
  ops.forEach((op, at) => {
    unknown[at] = results[at] === null && (op[0] === 13 || needed(op, results).some(node => unknown[node]));
  });
  return unknown;
}

// The operations that an operation takes the results of, as they are.
function needed(op, results) {
  if (op[0] !== 12) return operands(op);
  const [, index, first, second, third] = op;
  if (results[index] === null) return [index];
  return results[index] === 0n ? [first] : results[index] === 1n ? [second] : [second, third];
}

// Which operations come to something else in another repetition.
function movingOf(ops) {
  const moving = new Array(ops.length);
  ops.forEach((op, at) => {
    moving[at] = op[0] === 3 || operands(op).some(node => moving[node]);
  });
  return moving;
}

// What single operations come to in other repetitions than those of `results`: no more is carried out than they
// need.
function elsewhere(ops, moving, params, results, indices) {
  // What does not move is as it was.
  const found = Object.create(results);
  const done = new Set();
  return node => {
    const open = [node];
    while (open.length) {
      const at = open[open.length - 1];
      const needed = moving[at] && !done.has(at) ? operands(ops[at]).filter(one => moving[one] && !done.has(one)) : null;
      if (needed && needed.length) {
        for (const one of needed) open.push(one);
        continue;
      }
      if (needed) {
        found[at] = operate(ops[at], found, params, indices);
        done.add(at);
      }
      open.pop();
    }
    return found[node];
  };
}

if (typeof module !== "undefined") module.exports = { evaluate, unknownOf, movingOf, elsewhere };
