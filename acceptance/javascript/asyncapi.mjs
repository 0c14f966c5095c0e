// Validates an AsyncAPI document with AsyncAPI's own parser: node asyncapi.mjs FILE
import { readFile } from 'node:fs/promises';
import { Parser } from '@asyncapi/parser';

const [file] = process.argv.slice(2);
const { document, diagnostics } = await new Parser().parse(await readFile(file, 'utf8'));
const errors = diagnostics.filter(({ severity }) => severity === 0);
for (const { message, path } of errors) {
  console.error(`${file}: ${path.join('.')}: ${message}`);
}
if (errors.length > 0 || !document) {
  process.exit(1);
}
console.log(`${file}: valid AsyncAPI ${document.version()}, ${document.channels().length} channels, `
  + `${document.operations().length} operations`);
