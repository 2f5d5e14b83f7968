// One JSON line in, `{"text": …}`; one out, `[[start, end, replacement, kind], …]` in code points, first suggestions only.
// Started as `node harper_worker.mjs FOLDER`, where FOLDER holds node_modules.
import { createInterface } from 'node:readline';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const dist = join(resolve(process.argv[2]), 'node_modules', 'harper.js', 'dist');
const load = (name) => import(pathToFileURL(join(dist, name)).href);
const { LocalLinter, Dialect, SuggestionKind } = await load('index.js');
const { binaryInlined } = await load('binaryInlined.js');
const linter = new LocalLinter({ binary: binaryInlined, dialect: Dialect.American });
await linter.setup();

const points = (text) => Array.from(text).length; // Harper counts UTF-16 units

// Harper keeps the forms of an irregular verb in a hash set: *spoke, spoken* in one linter, *spoken, spoke* in another.
// A gap must not hang on that, so the shortest comes first (mostly the preterite), then the alphabet decides.
const text = (suggestion) => suggestion.get_replacement_text();
const ordered = (lint) => lint.message().startsWith('Use the irregular form')
  ? lint.suggestions().sort((a, b) => text(a).length - text(b).length || (text(a) < text(b) ? -1 : 1))
  : lint.suggestions();

for await (const line of createInterface({ input: process.stdin })) {
  const { text: prose } = JSON.parse(line);
  const found = [];
  for (const lint of await linter.lint(prose, { language: 'plaintext' })) {
    const [suggestion] = ordered(lint);
    if (!suggestion) continue;
    const { start, end } = lint.span();
    const inserts = suggestion.kind() === SuggestionKind.InsertAfter;
    const from = points(prose.slice(0, inserts ? end : start));
    found.push([from, points(prose.slice(0, end)), text(suggestion), lint.lint_kind()]);
  }
  process.stdout.write(JSON.stringify(found) + '\n');
}
