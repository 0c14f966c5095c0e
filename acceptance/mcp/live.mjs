// A whole Parley, with a broker, and parley tap before server-everything: node live.mjs
// - A session has the verdict ACCEPTED for each message, and a history of the server's tools.
// - A tap that is killed leaves a gap, which the next one records.
// - While broker and API are away, traffic passes; afterwards, the gap is in the audit, and the session continues.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as everything from './everything.mjs';
import { ENV, EVERYTHING, PARLEY, build } from './harness.mjs';

const work = mkdtempSync(join(tmpdir(), 'parley-live-'));
const state = join(work, 'state');
const tokenFile = join(work, 'token');
/** More than the buffer of the tap, which is 4 MB. */
const LARGE = 'x'.repeat(100_000);
const CALLS = 60;
let demo;
process.on('SIGTERM', () => process.exit(1));
process.on('exit', () => demo?.kill('SIGKILL'));

/** Starts a demo with the data of earlier ones, and stores its token; returns addresses of broker, registry and API. */
async function start([broker, registry, api]) {
  demo = spawn(PARLEY, ['demo', '--token', '--data', join(work, 'data'), '--set', `bootstrap.servers=${broker}`,
    '--set', `schema.registry.url=http://${registry}`, '--set', `http.port=${api.split(':')[1]}`],
  { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  await new Promise((resolve, reject) => {
    demo.stdout.on('data', (chunk) => {
      said += chunk;
      if (/^ *HTTP API .*\n/m.test(said) && /PARLEY_TOKEN=\S+\s/.test(said)) resolve();
    });
    demo.on('close', () => reject(new Error(`the demo has ended: ${said}`)));
  });
  writeFileSync(tokenFile, /PARLEY_TOKEN=(\S+)/.exec(said)[1]);
  return ['Kafka', 'Schema Registry', 'HTTP API']
    .map((name) => new RegExp(`^ *${name} *(?:http://)?([\\d.]+:\\d+)`, 'm').exec(said)[1]);
}

async function kill(process) {
  const ended = new Promise((resolve) => process.on('close', resolve));
  process.kill('SIGKILL');
  await ended;
}

/** Waits until a function returns something. */
async function eventually(what, get) {
  for (let tries = 0; tries < 600; tries++) {
    const found = await get();
    if (found) return found;
    await sleep(200);
  }
  throw new Error(`${what}: not within two minutes`);
}

try {
  build();
  const addresses = await start(['127.0.0.1:0', '127.0.0.1:0', '127.0.0.1:0']);
  const url = `http://${addresses[2]}`;
  const get = async (path) => {
    const response = await fetch(`${url}/v1/${path}`,
      { headers: { authorization: `Bearer ${readFileSync(tokenFile, 'utf8')}` } });
    return response.ok ? response.json() : {};
  };
  const conversations = async () =>
    ((await get('conversations?namespace=live&protocol=mcp')).items ?? []).map(({ conversation }) => conversation);
  const messages = async (conversation) => {
    const all = [];
    for (let cursor = ''; cursor !== null;) {
      const { items = [], next = null } =
        await get(`conversations/live/mcp/${conversation}/messages?bodies=true&limit=1000${cursor}`);
      all.push(...items);
      cursor = next === null ? null : `&cursor=${next}`;
    }
    return all;
  };
  const marks = (items, mark) => items.filter(({ message }) => message?.capture?.mark === mark);
  const loss = ({ message }) => message.capture.fields.find(({ name }) => name === 'parley-loss')?.value;
  const known = new Set();

  /** Starts a client, whose server runs through the tap; returns both, and a function that returns the conversation. */
  async function connect() {
    const transport = new StdioClientTransport({
      command: PARLEY, env: ENV, stderr: 'ignore',
      args: ['tap', 'mcp', '--url', url, '--token-file', tokenFile, '--namespace', 'live', '--buffer', '4',
        '--flush', '60', '--state', state, '--', process.execPath, EVERYTHING, 'stdio'],
    });
    const client = everything.create();
    await client.connect(transport);
    const conversation = await eventually('a conversation',
      async () => (await conversations()).find((one) => !known.has(one)));
    known.add(conversation);
    return { client, transport, conversation };
  }

  const first = await connect();
  await everything.brief(first.client);
  await first.client.close();
  first.client.cleanup();
  const judged = await eventually('the end of a session', async () => {
    const items = await messages(first.conversation);
    return marks(items, 'END').length > 0 && items;
  });
  assert(judged.length > 100, `${judged.length} messages`);
  assert.deepEqual(judged.filter(({ verdict }) => verdict !== 'ACCEPTED'), []);
  assert.equal(marks(judged, 'START').length, 1);
  const history = execFileSync(PARLEY, ['history', '--url', url, '--token-file', tokenFile, '--namespace', 'live',
    '--protocol', 'mcp', '--json', '--entry', 'tool/echo', first.conversation]).toString();
  assert.match(history, /Echoes back the input/);
  console.log(`live: ${judged.length} messages ACCEPTED, and the history of a tool`);

  const second = await connect();
  await new Promise((resolve) => {
    second.client.onclose = resolve;
    process.kill(second.transport.pid, 'SIGKILL');
  });
  second.client.cleanup();
  const third = await connect();
  const gapOf = (conversation) =>
    eventually(`a gap of ${conversation}`, async () => marks(await messages(conversation), 'GAP')[0]);
  const lost = await gapOf(second.conversation);
  assert.match(loss(lost), /records=unknown/);
  console.log('live: the gap of a killed tap is in the audit');

  await kill(demo);
  for (let n = 0; n < CALLS; n++) {
    const { content } = await everything.call(third.client, 'echo', { message: LARGE });
    assert.equal(content[0].text, `Echo: ${LARGE}`);
  }
  await start(addresses);
  const gap = await gapOf(third.conversation);
  assert.match(loss(gap), /records=\d+ bytes=\d{7}/);
  const { content } = await everything.call(third.client, 'echo', { message: 'after' });
  assert.equal(content[0].text, 'Echo: after');
  await third.client.close();
  third.client.cleanup();
  const all = await eventually('the end after an outage', async () => {
    const items = await messages(third.conversation);
    return marks(items, 'END').length > 0 && items;
  });
  assert.deepEqual(all.filter(({ verdict }) => verdict !== 'ACCEPTED'), []);
  assert.equal(marks(all, 'GAP').length, 1);
  assert(all.length > 2 && all.length < 2 * CALLS, `${all.length} messages`);
  console.log(`live: ${CALLS} calls passed while broker and API were away; the audit has the gap, and what followed it`);
} finally {
  // It writes there until it has ended.
  if (demo?.exitCode === null && demo.signalCode === null) await kill(demo);
  rmSync(work, { recursive: true });
}
process.exit(0);
