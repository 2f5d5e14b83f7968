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

for await (const line of createInterface({ input: process.stdin })) {
  const { text } = JSON.parse(line);
  const found = [];
  for (const lint of await linter.lint(text, { language: 'plaintext' })) {
    const [suggestion] = lint.suggestions();
    if (!suggestion) continue;
    const { start, end } = lint.span();
    const inserts = suggestion.kind() === SuggestionKind.InsertAfter;
    const from = points(text.slice(0, inserts ? end : start));
    found.push([from, points(text.slice(0, end)), suggestion.get_replacement_text(), lint.lint_kind()]);
  }
  process.stdout.write(JSON.stringify(found) + '\n');
}
