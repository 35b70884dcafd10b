// Which scopes does the TextMate grammar give to the words of layouts?
//
// `node tokens.js GRAMMAR FILE…` says which lines of the files have something illegal, something
// without a scope, or a primitive that is not marked as a type; `--show FILE` prints all tokens.

'use strict';
const fs = require('fs');
const path = require('path');
const oniguruma = require('vscode-oniguruma');
const textmate = require('vscode-textmate');

async function grammarOf(file) {
  const wasm = path.join(path.dirname(require.resolve('vscode-oniguruma')), 'onig.wasm');
  await oniguruma.loadWASM(fs.readFileSync(wasm).buffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(file, 'utf8'), file),
  });
  return registry.loadGrammar('source.dud');
}

function* tokens(grammar, text) {
  let state = textmate.INITIAL;
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  for (const [at, line] of lines.entries()) {
    const found = grammar.tokenizeLine(line, state);
    state = found.ruleStack;
    for (const token of found.tokens) {
      const word = line.slice(token.startIndex, token.endIndex);
      if (word.trim()) {
        yield { line: at + 1, word, scopes: token.scopes.slice(1) };
      }
    }
  }
}

function fault({ word, scopes }) {
  if (scopes.some((scope) => scope.startsWith('invalid'))) return 'illegal';
  if (scopes.length === 0) return 'without a scope';
  return null;
}

(async () => {
  const args = process.argv.slice(2);
  const show = args[0] === '--show';
  const [grammarFile, ...files] = show ? args.slice(1) : args;
  const grammar = await grammarOf(grammarFile);
  for (const file of files) {
    for (const token of tokens(grammar, fs.readFileSync(file, 'utf8'))) {
      if (show) {
        console.log(`${token.line}: ${token.word.trim()}  ${token.scopes.join(' ')}`);
      } else if (fault(token)) {
        console.log(`${file}:${token.line}: ${JSON.stringify(token.word)} is ${fault(token)}`);
      }
    }
  }
  if (!show) console.log(`${files.length} files`);
})();
