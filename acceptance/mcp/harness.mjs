// Servers, clients whose traffic passes through parley tap, a receiver of its records, and checks of these.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { TO_CLIENT, TO_SERVER, compareHttp, compareStdio, link } from './copy.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
export const EVERYTHING = join(here, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
/** The example server of SDK 1. */
export const EXAMPLE =
  join(here, 'node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server/simpleStreamableHttp.js');
export const SERVER2 = join(here, 'server2.mjs');
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The command of the build that build() has made. */
export const PARLEY = join(ROOT, 'target/parley/current/bin/parley');
/** Builds Parley unless it is built. */
export const build = () =>
  execFileSync(join(ROOT, 'parley'), ['--version'], { stdio: ['ignore', 'ignore', 'inherit'] });
/** The environment of servers, some of which report it. */
export const ENV = {
  PATH: '/usr/bin:/bin', HOME: '/home/user', USER: 'user', SHELL: '/bin/sh', TERM: 'dumb',
  ...(process.env.JAVA_HOME ? { JAVA_HOME: process.env.JAVA_HOME } : {}),
};
/** A credential that no recording may contain. */
export const CREDENTIAL = 'not-to-be-recorded';
/** The headers of the table in docs/capture.md. */
const HEADERS = new RegExp(`^(${readFileSync(join(ROOT, 'docs/capture.md'), 'utf8').split('\n')
  .filter((line) => /^\| `[a-z-]+`/.test(line)).flatMap((line) => line.split(' | ')[0].match(/`[a-z*-]+`/g))
  .map((name) => name.slice(1, -1).replace('*', '.+')).join('|')})$`);
let nextPort = 20_000 + process.pid % 10_000;
const started = new Set();
process.on('exit', () => started.forEach((server) => server.kill('SIGKILL')));

/** A port that is free now, and which no client or proxy gets before the server starts: those are higher. */
export async function freePort() {
  for (;;) {
    const port = nextPort++;
    const server = net.createServer();
    const isFree = await new Promise((resolve) => server.on('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true))));
    if (isFree) return port;
  }
}

/** Starts an HTTP server on a free port, and stops it after use. */
export async function serving(args, use) {
  const port = await freePort();
  const env = { ...ENV, PORT: `${port}`, MCP_PORT: `${port}` };
  const server = spawn(process.execPath, args, { env, stdio: 'ignore' });
  started.add(server);
  try {
    for (let tries = 0; ; tries++) {
      assert(server.exitCode === null && tries < 200, `${args.join(' ')} did not start`);
      const isUp = await new Promise((resolve) => {
        const socket = net.connect(port, '127.0.0.1', () => {
          socket.destroy();
          resolve(true);
        });
        socket.on('error', () => resolve(false));
      });
      if (isUp) break;
      await sleep(50);
    }
    return await use(`http://127.0.0.1:${port}`);
  } finally {
    server.kill('SIGKILL');
    started.delete(server);
  }
}

/** The records of a transcript. */
export const read = (file) => readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));

/** The JSON of a record, or undefined. */
export function parsed({ wire, wireBase64 }) {
  try {
    return JSON.parse(wireBase64 ? Buffer.from(wireBase64, 'base64').toString() : wire ?? '');
  } catch {
    return undefined;
  }
}

/** The bytes of a record, as Latin-1: a character is a byte. */
const bytes = ({ wire, wireBase64 }) =>
  (wireBase64 ? Buffer.from(wireBase64, 'base64') : Buffer.from(wire ?? '')).toString('latin1');

/** Starts `POST /v1/wire`, which takes each idempotency key once, and writes a transcript. */
async function receiver(file) {
  const transcript = createWriteStream(file);
  const keys = new Set();
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const key = request.headers['idempotency-key'];
      const isWire = request.method === 'POST' && request.url === '/v1/wire';
      if (isWire && !keys.has(key)) transcript.write(Buffer.concat(chunks));
      keys.add(key);
      response.writeHead(isWire ? 202 : 404).end('{}');
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await new Promise((resolve) => transcript.end(resolve));
    },
  };
}

/** Starts `parley tap http` before a server; returns its address, and functions that end it. */
export async function startTap(options, target, listen = '127.0.0.1:0') {
  const args = ['tap', 'http', '--listen', listen, '--to', target, ...options];
  const tap = spawn(PARLEY, args, { env: ENV, stdio: ['ignore', 'ignore', 'pipe'] });
  started.add(tap);
  let said = '';
  const ended = new Promise((resolve) => tap.on('close', resolve)).finally(() => started.delete(tap));
  const origin = await Promise.race([ended, new Promise((resolve) => tap.stderr.on('data', (chunk) => {
    said += chunk;
    const [, address] = /listening on (http:\S+) for/.exec(said) ?? [];
    if (address) resolve(address);
  }))]);
  assert.equal(typeof origin, 'string', said);
  return {
    origin,
    kill() {
      tap.kill('SIGKILL');
      return ended;
    },
    async stop() {
      tap.kill('SIGTERM');
      assert.equal(await ended, 0, said);
    },
  };
}

/** Runs `parley tap http` before a server, with these further options, and ends it after use. */
export async function tapped(options, target, use) {
  const tap = await startTap(options, target);
  try {
    return await use(tap.origin);
  } finally {
    await tap.stop();
  }
}

/** One recording by the tap, and what passed before and after it. */
export class Recording {
  #links = [];

  constructor(out, name) {
    this.out = out;
    this.name = name;
    this.file = join(out, `${name}.jsonl`);
    this.copy = join(out, 'copies', name);
    this.state = join(out, 'state', name);
    for (const directory of ['copies', 'state']) mkdirSync(join(out, directory), { recursive: true });
    for (const file of readdirSync(join(out, 'copies'))) {
      if (file.replace(/-\d+-[a-z]+\.\w+$/, '') === name) rmSync(join(out, 'copies', file));
    }
    rmSync(this.state, { recursive: true, force: true });
  }

  async start() {
    this.receiver = await receiver(this.file);
    return this;
  }

  /** Options of the tap. */
  options() {
    return ['--url', this.receiver.url, '--state', this.state, '--flush', '60'];
  }

  /** Parameters of a stdio transport that runs a server, a program of Node, through the tap. */
  stdio(...command) {
    return this.program(process.execPath, ...command);
  }

  /** The same for any command. */
  program(...command) {
    const copy = [join(here, 'copy.mjs'), this.copy];
    return {
      command: process.execPath, env: { ...ENV, PORT: '0' }, stderr: 'ignore',
      args: [...copy, PARLEY, 'tap', 'mcp', ...this.options(), '--', process.execPath, ...copy, ...command],
    };
  }

  /** Runs the tap before a server, and closes it after use. */
  async http(target, use) {
    const after = await link(target, false);
    try {
      return await tapped(this.options(), after.origin, async (origin) => {
        const before = await link(origin, true);
        this.#links.push([before.exchanges, after.exchanges]);
        try {
          return await use(before.origin, before);
        } finally {
          await before.close();
        }
      });
    } finally {
      await after.close();
    }
  }

  /** Sends a request that no client sends; strings and bytes are sent as they are. */
  async raw(url, method, body, headers = {}, signal = undefined) {
    const text = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const type = text === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(url, {
      method, body: text, signal, headers: { ...type, accept: 'application/json, text/event-stream', ...headers },
    });
    await response.text();
    return response;
  }

  /**
   * Checks that the same bytes passed before and after the tap, that the recording has the form of docs/capture.md, and
   * that its messages are those that passed; returns its file.
   */
  async check() {
    await this.receiver.close();
    const left = readdirSync(this.state, { recursive: true }).filter((file) => file.endsWith('.sessions'));
    assert.deepEqual(left, [], `${this.name}: the tap has not delivered everything`);
    const records = read(this.file);
    assert(records.length > 0, `${this.name}: no recording`);
    checkForm(this.file, records);
    const lines = compareStdio(this.copy);
    const passed = [[lines, lines], ...this.#links.map((ends) => compareHttp(this.name, ...ends))];
    for (const direction of [TO_SERVER, TO_CLIENT]) {
      const recorded = records.filter(({ headers }) => headers['parley-direction'] === direction && !isMark(headers));
      const counts = counted(recorded.map(bytes));
      const [least, most] = [0, 1].map((end) => counted(passed.flatMap((ends) => ends[end][direction])));
      for (const message of new Set([...counts.keys(), ...least.keys(), ...most.keys()])) {
        const [count, from, to] = [counts, least, most].map((each) => each.get(message) ?? 0);
        assert(from <= count && count <= to,
          `${this.name}: ${count} records of ${from} to ${to} ${direction}: ${message.slice(0, 300)}`);
      }
    }
    return this.file;
  }
}

/** How often each text occurs. */
function counted(texts) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** Whether a record is only a mark: a gap, or the end over stdio. */
const isMark = (headers) => headers['parley-capture'] === 'gap'
  || (headers['parley-capture'] === 'end' && headers['parley-exchange'] === undefined);

/** Checks headers, the order within exchanges, and the absence of credentials. */
function checkForm(file, records) {
  const begun = new Set();
  records.forEach(({ key, headers }, at) => {
    const where = `${file}:${at + 1}`;
    const { 'parley-direction': direction, 'parley-exchange': exchange, 'mcp-session-id': id } = headers;
    for (const name of Object.keys(headers)) assert.match(name, HEADERS, where);
    assert(id === undefined || /^[0-9a-f]{64}$/.test(id), where);
    assert(!/sessionId=/.test(headers['parley-http-query']), where);
    assert(!JSON.stringify(headers).includes(CREDENTIAL), where);
    assert(headers['parley-capture'] !== 'start' || !begun.has(key), `${where}: start is not first`);
    if (exchange !== undefined) {
      const isRequest = !begun.has(exchange);
      assert.equal(direction, isRequest ? TO_SERVER : TO_CLIENT, where);
      assert('parley-http-method' in headers === isRequest && 'parley-http-status' in headers === !isRequest, where);
    }
    begun.add(key).add(exchange);
  });
}
