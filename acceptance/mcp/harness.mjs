// What sessions.mjs and conformance.mjs share: servers, clients whose traffic is recorded, and checks of recordings.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createParser } from 'eventsource-parser';
import { TO_CLIENT, TO_SERVER, proxy } from './record.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
export const EVERYTHING = join(here, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
export const SERVER2 = join(here, 'server2.mjs');
/** The environment of servers, some of which report it. */
export const ENV = {
  PATH: '/usr/bin:/bin', HOME: '/home/user', USER: 'user', LOGNAME: 'user', SHELL: '/bin/sh', TERM: 'dumb', TZ: 'UTC',
};
const started = new Set();
/** Clients' transports over stdio, whose recorders a failed driver must stop. */
const transports = new Set();

/** A port that is free now. */
async function freePort() {
  const server = net.createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts an HTTP server on a free port, and stops it after use. */
export async function serving(args, use, node = process.execPath) {
  const port = await freePort();
  const server = spawn(node, args, { env: { ...ENV, PORT: `${port}` }, stdio: 'ignore' });
  started.add(server);
  try {
    for (let tries = 0; ; tries++) {
      assert(server.exitCode === null && tries < 200, `${args.join(' ')} did not start`);
      const connected = await new Promise((resolve) => {
        const socket = net.connect(port, '127.0.0.1', () => resolve(socket.destroy()));
        socket.on('error', () => resolve(null));
      });
      if (connected !== null) break;
      await sleep(50);
    }
    return await use(`http://127.0.0.1:${port}`);
  } finally {
    server.kill('SIGKILL');
    started.delete(server);
  }
}

process.on('exit', () => {
  for (const server of started) server.kill('SIGKILL');
  for (const { pid } of transports) {
    try {
      if (pid) process.kill(pid, 'SIGTERM');
    } catch {
      // It has ended.
    }
  }
});

/** One recording: the messages that its clients report, and the bytes that its proxy forwards. */
export class Recording {
  sent = [];
  received = [];
  forwarded = new Map();

  constructor(out, name) {
    this.out = out;
    this.name = name;
    this.file = join(out, `${name}.jsonl`);
    for (const file of this.files('')) rmSync(file);
  }

  /** The files of this recording: a process of a stdio server has a file of its own. */
  files(suffix) {
    const own = (file) => file.startsWith(this.name) && /^(-\d+)?\.jsonl/.test(file.slice(this.name.length));
    const found = readdirSync(this.out).filter((file) => own(file) && file.endsWith(suffix));
    return found.map((file) => join(this.out, file));
  }

  /** Parameters of a stdio transport that runs a server through the recorder. */
  stdio(...command) {
    return {
      command: process.execPath,
      args: [join(here, 'record.mjs'), 'stdio', this.file, process.execPath, ...command],
      env: { ...ENV, PARLEY_RECORD_RAW: '1' },
      stderr: 'ignore',
    };
  }

  /** Starts a proxy that records, and closes it after use. */
  async http(target, use) {
    const running = await proxy(this.file, target, 0, (exchange, direction, bytes) => {
      const id = `${exchange} ${direction}`;
      this.forwarded.set(id, [...this.forwarded.get(id) ?? [], Buffer.from(bytes)]);
    });
    try {
      return await use(running.origin, running);
    } finally {
      await running.close();
    }
  }

  /** Makes a transport report the messages of its client. */
  observe(transport) {
    transports.add(transport);
    const send = transport.send.bind(transport);
    let handler;
    transport.send = async (message, options) => {
      await send(message, options);
      // A resumed stream sends no message.
      if (!options?.resumptionToken) this.sent.push(message);
    };
    Object.defineProperty(transport, 'onmessage', {
      get: () => handler && ((message, extra) => {
        this.received.push(message);
        handler(message, extra);
      }),
      set: (value) => { handler = value; },
    });
    return transport;
  }

  /** Sends a request that no client sends; strings and bytes are sent as they are. */
  async raw(url, method, body, headers = {}, signal = undefined) {
    const text = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const response = await fetch(url, {
      method, body: text, signal, headers: {
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
        accept: 'application/json, text/event-stream', ...headers,
      },
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Checks this recording and returns a line about it. */
  check() {
    const files = this.files('.jsonl');
    assert(files.length > 0, `${this.name}: no recording`);
    const all = files.map((file) => read(file));
    files.forEach((file, at) => checkLines(file, all[at]));
    files.forEach((file, at) => checkStdio(file, all[at]));
    if (this.forwarded.size > 0) checkHttp(this.file, all.flat(), this.forwarded);
    const missing = this.#checkClients(all.flat());
    for (const file of this.files('')) if (!file.endsWith('.jsonl')) rmSync(file);
    return files.map((file, at) => {
      const keys = new Set(all[at].map(({ key }) => key)).size;
      return `${file}: ${all[at].length} records, ${keys} ${keys === 1 ? 'session' : 'sessions'}`;
    }).join('\n') + (missing > 0 ? `\n  ${missing} recorded messages did not reach the client's handlers` : '');
  }

  #checkClients(records) {
    const counts = { [TO_SERVER]: new Map(), [TO_CLIENT]: new Map() };
    for (const record of records) {
      const message = parsed(record);
      if (message === undefined) continue;
      const id = canonical(message);
      const of = counts[record.headers['parley-direction']];
      of.set(id, (of.get(id) ?? 0) + 1);
    }
    const take = (messages, direction) => {
      for (const message of messages) {
        const id = canonical(message);
        const left = counts[direction].get(id) ?? 0;
        assert(left > 0, `${this.name}: not recorded, ${direction}: ${id.slice(0, 300)}`);
        counts[direction].set(id, left - 1);
      }
    };
    take(this.sent, TO_SERVER);
    take(this.received, TO_CLIENT);
    return this.received.length === 0 ? 0 : [...counts[TO_CLIENT].values()].reduce((sum, left) => sum + left, 0);
  }
}

const bytesOf = ({ wire, wireBase64 }) => (wireBase64 ? Buffer.from(wireBase64, 'base64') : Buffer.from(wire ?? ''));

/** The JSON of a record, or undefined. */
function parsed(record) {
  try {
    return JSON.parse(bytesOf(record).toString());
  } catch {
    return undefined;
  }
}

/** JSON with sorted keys. */
function canonical(value) {
  return JSON.stringify(value, (key, part) => (part && typeof part === 'object' && !Array.isArray(part)
    ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part));
}

export function read(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  assert.equal(lines.pop(), '', `${file}: the last line is not complete`);
  return lines.map((line) => JSON.parse(line));
}

const HEADERS = new RegExp('^(parley-(protocol|direction|capture|exchange|http-(method|path|query|status))'
  + '|mcp-(protocol-version|session-id|method|name|param-.+)|last-event-id)$');

/** Checks the form and the order of records: times, requests before their responses, exchanges begun by a request. */
function checkLines(file, records) {
  let time = '';
  const begun = new Set();
  const requests = new Map();
  const exchanges = new Set();
  records.forEach((record, at) => {
    const { timestamp, key, headers, ...rest } = record;
    const where = `${file}:${at + 1}`;
    const direction = headers['parley-direction'];
    assert.match(Object.keys(rest).join(), /^(wire|wireBase64)$/, where);
    assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, where);
    assert(timestamp >= time, `${where}: time goes back`);
    time = timestamp;
    assert.equal(headers['parley-protocol'], 'mcp', where);
    assert([TO_SERVER, TO_CLIENT].includes(direction), where);
    for (const [name, value] of Object.entries(headers)) {
      assert.match(name, HEADERS, where);
      assert.equal(typeof value, 'string', where);
    }
    if ('mcp-session-id' in headers) assert.match(headers['mcp-session-id'], /^[0-9a-f]{64}$/, where);
    assert(headers['parley-capture'] !== 'start' || !begun.has(key), `${where}: start is not first`);
    begun.add(key);
    const exchange = headers['parley-exchange'];
    if (exchange !== undefined) {
      const request = 'parley-http-method' in headers;
      assert.equal(request, direction === TO_SERVER, where);
      assert.equal(!request, 'parley-http-status' in headers, where);
      assert.equal(exchanges.has(`${key} ${exchange}`), !request, `${where}: exchange ${exchange}`);
      exchanges.add(`${key} ${exchange}`);
    }
    for (const message of [parsed(record)].flat().filter((one) => one && typeof one === 'object' && 'id' in one)) {
      const id = `${key} ${JSON.stringify(message.id)}`;
      if ('method' in message) requests.set(`${direction} ${id}`, true);
      const asker = direction === TO_SERVER ? TO_CLIENT : TO_SERVER;
      if (direction === TO_CLIENT && 'result' in message) {
        assert(requests.has(`${asker} ${id}`), `${where}: response ${message.id} before its request`);
      }
    }
  });
}

/** Compares the bytes that a stdio recorder forwarded with its records. */
function checkStdio(file, records) {
  for (const direction of [TO_SERVER, TO_CLIENT]) {
    let raw;
    try {
      raw = readFileSync(`${file}.${direction}`);
    } catch {
      continue;
    }
    const lines = records.filter(({ headers }) =>
      headers['parley-direction'] === direction && headers['parley-capture'] !== 'end');
    const joined = Buffer.concat(lines.flatMap((line) => [bytesOf(line), Buffer.from('\n')]));
    const whole = raw.length === 0 || raw.at(-1) === 10 ? raw : Buffer.concat([raw, Buffer.from('\n')]);
    assert(joined.equals(whole), `${file}: forwarded bytes differ from the records, ${direction}`);
  }
}

/** Compares the bytes that a proxy forwarded with its records, event streams by a parser of another author. */
function checkHttp(file, records, forwarded) {
  const recorded = new Map();
  for (const record of records) {
    const id = `${record.headers['parley-exchange']} ${record.headers['parley-direction']}`;
    recorded.set(id, [...recorded.get(id) ?? [], ...(record.wire === null ? [] : [bytesOf(record)])]);
  }
  for (const [id, chunks] of forwarded) {
    const bytes = Buffer.concat(chunks);
    const bodies = recorded.get(id) ?? [];
    if (bodies.length === 1 && bodies[0].equals(bytes)) continue;
    const events = [];
    createParser({ onEvent: ({ data }) => { if (data !== '') events.push(data); } }).feed(bytes.toString());
    assert.deepEqual(bodies.map(String), events, `${file}: forwarded bytes differ from the records, exchange ${id}`);
  }
  for (const [id, bodies] of recorded) assert(bodies.length === 0 || forwarded.has(id), `${file}: exchange ${id}`);
}
