// Servers, clients whose traffic is recorded, and checks of recordings.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { TO_CLIENT, TO_SERVER, proxy } from './record.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
export const EVERYTHING = join(here, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
export const SERVER2 = join(here, 'server2.mjs');
/** The environment of servers, some of which report it. */
export const ENV = { PATH: '/usr/bin:/bin', HOME: '/home/user', USER: 'user', SHELL: '/bin/sh', TERM: 'dumb' };
/** A credential that no recording may contain. */
export const CREDENTIAL = 'not-to-be-recorded';
const HEADERS = new RegExp('^(parley-(protocol|direction|capture|exchange|http-(method|path|query|status))'
  + '|mcp-(protocol-version|session-id|method|name|param-.+)|last-event-id)$');
let nextPort = 20_000 + process.pid % 10_000;
const started = new Set();
process.on('exit', () => started.forEach((server) => server.kill('SIGKILL')));

/** A port that is free now, and which no client or proxy gets before the server starts: those are higher. */
async function freePort() {
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
  const server = spawn(process.execPath, args, { env: { ...ENV, PORT: `${port}` }, stdio: 'ignore' });
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

/** JSON with sorted keys. */
const canonical = (value) => JSON.stringify(value, (key, part) => (
  part && typeof part === 'object' && !Array.isArray(part) ? Object.fromEntries(Object.entries(part).sort()) : part));

/** One recording and the messages that its clients report. */
export class Recording {
  #sent = [];
  #received = [];

  constructor(out, name) {
    this.out = out;
    this.name = name;
    this.file = join(out, `${name}.jsonl`);
    for (const file of this.files()) rmSync(file);
  }

  /** The files of this recording: a process of a stdio server has a file of its own. */
  files() {
    return readdirSync(this.out).filter((file) => /^(\.\d+)?\.jsonl$/.test(file.slice(this.name.length))
      && file.startsWith(this.name)).map((file) => join(this.out, file));
  }

  /** Parameters of a stdio transport that runs a server through the recorder. */
  stdio(...command) {
    const args = [join(here, 'record.mjs'), this.file, process.execPath, ...command];
    return { command: process.execPath, args, env: { ...ENV, PORT: '0' }, stderr: 'ignore' };
  }

  /** Starts a proxy that records, and closes it after use. */
  async http(target, use) {
    const running = await proxy(this.file, target);
    try {
      return await use(running.origin, running);
    } finally {
      await running.close();
    }
  }

  /** Makes a transport report the messages of its client. */
  observe(transport) {
    const send = transport.send.bind(transport);
    let handler;
    transport.send = async (message, options) => {
      await send(message, options);
      // A resumed stream sends no message.
      if (!options?.resumptionToken) this.#sent.push(message);
    };
    Object.defineProperty(transport, 'onmessage', {
      get: () => handler && ((message, extra) => {
        this.#received.push(message);
        handler(message, extra);
      }),
      set: (value) => { handler = value; },
    });
    return transport;
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

  /** Checks that the recording has the form of docs/capture.md and all messages of its clients; returns its files. */
  check() {
    const files = this.files();
    assert(files.length > 0, `${this.name}: no recording`);
    const counts = new Map();
    const count = (direction, message) => `${direction} ${canonical(message)}`;
    for (const file of files) {
      const records = read(file);
      checkForm(file, records);
      for (const record of records) {
        const id = count(record.headers['parley-direction'], parsed(record));
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
    for (const [direction, messages] of [[TO_SERVER, this.#sent], [TO_CLIENT, this.#received]]) {
      for (const message of messages) {
        const id = count(direction, message);
        assert(counts.get(id) > 0, `${this.name}: not recorded: ${id.slice(0, 300)}`);
        counts.set(id, counts.get(id) - 1);
      }
    }
    return files;
  }
}

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
