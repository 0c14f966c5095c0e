// Runs the programs of a Markdown page, and then programs that import them: pages.mjs KAFKA REGISTRY API PAGE
// PROGRAM...
//
// A block after "<!-- file: NAME -->" is written to that file. The commands of a block "console" run in the order of
// the page, and must print what the block shows. The programs must succeed, and their output is shown. Addresses in
// both become those of the arguments. Blocks of other languages, and of Python, are not run.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const TIMEOUT_MS = 120_000;
const RETRY_MS = 1_000;
const run = promisify(execFile);
const [kafka, registry, api, page, ...programs] = process.argv.slice(2);

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

const output = (command, directory) => run('bash', ['-c', command], { cwd: directory, timeout: TIMEOUT_MS })
  .then(({ stdout }) => ({ text: stdout, failed: false }),
    ({ stdout, stderr, message }) => ({ text: `${stdout}${stderr}${message}`, failed: true }));

/** Runs a command until its output is accepted, if it reads topics: verdicts follow messages after a moment. */
async function check(command, directory, reads, accepts) {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const actual = await output(command, directory);
    if (accepts(actual)) {
      return actual.text;
    }
    if (Date.now() > deadline || !reads) {
      throw new Error(`$ ${command}\nprinted:\n${actual.text}`);
    }
    await new Promise((next) => setTimeout(next, RETRY_MS));
  }
}

const directory = await mkdtemp(join(resolve('target'), 'pages-'));
try {
  await symlink(resolve('node_modules'), join(directory, 'node_modules'));
  let commands = 0;
  for (const { language, file, lines } of blocks(await readFile(page, 'utf8'))) {
    if (file) {
      await writeFile(join(directory, file), here(lines.join('\n') + '\n'));
    } else if (language === 'console' && lines[0].startsWith('$ node ')) {
      const command = lines[0].slice(2);
      const expected = lines.slice(1).join('\n').trimEnd();
      await check(command, directory, command.includes('verdicts'), ({ text }) => text.trimEnd() === expected);
      commands++;
    }
  }
  if (commands === 0) {
    throw new Error(`${page} has no command to run`);
  }
  console.log(`${page}: ${commands} commands print what the page shows`);
  for (const program of programs) {
    const name = basename(program);
    await writeFile(join(directory, name), here(await readFile(program, 'utf8')));
    console.log(`${name}: ${(await check(`node ${name}`, directory, true, ({ failed }) => !failed)).trimEnd()}`);
  }
} finally {
  await rm(directory, { recursive: true });
}
