// Records MCP traffic as a transcript of Parley (docs/cli.md), one JSON line for each message:
//   node record.mjs stdio FILE COMMAND [ARGUMENT...]   runs a server, between its client and its standard streams
//   node record.mjs http FILE URL [PORT]               reverse proxy for the origin of URL, until SIGINT or SIGTERM
// FILE must not exist; if it does, stdio takes NAME-2, NAME-3 and so on. NAME, which is the name of FILE without its
// suffix, is the key of a stdio session. Over HTTP, it is the key of all requests without a session ID and credentials.
// NAME-1, NAME-2 and so on are the keys of sessions, NAME-client-1 and so on of credentials without a session.
//
// Bytes pass unchanged. A message is recorded before its last byte is forwarded, so no answer precedes its request.
// Event streams are forwarded by chunk, other bodies as a whole. The proxy removes Accept-Encoding, so that it can read
// the responses. An `initialize` request waits until the answer names the session, and a DELETE until the answer says
// whether the session ended; later records wait with them.
// With PARLEY_RECORD_RAW=1, stdio also writes the forwarded bytes to FILE.client-to-server and FILE.server-to-client.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import http from 'node:http';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

export const TO_SERVER = 'client-to-server';
export const TO_CLIENT = 'server-to-client';
const COPIED = /^(mcp-protocol-version|mcp-method|mcp-name|mcp-param-.*|last-event-id)$/;
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'transfer-encoding'];

/** A body as the transcript has it: null if empty, Base64 if not UTF-8. */
function value(bytes) {
  if (bytes === null) return { wire: null };
  const wire = bytes.toString();
  return Buffer.from(wire).equals(bytes) ? { wire } : { wireBase64: bytes.toString('base64') };
}

/** Writes records in the order in which they were added, even if the key of some is not known yet. */
class Transcript {
  #file;
  #waiting = [];
  #begun = new Set();
  #closed = false;

  constructor(file) {
    this.#file = file;
  }

  /**
   * Adds a record.
   *
   * @param key the session, or null if a later call of `resolve` of the result sets it
   * @param headers the headers without those that are the same for all records
   * @param bytes the message, or null
   * @param seen whether the recorder sees the session begin, if this is its first record
   */
  add(key, direction, headers, bytes, seen = true) {
    const record = { timestamp: new Date().toISOString(), key, headers, seen, bytes, direction };
    record.resolve = (found, more = {}) => {
      record.key ??= found;
      Object.assign(record.headers, more);
      this.#flush();
    };
    this.#waiting.push(record);
    this.#flush();
    return record;
  }

  #flush() {
    while (!this.#closed && this.#waiting.length > 0 && this.#waiting[0].key !== null) {
      const { timestamp, key, headers, bytes, direction, seen } = this.#waiting.shift();
      const start = seen && !this.#begun.has(key) ? { 'parley-capture': 'start' } : {};
      this.#begun.add(key);
      const all = { 'parley-protocol': 'mcp', 'parley-direction': direction, ...start, ...headers };
      writeSync(this.#file, `${JSON.stringify({ timestamp, key, headers: all, ...value(bytes) })}\n`);
    }
  }

  /** Writes what still waits, with the given key, and closes the file. */
  close(key) {
    for (const record of this.#waiting) record.key ??= key;
    this.#flush();
    this.#closed = true;
    closeSync(this.#file);
  }
}

/** Cuts bytes into lines without their LF, and hands each to a function. */
class Lines {
  #rest = [];
  #line;

  constructor(line) {
    this.#line = line;
  }

  add(chunk) {
    for (let from = 0; ;) {
      const end = chunk.indexOf(10, from);
      if (end < 0) {
        this.#rest.push(chunk.subarray(from));
        return;
      }
      this.#line(Buffer.concat([...this.#rest.splice(0), chunk.subarray(from, end)]));
      from = end + 1;
    }
  }

  end() {
    const last = Buffer.concat(this.#rest.splice(0));
    if (last.length > 0) this.#line(last);
  }
}

/** Runs a server between this process and its standard streams. */
function stdio(file, command, args) {
  const suffix = file.lastIndexOf('.') > file.lastIndexOf('/') ? file.lastIndexOf('.') : file.length;
  let name = file;
  let opened;
  for (let n = 2; opened === undefined; n++) {
    try {
      opened = openSync(name, 'wx');
    } catch (failure) {
      if (failure.code !== 'EEXIST') throw failure;
      name = `${file.slice(0, suffix)}-${n}${file.slice(suffix)}`;
    }
  }
  const key = basename(name).replace(/\.[^.]*$/, '');
  const transcript = new Transcript(opened);
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const pass = (from, to, direction) => {
    const raw = process.env.PARLEY_RECORD_RAW ? openSync(`${name}.${direction}`, 'w') : null;
    const lines = new Lines((line) => transcript.add(key, direction, {}, line));
    from.on('data', (chunk) => {
      lines.add(chunk);
      if (raw !== null) writeSync(raw, chunk);
      if (!to.write(chunk)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    });
    from.on('end', () => {
      lines.end();
      if (to !== process.stdout) to.end();
    });
    // The other side is gone: its exit ends the recording.
    to.on('error', () => {});
  };
  pass(process.stdin, server.stdin, TO_SERVER);
  pass(server.stdout, process.stdout, TO_CLIENT);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal));
  server.on('error', (failure) => {
    console.error(`record: cannot run ${command}: ${failure.message}`);
    process.exit(127);
  });
  // Also after the last byte of its output.
  server.on('close', (code) => {
    transcript.add(key, TO_CLIENT, { 'parley-capture': 'end' }, null);
    transcript.close(key);
    process.exit(code ?? 1);
  });
}

/** Cuts an event stream into events, and hands the type and the data of each that has data to a function. */
class Events {
  #event;
  #type = '';
  #data = [];
  #lines = new Lines((line) => this.#take(line));

  constructor(event) {
    this.#event = event;
  }

  add(chunk) {
    this.#lines.add(chunk);
  }

  #take(bytes) {
    const line = bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes;
    if (line.length === 0) {
      const data = Buffer.concat(this.#data.flatMap((part, at) => (at === 0 ? [part] : [Buffer.from('\n'), part])));
      if (data.length > 0) this.#event(this.#type, data);
      this.#type = '';
      this.#data = [];
      return;
    }
    const colon = line.indexOf(58);
    const name = (colon < 0 ? line : line.subarray(0, colon)).toString();
    const rest = colon < 0 ? Buffer.alloc(0) : line.subarray(line[colon + 1] === 32 ? colon + 2 : colon + 1);
    if (name === 'data') this.#data.push(rest);
    if (name === 'event') this.#type = rest.toString();
  }
}

/** Says whether a body is an `initialize` request. */
function initializes(bytes) {
  try {
    return [JSON.parse(bytes.toString())].flat().some((message) => message?.method === 'initialize');
  } catch {
    return false;
  }
}

const sha256 = (value) => createHash('sha256').update(value).digest('hex');

/** The headers of a message without those of a single connection. */
function endToEnd(raw, removed = []) {
  const headers = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at].toLowerCase();
    if (!HOP_BY_HOP.includes(name) && !removed.includes(name)) headers.push(raw[at], raw[at + 1]);
  }
  return headers;
}

/**
 * Starts a reverse proxy that records.
 *
 * @param file the transcript, which must not exist
 * @param target the URL of the server; requests keep their own paths
 * @param port the port to listen on, 0 for any
 * @param forwarded called with exchange, direction and bytes whenever bytes of a body are forwarded
 * @return the origin of the proxy, a function that breaks all open event streams as a network does, and a function that
 *     closes the proxy and the transcript
 */
export async function proxy(file, target, port = 0, forwarded = () => {}) {
  const { hostname, port: targetPort } = new URL(target);
  const name = basename(file).replace(/\.[^.]*$/, '');
  const transcript = new Transcript(openSync(file, 'wx'));
  const sessions = new Map();
  const endpoints = new Map();
  const clients = new Map();
  const agent = new http.Agent({ keepAlive: false });
  const streams = new Set();
  let exchanges = 0;
  let count = 0;

  const keyOf = (map, id, make) => map.get(id) ?? map.set(id, make()).get(id);
  const sessionKey = (id) => keyOf(sessions, id, () => `${name}-${++count}`);
  const clientKey = ({ authorization }) =>
    (authorization === undefined ? name
      : keyOf(clients, sha256(authorization), () => `${name}-client-${clients.size + 1}`));

  /** Forwards a response, and records it under the key of its request. */
  function respond(exchange, request, from, to) {
    const { record } = request;
    const id = from.headers['mcp-session-id'];
    const sets = id !== undefined && request.session === undefined && record.key === null;
    const headers = {
      'parley-exchange': exchange, 'parley-http-status': `${from.statusCode}`,
      ...(sets ? { 'mcp-session-id': sha256(id) } : {}),
    };
    const ended = request.method === 'DELETE' && from.statusCode < 300 ? { 'parley-capture': 'end' } : {};
    const done = (key = request.key) => record.resolve(key, ended);
    const add = (bytes) => transcript.add(record.key, TO_CLIENT, { ...headers }, bytes);
    const pass = (chunk) => {
      forwarded(exchange, TO_CLIENT, chunk);
      return to.write(chunk);
    };
    if (sets) done(sessionKey(id));
    to.writeHead(from.statusCode, from.statusMessage, endToEnd(from.rawHeaders));
    if (/^text\/event-stream\b/i.test(from.headers['content-type'] ?? '')) {
      // The older transport names its session in the first event of the stream.
      if (request.method !== 'GET' || request.session !== undefined) done();
      const events = new Events((type, data) => {
        if (type === 'endpoint' && record.key === null) {
          const { pathname, search } = new URL(data.toString(), `http://${hostname}${request.url}`);
          endpoints.set(pathname + search, `${name}-${++count}`);
          done(endpoints.get(pathname + search));
        }
        done();
        add(data);
      });
      to.flushHeaders();
      streams.add(to);
      to.on('close', () => streams.delete(to));
      from.on('data', (chunk) => {
        events.add(chunk);
        if (!pass(chunk)) {
          from.pause();
          to.once('drain', () => from.resume());
        }
      });
      from.on('end', () => {
        done();
        to.end();
      });
    } else {
      const chunks = [];
      from.on('data', (chunk) => chunks.push(chunk));
      from.on('end', () => {
        done();
        const body = Buffer.concat(chunks);
        add(body.length > 0 ? body : null);
        if (body.length > 0) pass(body);
        to.end();
      });
    }
    from.on('error', () => {
      done();
      to.destroy();
    });
  }

  /** Records a whole request and forwards it. */
  function ask(incoming, body, outgoing) {
    const { method, url, headers } = incoming;
    const exchange = `${++exchanges}`;
    const session = headers['mcp-session-id'];
    const query = url.indexOf('?');
    const endpoint = endpoints.get(url);
    const initialize = session === undefined && endpoint === undefined && method === 'POST' && initializes(body);
    const seen = session === undefined || sessions.has(session);
    const unknown = initialize || (method === 'GET' && session === undefined);
    const key = session === undefined ? endpoint ?? clientKey(headers) : sessionKey(session);
    const request = { method, url, session, key };
    // A DELETE waits for its status, a new session for its name.
    request.record = transcript.add(unknown || method === 'DELETE' ? null : key, TO_SERVER, {
      'parley-exchange': exchange, 'parley-http-method': method,
      'parley-http-path': query < 0 ? url : url.slice(0, query),
      ...(query < 0 ? {} : { 'parley-http-query': url.slice(query + 1) }),
      ...(session === undefined ? {} : { 'mcp-session-id': sha256(session) }),
      ...Object.fromEntries(Object.entries(headers).filter(([header]) => COPIED.test(header))),
    }, body.length > 0 ? body : null, seen);
    const upstream = http.request({
      hostname, port: targetPort, method, path: url, agent,
      headers: endToEnd(incoming.rawHeaders, ['accept-encoding']),
    });
    upstream.on('response', (from) => respond(exchange, request, from, outgoing));
    upstream.on('error', () => {
      request.record.resolve(key);
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502).end();
    });
    outgoing.on('close', () => upstream.destroy());
    if (body.length > 0) forwarded(exchange, TO_SERVER, body);
    upstream.end(body);
  }

  const server = http.createServer((incoming, outgoing) => {
    const chunks = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => ask(incoming, Buffer.concat(chunks), outgoing));
    incoming.on('error', () => outgoing.destroy());
  });
  await new Promise((resolve, reject) => server.on('error', reject).listen(port, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    cut() {
      for (const stream of streams) stream.destroy();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
      transcript.close(name);
    },
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [mode, file, target, ...rest] = process.argv.slice(2);
  if (mode === 'stdio' && target) {
    stdio(file, target, rest);
  } else if (mode === 'http' && target) {
    const running = await proxy(file, target, Number(rest[0] ?? 0));
    console.log(running.origin);
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => running.close());
  } else {
    console.error('usage: record.mjs stdio FILE COMMAND [ARGUMENT...] | http FILE URL [PORT]');
    process.exitCode = 2;
  }
}
