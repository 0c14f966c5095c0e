// A recorder of MCP traffic, as docs/capture.md describes it. Writes a transcript (docs/cli.md) when the traffic ends.
//   node record.mjs FILE COMMAND [ARGUMENT...]   runs a server between its client and its standard streams
// If FILE, which is NAME.jsonl, exists, NAME.2.jsonl is written, and so on. The key of a stdio session is the file's
// name without .jsonl. Over HTTP, proxy() records: NAME is the key of requests without a session ID and credentials,
// NAME-1 and so on are the keys of sessions, NAME-client-1 and so on those of credentials without a session.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import http from 'node:http';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createParser } from 'eventsource-parser';

export const TO_SERVER = 'client-to-server';
export const TO_CLIENT = 'server-to-client';
const COPIED = /^(mcp-protocol-version|mcp-method|mcp-name|mcp-param-.*|last-event-id)$/;
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'transfer-encoding'];

const keyOf = (file) => basename(file, '.jsonl');
const sha256 = (value) => createHash('sha256').update(value).digest('hex');

/** Records in the order in which they passed. */
class Transcript {
  #file;
  #records = [];

  constructor(file) {
    this.#file = openSync(file, 'wx');
  }

  /**
   * Adds a record.
   *
   * @param call its session, which may still change, and its exchange over HTTP
   * @param bytes the message, or null
   */
  add(call, direction, headers, bytes) {
    this.#records.push({ timestamp: new Date().toISOString(), call, direction, headers, bytes });
  }

  close() {
    const begun = new Set();
    for (const { timestamp, call, direction, headers, bytes } of this.#records) {
      const { key, isCaptured } = call.session;
      const wire = bytes?.toString() ?? null;
      writeSync(this.#file, `${JSON.stringify({
        timestamp, key,
        headers: {
          'parley-protocol': 'mcp', 'parley-direction': direction,
          ...(isCaptured && !begun.has(key) ? { 'parley-capture': 'start' } : {}),
          ...(call.exchange ? { 'parley-exchange': call.exchange } : {}), ...headers,
        },
        ...(wire === null || Buffer.from(wire).equals(bytes) ? { wire } : { wireBase64: bytes.toString('base64') }),
      })}\n`);
      begun.add(key);
    }
    closeSync(this.#file);
  }
}

/** Opens a transcript whose file does not exist yet. */
function open(file) {
  for (let n = 1; ; n++) {
    const name = n === 1 ? file : file.replace(/\.jsonl$/, `.${n}.jsonl`);
    try {
      return [name, new Transcript(name)];
    } catch (failure) {
      if (failure.code !== 'EEXIST') throw failure;
    }
  }
}

/** Runs a server between this process and its standard streams. */
function stdio(file, command, args) {
  const [name, transcript] = open(file);
  const call = { session: { key: keyOf(name), isCaptured: true } };
  const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const pass = (from, to, direction) => {
    let rest = Buffer.alloc(0);
    from.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (let end; (end = rest.indexOf(10)) >= 0; rest = rest.subarray(end + 1)) {
        transcript.add(call, direction, {}, rest.subarray(0, end));
      }
      to.write(chunk);
    });
    from.on('end', () => {
      if (rest.length > 0) transcript.add(call, direction, {}, rest);
      if (to !== process.stdout) to.end();
    });
    // The other side is gone: its exit ends the recording.
    to.on('error', () => {});
  };
  pass(process.stdin, server.stdin, TO_SERVER);
  pass(server.stdout, process.stdout, TO_CLIENT);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal));
  // After the last byte of its output.
  server.on('close', (code) => {
    transcript.add(call, TO_CLIENT, { 'parley-capture': 'end' }, null);
    transcript.close();
    process.exit(code ?? 1);
  });
}

/** Whether a body has an `initialize` request. */
function initializes(body) {
  try {
    return [JSON.parse(body.toString())].flat().some((message) => message?.method === 'initialize');
  } catch {
    return false;
  }
}

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
 * Starts a reverse proxy that records. Event streams are forwarded by chunk, other bodies as a whole. The proxy removes
 * Accept-Encoding, so that it can read the responses.
 *
 * @param file the transcript, which must not exist
 * @param target the URL of the server; requests keep their own paths
 * @return the origin of the proxy, a function that breaks all open event streams as a network does, and a function that
 *     closes the proxy and the transcript
 */
export async function proxy(file, target) {
  const { hostname, port } = new URL(target);
  const name = keyOf(file);
  const transcript = new Transcript(file);
  /** By session ID, path of a session of HTTP+SSE, or credentials. */
  const sessions = new Map();
  const streams = new Set();
  let exchanges = 0;
  let count = 0;
  let clients = 0;

  const session = (id, make) => sessions.get(id) ?? sessions.set(id, make()).get(id);
  const opened = (id, isCaptured) => session(id, () => ({ key: `${name}-${++count}`, isCaptured }));
  const client = (authorization) => session(`client ${authorization}`,
    () => ({ key: authorization ? `${name}-client-${++clients}` : name, isCaptured: true }));

  /** Forwards a response, and records it. A response can name the session of its request. */
  function respond(call, from, to) {
    const { statusCode: status, headers } = from;
    const id = headers['mcp-session-id'];
    if (id !== undefined && call.mayOpen) call.session = opened(id, true);
    const add = (bytes) => transcript.add(call, TO_CLIENT, {
      'parley-http-status': `${status}`, ...(id === undefined ? {} : { 'mcp-session-id': sha256(id) }),
      ...(call.method === 'DELETE' && status < 300 ? { 'parley-capture': 'end' } : {}),
    }, bytes);
    to.writeHead(status, from.statusMessage, endToEnd(from.rawHeaders));
    to.flushHeaders();
    if (/^text\/event-stream\b/i.test(headers['content-type'] ?? '')) {
      // As Latin-1, a character is a byte.
      const parser = createParser({ onEvent: ({ event = 'message', data }) => {
        if (event === 'endpoint') {
          const { pathname, search } = new URL(Buffer.from(data, 'latin1').toString(), target);
          call.session = opened(pathname + search, true);
        } else if (event === 'message' && data !== '') {
          add(Buffer.from(data, 'latin1'));
        }
      } });
      streams.add(to);
      to.on('close', () => streams.delete(to));
      from.on('data', (chunk) => {
        parser.feed(chunk.toString('latin1'));
        to.write(chunk);
      });
      from.on('end', () => to.end());
    } else {
      const chunks = [];
      from.on('data', (chunk) => chunks.push(chunk));
      from.on('end', () => {
        const body = Buffer.concat(chunks);
        add(body.length > 0 ? body : null);
        to.end(body);
      });
    }
    from.on('error', () => to.destroy());
  }

  /** Records a whole request and forwards it. */
  function ask(incoming, body, outgoing) {
    const { method, url, headers } = incoming;
    const id = headers['mcp-session-id'];
    const [path, ...rest] = url.split('?');
    const query = rest.join('?').split('&').filter((pair) => !pair.startsWith('sessionId=')).join('&');
    const call = {
      exchange: `${++exchanges}`, method,
      mayOpen: id === undefined && (initializes(body) || method === 'GET'),
      session: id !== undefined ? opened(id, false) : sessions.get(url) ?? client(headers.authorization),
    };
    transcript.add(call, TO_SERVER, {
      'parley-http-method': method, 'parley-http-path': path,
      ...(query === '' ? {} : { 'parley-http-query': query }),
      ...(id === undefined ? {} : { 'mcp-session-id': sha256(id) }),
      ...Object.fromEntries(Object.entries(headers).filter(([header]) => COPIED.test(header))),
    }, body.length > 0 ? body : null);
    const upstream = http.request({
      hostname, port, method, path: url, agent: false, headers: endToEnd(incoming.rawHeaders, ['accept-encoding']),
    });
    upstream.on('response', (from) => respond(call, from, outgoing));
    upstream.on('error', () => outgoing.destroy());
    outgoing.on('close', () => upstream.destroy());
    upstream.end(body);
  }

  const server = http.createServer((incoming, outgoing) => {
    const chunks = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => ask(incoming, Buffer.concat(chunks), outgoing));
    incoming.on('error', () => outgoing.destroy());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    cut() {
      for (const stream of streams) stream.destroy();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      transcript.close();
    },
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [file, command, ...args] = process.argv.slice(2);
  stdio(file, command, args);
}
