// Runs the programs of Markdown pages: pages.mjs KAFKA REGISTRY API PAGE...
//
// A block after "<!-- file: NAME -->" is written to that file. The commands of a block "console" run in the order of the
// page, and must print what the block shows. Addresses of the pages become those of the arguments. Blocks of other
// languages, and of Python, are not run.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const TIMEOUT_MS = 120_000;
const RETRY_MS = 1_000;
const run = promisify(execFile);
const [kafka, registry, api, ...pages] = process.argv.slice(2);

const here = (text) => text
  .replaceAll('http://127.0.0.1:8081', registry)
  .replaceAll('http://127.0.0.1:8080', api)
  .replaceAll('127.0.0.1:9092', kafka);

function blocks(text) {
  const found = [];
  const lines = text.split('\n');
  for (let i = 0; i < lines.length; i++) {
    if (lines[i].startsWith('```')) {
      const end = lines.indexOf('```', i + 1);
      const file = /^<!-- file: (\S+) -->$/.exec(lines[i - 1] ?? '')?.[1];
      found.push({ language: lines[i].slice(3), file, lines: lines.slice(i + 1, end) });
      i = end;
    }
  }
  return found;
}

/** The output of a command, which must become the expected one: verdicts follow messages after a moment. */
async function check(command, expected, directory) {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const actual = await run('bash', ['-c', command], { cwd: directory, timeout: TIMEOUT_MS })
      .then(({ stdout }) => stdout, ({ stdout, stderr, message }) => `${stdout}${stderr}${message}`);
    if (actual.trimEnd() === expected) {
      return;
    }
    if (Date.now() > deadline || !command.includes('verdicts') && !command.includes('topics')) {
      throw new Error(`$ ${command}\nprinted:\n${actual}\ninstead of:\n${expected}`);
    }
    await new Promise((next) => setTimeout(next, RETRY_MS));
  }
}

const directory = await mkdtemp(join(resolve('target'), 'pages-'));
try {
  await symlink(resolve('node_modules'), join(directory, 'node_modules'));
  for (const page of pages) {
    let commands = 0;
    for (const { language, file, lines } of blocks(await readFile(page, 'utf8'))) {
      if (file) {
        await writeFile(join(directory, file), here(lines.join('\n') + '\n'));
      } else if (language === 'console' && lines[0].startsWith('$ node ')) {
        await check(lines[0].slice(2), lines.slice(1).join('\n').trimEnd(), directory);
        commands++;
      }
    }
    if (commands === 0) {
      throw new Error(`${page} has no command to run`);
    }
    console.log(`${page}: ${commands} commands print what the page shows`);
  }
} finally {
  await rm(directory, { recursive: true });
}
