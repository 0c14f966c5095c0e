// A demo, and sessions of clients and servers of others whose records parley tap sends to it, by HTTP and by Kafka. All
// that is expected is asked of the API of the demo:
//   node live.mjs
// - Sessions are judged: the only violation is found, with its section, and explained; tools have a history.
// - A tap is killed: the next one records a gap, after which rules that need all earlier messages are not judged.
// - The demo is killed, and with it broker and API: traffic passes, and then the API has a gap of the size of what it
//   lacks, or with --spool each message once.
// - With --mask, no answer contains the secret that passed.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as Client2, StreamableHTTPClientTransport as HttpTransport2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioTransport2 } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { EmptyResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { TO_CLIENT, TO_SERVER } from './copy.mjs';
import { eventually, startDemo } from './demo.mjs';
import * as everything from './everything.mjs';
import { ENV, EVERYTHING, EXAMPLE, PARLEY, SERVER2, build, freePort, serving, startTap } from './harness.mjs';
import * as usage2 from './usage2.mjs';

const { refused } = everything;
/** Calls of 180 kB, both ways, while the demo is away: several times the buffer of a tap. */
const CALLS = 60;
const LARGE = 'x'.repeat(90_000);
const MODERN = '2026-07-28';
/** Capabilities of a client of which server-everything asks nothing by itself, so that nothing passes at the end. */
const NONE = {};
const work = mkdtempSync(join(tmpdir(), 'parley-live-'));
const tokenFile = join(work, 'token');
const data = join(work, 'data');
let demo;

/** Requests a path of the API, and waits until the response is not 503; returns its text. */
const answer = (path) => eventually(`an answer to ${path}`, async (seen) => {
  const response = await fetch(`${demo.url}/v1/${path}`, { headers: { authorization: `Bearer ${demo.token}` } });
  const text = await response.text();
  seen(text);
  return response.status !== 503 && text;
});
async function get(path) {
  const found = JSON.parse(await answer(path));
  assert(found.type === undefined, `expected an answer to ${path}, but found ${found.detail}`);
  return found;
}

/** The conversations of a session that have a verdict or code, by default all. */
const conversations = async ({ namespace, pid }, filter = '') =>
  (await get(`conversations?namespace=${namespace}&protocol=mcp${filter}`)).items
    // Others of a namespace: earlier sessions, and servers that the client of SDK 2 starts to learn the version.
    .filter(({ conversation }) => pid === undefined || conversation.includes(`-${pid}-`));
/** Its path in the API. */
const pathOf = ({ namespace, conversation }) => `conversations/${namespace}/mcp/${encodeURIComponent(conversation)}`;

/** All messages of the only conversation of a session. They do not change, so each is requested once. */
async function messages(session) {
  const found = await conversations(session);
  const names = found.map(({ conversation }) => conversation);
  assert(names.length < 2, `${session.name}: expected one conversation, but found ${names}`);
  for (let next = found.length === 0 ? null : session.items.length; next !== null;) {
    const page = await get(`${pathOf(found[0])}/messages?bodies=true&limit=1000&from=${next}`);
    session.items.push(...page.items);
    next = page.next;
  }
  return session.items;
}

const captureOf = ({ message }) => message.mcp.capture;
const isMarked = (mark) => (item) => captureOf(item).mark === mark;
const lossOf = (item) => captureOf(item).fields.find(({ name }) => name === 'parley-loss')?.value;

/** Waits until the API has a record of a session; returns all. */
const until = (session, what, matches) => eventually(`${session.name}: ${what}`, async (seen) => {
  const all = await messages(session);
  seen(all.map(({ verdict, gloss }) => `${verdict} ${gloss}`));
  return all.some(matches) && all;
});

const sorted = (value) => (value === null || typeof value !== 'object' ? value : Array.isArray(value)
  ? value.map(sorted)
  : Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])])));
/** A message with its direction, as text that does not depend on the order of members. */
const plain = (direction, message) => `${direction} ${JSON.stringify(sorted(JSON.parse(JSON.stringify(message))))}`;

function counted(texts) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Checks that the API has no message more often than it passed; returns the number that it lacks. */
function missing(session, items) {
  const recorded = counted(items.filter(({ message }) => message.mcp.message.kind !== 'NONE').map((item) => plain(
    captureOf(item).direction === 'CLIENT_TO_SERVER' ? TO_SERVER : TO_CLIENT, JSON.parse(item.raw))));
  const passed = counted(session.passed);
  for (const [text, count] of recorded) {
    assert(count <= (passed.get(text) ?? 0),
      `${session.name}: expected ${passed.get(text) ?? 0} times, but found ${count} times: ${text.slice(0, 300)}`);
  }
  return [...passed].reduce((sum, [text, count]) => sum + count - (recorded.get(text) ?? 0), 0);
}

/** Starts a client whose traffic is compared, and returns its session. */
async function connect(session, transport) {
  const { client } = session;
  const passed = [];
  transport.onmessage = (message) => passed.push(plain(TO_CLIENT, message));
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    passed.push(plain(TO_SERVER, message));
    return send(message, options);
  };
  await client.connect(transport);
  const closed = new Promise((resolve) => { client.onclose = resolve; });
  return { namespace: session.name, ...session, items: [], passed, transport, closed };
}

const processes = new Set();
process.on('exit', () => processes.forEach(killTree));

/** Kills a tap, and its server, which may outlive its standard input. */
function killTree(pid) {
  try {
    kill(pid);
  } catch (error) {
    // It has ended meanwhile.
    if (!['ESRCH', 'ENOENT'].includes(error.code)) throw error;
  }
}

function kill(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const children = threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean));
  for (const one of [pid, ...children]) process.kill(Number(one), 'SIGKILL');
}

/** Starts a stdio server behind the tap. */
async function stdio(session, Transport, options, server) {
  const command = { command: PARLEY, args: ['tap', 'mcp', ...options, '--', process.execPath, ...server] };
  const started = await connect(session, new Transport({ ...command, env: ENV, stderr: 'ignore' }));
  const { pid } = started.transport;
  processes.add(pid);
  started.closed.then(() => processes.delete(pid));
  return {
    ...started,
    pid,
    /** Ends server and tap, which delivers the rest first. The close of an SDK would kill it after four seconds. */
    close() {
      process.kill(pid, 'SIGTERM');
      return started.closed;
    },
    kill() {
      killTree(pid);
      return started.closed;
    },
  };
}

/** Starts the tap before an HTTP server. */
async function http(session, Transport, options, server) {
  // Nothing else gets this port while the tap is away.
  let tap = await startTap(options, server, `127.0.0.1:${await freePort()}`);
  const started = await connect(session, new Transport(new URL('/mcp', tap.origin)));
  return {
    ...started,
    async close() {
      await started.transport.terminateSession();
      await started.client.close();
      await tap.stop();
    },
    kill: () => tap.kill(),
    /** Starts another tap at the address of the killed one. */
    async restart() {
      tap = await startTap(options, server, new URL(tap.origin).host);
    },
  };
}

const says = (result, text) => assert.equal(result.content[0].text, text);

/** Client of SDK 1 and server-everything over stdio. */
const everythingStdio = (name, options, namespace = name) => {
  const client = everything.create(NONE);
  return stdio({
    name, namespace, client, tool: 'echo', description: 'Echoes back the input string',
    code: 'MCP_ID_REUSED', section: '5.4 M17',
    async say(text) { says(await everything.call(client, 'echo', { message: text }), `Echo: ${text}`); },
    async violate() {
      await this.transport.send({ jsonrpc: '2.0', id: 0, method: 'ping' });
      await client.ping();
    },
    isViolation: ({ message }) => message.mcp.message.id === '0' && message.mcp.message.method === 'ping',
  }, StdioClientTransport, options, [EVERYTHING, 'stdio']);
};

/** Client of SDK 2 and the example server of SDK 1, which completes nothing, over HTTP. */
const exampleHttp = (server) => (name, options) => {
  const client = usage2.create('legacy');
  const ref = { type: 'ref/prompt', name: 'greeting-template' };
  return http({
    name, client, tool: 'greet', description: 'A simple greeting tool', code: 'MCP_CAPABILITY', section: '5.3 M14',
    async say(text) {
      says(await client.callTool({ name: 'greet', arguments: { name: text } }), `Hello, ${text}!`);
    },
    async violate() {
      const id = 'completion';
      await this.transport.send({ jsonrpc: '2.0', id, method: 'completion/complete',
        params: { ref, argument: { name: 'name', value: 'a' } } });
      await client.ping();
    },
    isViolation: ({ message }) => message.mcp.message.method === 'completion/complete',
  }, HttpTransport2, options, server);
};

/** Client of SDK 1 and server-everything over HTTP. */
const everythingHttp = (server) => (name, options) => {
  const client = everything.create(NONE);
  return http({
    name, client, tool: 'echo', description: 'Echoes back the input string', code: 'MCP_PARAMETER', section: '5.2 M8',
    async say(text) { says(await everything.call(client, 'echo', { message: text }), `Echo: ${text}`); },
    violate: () => refused(client.request({ method: 'resources/read', params: {} }, EmptyResultSchema)),
    isViolation: ({ message }) => message.mcp.message.method === 'resources/read',
  }, StreamableHTTPClientTransport, options, server);
};

/** Client and server of SDK 2 over stdio, in the version without a handshake. */
const modernStdio = (name, options) => {
  const client = usage2.create({ pin: MODERN });
  return stdio({
    name, client, tool: 'add', description: 'Adds two numbers', code: 'MCP_PARAMETER', section: '5.2 M8',
    async say() { says(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } }), '3'); },
    violate: () => refused(client.readResource({})),
    isViolation: ({ message }) => message.mcp.message.method === 'resources/read',
  }, StdioTransport2, options, [SERVER2, 'stdio']);
};

/** Options of a tap. Those of one namespace report the gaps of each other. */
const options = (namespace, receiver, more = []) =>
  [...receiver, '--namespace', namespace, '--state', join(work, 'state', namespace), '--flush', '300', ...more];

/** Asks the tools of Parley to explain a message. */
async function explain(arguments_) {
  const client = new Client2({ name: 'asker', version: '1' }, { versionNegotiation: { mode: { pin: MODERN } } });
  const requestInit = { headers: { authorization: `Bearer ${demo.token}` } };
  await client.connect(new HttpTransport2(new URL('/mcp', demo.url), { requestInit }));
  try {
    return (await client.callTool({ name: 'explain', arguments: arguments_ })).structuredContent;
  } finally {
    await client.close();
  }
}

/** A session that has one violation. */
async function judged(session, text) {
  const { name, client, tool, description, code, section } = session;
  await client.listTools();
  await session.say(text);
  await session.violate();
  await session.say(text);
  await session.close();
  const items = await until(session, 'the end of the session', isMarked('END'));
  assert.equal(captureOf(items[0]).mark, 'START', `${name}: the mark of the first message`);
  assert.equal(missing(session, items), 0, `${name}: messages that passed, and which the API lacks`);
  const others = items.filter(({ verdict }) => verdict !== 'ACCEPTED');
  assert.deepEqual(others.map((one) => [one.verdict, one.code, one.rule.section]), [['REJECTED', code, section]],
    `${name}: verdicts other than ACCEPTED`);
  const [rejected] = others;
  assert(session.isViolation(rejected), `${name}: another message was rejected: ${rejected.gloss}`);
  const all = await conversations(session, `&verdict=rejected&code=${code}`);
  assert.equal(all.length, 1, `${name}: conversations with ${code}`);
  const [found] = all;
  const letters = (await get(`dead-letters?namespace=${session.namespace}`)).items
    .filter(({ conversation }) => conversation === found.conversation);
  assert.deepEqual(letters.map((letter) => letter.code), [code], `${name}: codes of its dead letters`);
  const history = await get(`${pathOf(found)}/history?entry=tool/${tool}`);
  assert.deepEqual(history.items.map(({ value }) => JSON.parse(value).description), [description],
    `${name}: descriptions in the history of the tool`);
  const explained = await explain(
    { namespace: session.namespace, protocol: 'mcp', conversation: found.conversation, sequence: rejected.sequence });
  assert.deepEqual([explained.code, explained.rule.section], [code, section], `${name}: code and rule of explain`);
  assert(explained.remedy, `${name}: explain has a remedy`);
  console.log(`live: ${name}: ${items.length} records, ${code} by ${section}`);
}

/** Waits until a session has a gap; returns its mark, and all records. */
async function gap(session, size) {
  const { name } = session;
  const items = await until(session, 'a gap', isMarked('GAP'));
  const marks = items.filter(isMarked('GAP'));
  assert.equal(marks.length, 1, `${name}: gaps`);
  const [mark] = marks;
  assert.match(lossOf(mark), size, `${name}: what the gap has lost`);
  assert.equal(mark.verdict, 'ACCEPTED', `${name}: verdict on the gap`);
  assert.equal(mark.gloss, `server continues after lost messages: ${lossOf(mark)}`, `${name}: gloss`);
  return { mark, items };
}

/** Violates the rule of a session, which is judged from its beginning. */
async function violated(session) {
  await session.say('before');
  await session.violate();
  await until(session, session.code, (item) => session.isViolation(item) && item.verdict === 'REJECTED');
}

/** Violates the same rule after a gap: it needs all earlier messages, so it is not judged. */
async function suspended(session) {
  await session.violate();
  await session.say('after');
  await session.close();
  const items = await until(session, 'the end of the session', isMarked('END'));
  assert.deepEqual(items.filter(session.isViolation).map(({ verdict, code }) => [verdict, code]),
    [['REJECTED', session.code], ['ACCEPTED', null]], `${session.name}: verdicts before and after the gap`);
  const at = [items.findIndex(session.isViolation), items.findIndex(isMarked('GAP')),
    items.findLastIndex(session.isViolation)];
  assert(at[0] < at[1] && at[1] < at[2], `${session.name}: expected the gap between the violations, but found ${at}`);
  return items;
}

/** Kills the tap of a stdio server, whose session ends with it. */
async function killedStdio(receiver) {
  const session = await everythingStdio('killed-stdio', options('killed-stdio', receiver));
  await violated(session);
  const running = refused(
    everything.call(session.client, 'trigger-long-running-operation', { duration: 600, steps: 2 }));
  await session.kill();
  const { error } = await running;
  assert.match(`${error}`, /closed/, 'killed-stdio: the call ends with the tap');
  const next = await everythingStdio('next-stdio', options('killed-stdio', receiver), 'killed-stdio');
  const { items } = await gap(session, /^records=unknown bytes=unknown from=\S+ to=\S+$/);
  assert(isMarked('GAP')(items.at(-1)), 'killed-stdio: the gap is the last record');
  await judged(next, 'next');
  console.log('live: killed-stdio: the next tap has recorded the gap');
}

/** Kills the tap of an HTTP server, whose session continues through the next one. */
async function killedHttp(create, receiver) {
  const session = await create('killed-http', options('killed-http', receiver));
  await violated(session);
  await session.kill();
  await session.restart();
  await gap(session, /^records=unknown bytes=unknown from=\S+ to=\S+$/);
  await suspended(session);
  console.log('live: killed-http: the next tap has recorded the gap, after which the same rule is not judged');
}

const SMALL = ['--buffer', '4', '--on-outage', 'pass'];

const call = (sessions, count) => Promise.all(sessions.map(async (session) => {
  for (let n = 0; n < count; n++) await session.say(`${n} ${LARGE}`);
}));

async function lossy(session, isComplete) {
  const { mark } = await gap(session, /^records=\d+ bytes=\d+ from=\S+ to=\S+$/);
  const items = await suspended(session);
  const [, lost] = /^records=(\d+)/.exec(lossOf(mark)).map(Number);
  const lacks = missing(session, items);
  assert(lacks > 0 && (isComplete ? lacks === lost : lacks <= lost),
    `${session.name}: the gap has lost ${lost} records, but the API lacks ${lacks} messages`);
  console.log(`live: ${session.name}: ${items.length} records, and a gap of ${lost}`);
}

async function spooled(session) {
  await session.say('after');
  await session.close();
  const items = await until(session, 'the end of the session', isMarked('END'));
  assert.deepEqual(items.filter(isMarked('GAP')).map(lossOf), [], `${session.name}: gaps`);
  assert.equal(missing(session, items), 0, `${session.name}: messages that passed, and which the API lacks`);
  console.log(`live: ${session.name}: all ${items.length} records, each once`);
}

/** The texts by which base64 contains a secret, after any bytes. */
const spellings = (secret) => [secret, ...[0, 2, 3].map((from, before) =>
  Buffer.from(`${'-'.repeat(before)}${secret}`).toString('base64').slice(from, -4))];

/** The paths whose answers contain a secret of a session. */
async function leaks(session, secret) {
  const { name, tool } = session;
  const [conversation] = await conversations(session);
  const path = pathOf(conversation);
  const paths = [`conversations?namespace=${name}`, path, `${path}/messages?bodies=true&limit=1000`,
    `${path}/messages?view=summary&limit=1000`, `${path}/state`, `${path}/blame`, `${path}/history?entry=tool/${tool}`,
    `dead-letters?namespace=${name}`, `open-items?namespace=${name}`, `search?namespace=${name}&q=tools`,
    `search?namespace=${name}&q=${secret.slice(0, 32)}`];
  for (let n = 0; n <= conversation.lastSequence; n++) {
    paths.push(...['?dialogue=true', '/input', '/proof'].map((what) => `${path}/messages/${n}${what}`));
  }
  const found = [];
  for (const one of paths) {
    const text = await answer(one);
    if (spellings(secret).some((spelling) => text.includes(spelling))) found.push(one);
  }
  return found;
}

/** The text of the live tail, from now on. */
async function follow() {
  const tail = { text: '' };
  const response = await fetch(`${demo.url}/v1/tail`, { headers: { authorization: `Bearer ${demo.token}` } });
  assert.equal(response.status, 200, 'status of the live tail');
  const decoder = new TextDecoder();
  (async () => {
    for await (const chunk of response.body) tail.text += decoder.decode(chunk, { stream: true });
  })().catch((failure) => { tail.failure = failure; });
  return tail;
}

const newSecret = () => randomBytes(24).toString('hex');
const withSecret = (secret) => `write to ${secret}@example.com, or call with Authorization: Bearer ${secret}`;

/** A session with a secret that its tap masks. */
async function masked(session, secret, tail) {
  const { name, tool } = session;
  await session.client.listTools();
  await session.say(withSecret(secret));
  await session.close();
  const items = await until(session, 'the end of the session', isMarked('END'));
  const markers = items.filter(({ raw }) => /\[masked:[0-9a-f]{24}\]/.test(raw)).length;
  assert(markers >= 2, `${name}: expected markers in the call and in its answer, but found ${markers}`);
  assert.deepEqual(await leaks(session, secret), [], `${name}: answers with the secret`);
  const end = `"conversation":"${items.at(-1).message.conversation}","sequence":${items.at(-1).sequence},`;
  await eventually(`${name}: its end in the live tail`, () => tail.text.includes(end));
  assert(!spellings(secret).some((spelling) => tail.text.includes(spelling)), `${name}: the live tail has the secret`);
  console.log(`live: ${name}: the secret passed, and no answer of the API has it`);
}

/** Starts the demo, which has the data of the one before. */
async function start(addresses) {
  demo = await startDemo(['--token', '--data', data], addresses);
  writeFileSync(tokenFile, demo.token);
}

async function run(example, everythingServer) {
  const url = ['--url', demo.url, '--token-file', tokenFile];
  const kafka = ['--bootstrap-servers', demo.addresses.kafka];
  const mask = ['--mask', 'default'];
  const exampleSession = exampleHttp(example);
  const everythingSession = everythingHttp(everythingServer);
  const tail = await follow();
  const secrets = [newSecret(), newSecret(), newSecret()];
  const open = (create, name, receiver, more) => create(name, options(name, receiver, more));
  const spool = (name) => [...SMALL, '--spool', join(work, 'spool', name)];

  const plainSession = await open(everythingStdio, 'judged-stdio', url);
  const outage = [
    open(everythingStdio, 'pass-stdio', kafka, SMALL), open(exampleSession, 'pass-http', url, SMALL),
    open(everythingStdio, 'spool-stdio', url, spool('stdio')), open(exampleSession, 'spool-http', kafka, spool('http')),
  ];
  await Promise.all([
    judged(plainSession, withSecret(secrets[0])),
    open(exampleSession, 'judged-http', kafka).then((session) => judged(session, 'text')),
    open(modernStdio, 'judged-modern', kafka).then((session) => judged(session, 'text')),
    open(everythingSession, 'judged-http-1', url).then((session) => judged(session, 'text')),
    killedStdio(kafka),
    killedHttp(exampleSession, url),
    open(everythingStdio, 'masked-stdio', url, mask).then((session) => masked(session, secrets[1], tail)),
    open(exampleSession, 'masked-http', kafka, mask).then((session) => masked(session, secrets[2], tail)),
    ...outage.map(async (session) => violated(await session)),
  ]);
  // Without a mask, the same answers have the secret: the comparison would find it.
  const leaked = await leaks(plainSession, secrets[0]);
  for (const part of ['/messages?bodies=true', '?dialogue=true', 'search?']) {
    assert(leaked.some((path) => path.includes(part)), `judged-stdio: ${part} has no secret, only ${leaked}`);
  }
  await eventually('the secret of judged-stdio and a gap in the live tail', (seen) => {
    seen(`${tail.failure ?? tail.text.length}`);
    const gloss = 'server continues after lost messages: records=unknown';
    return [secrets[0], gloss].every((text) => tail.text.includes(text));
  });

  const sessions = await Promise.all(outage);
  // Some records are on their way when broker and API vanish.
  const calls = call(sessions, 5);
  await Promise.all([demo.kill(), calls]);
  await call(sessions, CALLS);
  await start(demo.addresses);
  await Promise.all([
    lossy(sessions[0], true), lossy(sessions[1], false), spooled(sessions[2]), spooled(sessions[3]),
  ]);
}

try {
  build();
  // Nothing else gets these ports while the demo is away.
  const address = async () => `127.0.0.1:${await freePort()}`;
  await start({ kafka: await address(), registry: await address(), api: await address() });
  await serving([EXAMPLE], (example) => serving([EVERYTHING, 'streamableHttp'], (server) => run(example, server)));
} finally {
  // It writes there until it has ended.
  await demo?.kill();
  rmSync(work, { recursive: true });
}
process.exit(0);
