// Keeps the bytes that pass, changes none, and compares what passed before the tap with what passed after it.
//   node copy.mjs FILE COMMAND [ARGUMENT...]   runs a server between its client and its standard streams
// The first of two in a chain writes FILE-PID-client.in and FILE-PID-client.out, the second one FILE-PID-server.in and
// FILE-PID-server.out, with the PID of the first one. Over HTTP, link() is a proxy.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync, readdirSync } from 'node:fs';
import http from 'node:http';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { createParser } from 'eventsource-parser';

export const TO_SERVER = 'client-to-server';
export const TO_CLIENT = 'server-to-client';
/** Header by which two links know an exchange; only the tap sees it. */
const EXCHANGE = 'x-parley-link';
const OF_CONNECTION = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade', 'transfer-encoding'];

/** Runs a command between this process and its standard streams. */
function stdio(file, command, args) {
  const { PARLEY_COPY: first, ...env } = process.env;
  const name = first ? `${file}-${first}-server` : `${file}-${process.pid}-client`;
  const server = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'], env: first ? env : { ...env, PARLEY_COPY: `${process.pid}` },
  });
  const pass = (from, to, copy) => {
    from.on('data', (chunk) => {
      copy.write(chunk);
      to.write(chunk);
    });
    from.on('end', () => to !== process.stdout && to.end());
    // The other side is gone: its exit ends the copy.
    to.on('error', () => {});
    return copy;
  };
  const copies = [
    pass(process.stdin, server.stdin, createWriteStream(`${name}.in`)),
    pass(server.stdout, process.stdout, createWriteStream(`${name}.out`)),
  ];
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal));
  // After the last byte of its output.
  server.on('close', async (code) => {
    await Promise.all(copies.map((copy) => new Promise((resolve) => copy.end(resolve))));
    process.exit(code ?? 1);
  });
}

/** Compares the copies of all processes before and after the tap; returns their lines, by direction. */
export function compareStdio(file) {
  const lines = { [TO_SERVER]: [], [TO_CLIENT]: [] };
  const clients = readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}-`)
    && /^-\d+-client\.(in|out)$/.test(name.slice(basename(file).length)));
  for (const name of clients) {
    const client = readFileSync(join(dirname(file), name));
    const server = readFileSync(join(dirname(file), name.replace('-client', '-server')));
    const isInput = name.endsWith('.in');
    // A server that ends does not read the rest.
    const isSame = isInput ? client.subarray(0, server.length).equals(server) : client.equals(server);
    assert(isSame, `${name}: ${client.length} bytes of the client differ from ${server.length} bytes of the server`);
    const direction = isInput ? TO_SERVER : TO_CLIENT;
    lines[direction].push(...client.toString('latin1').split('\n').filter(Boolean));
  }
  return lines;
}

/** The headers of a message without those of a single connection. */
function endToEnd(raw, removed = []) {
  const headers = [];
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at].toLowerCase();
    if (!OF_CONNECTION.includes(name) && !removed.includes(name)) headers.push(raw[at], raw[at + 1]);
  }
  return headers;
}

/**
 * Starts a proxy that changes nothing but the connection, and keeps what passes.
 *
 * @param isFirst whether it is the one before the tap
 * @return its origin, the exchanges by name, a function that breaks all open event streams as a network does, and a
 *     function that closes it
 */
export async function link(target, isFirst) {
  const { hostname, port } = new URL(target);
  const exchanges = new Map();
  const streams = new Set();

  const server = http.createServer((incoming, outgoing) => {
    const { method, url, rawHeaders, headers } = incoming;
    const id = isFirst ? `${exchanges.size + 1}` : headers[EXCHANGE];
    if (id === undefined) {
      // A client of another session, which had this port before, tries again. One that the tap cut off would be missed.
      outgoing.destroy();
      return;
    }
    const request = { method, url, headers: endToEnd(rawHeaders, ['host', 'via', EXCHANGE]), body: [] };
    const exchange = { request, response: undefined };
    exchanges.set(id, exchange);
    const sent = endToEnd(rawHeaders, isFirst ? [] : [EXCHANGE]);
    // The length of a body, not its chunks, passes.
    const chunked = 'transfer-encoding' in headers ? ['Transfer-Encoding', 'chunked'] : [];
    const upstream = http.request({
      hostname, port, method, path: url, agent: false,
      headers: [...sent, ...chunked, ...(isFirst ? [EXCHANGE, id] : [])],
    });
    incoming.on('data', (chunk) => request.body.push(chunk));
    incoming.pipe(upstream);
    upstream.on('response', (from) => {
      const response = {
        status: from.statusCode, headers: endToEnd(from.rawHeaders), body: [], isComplete: false,
        isStream: /^text\/event-stream\b/i.test(from.headers['content-type'] ?? ''),
      };
      exchange.response = response;
      outgoing.writeHead(from.statusCode, from.statusMessage, response.headers);
      outgoing.flushHeaders();
      if (response.isStream) streams.add(outgoing);
      from.on('data', (chunk) => response.body.push(chunk));
      from.on('end', () => { response.isComplete = from.complete; });
      from.on('error', () => outgoing.destroy());
      from.pipe(outgoing);
    });
    upstream.on('error', () => {
      exchange.hasFailed = true;
      outgoing.destroy();
    });
    outgoing.on('close', () => {
      exchange.hasLeft = !exchange.hasFailed && exchange.response === undefined;
      streams.delete(outgoing);
      upstream.destroy();
    });
  });
  server.keepAliveTimeout = 0;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    exchanges,
    cut() {
      for (const stream of streams) stream.destroy();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Headers in an order of their own, without the length: the end of a body without bytes may be a chunk. */
const pairs = (raw) => raw.flatMap((name, at) => (at % 2 ? [] : [`${name.toLowerCase()}: ${raw[at + 1]}`]))
  .filter((pair) => !pair.startsWith('content-length: ')).sort();

/** The messages of a body, as Latin-1: a character is a byte. */
function messages({ isStream, isComplete, headers, body }) {
  const bytes = Buffer.concat(body);
  const isCompressed = isComplete && pairs(headers).includes('content-encoding: gzip');
  const text = (isCompressed ? gunzipSync(bytes) : bytes).toString('latin1');
  if (!isStream) return isComplete ? [text] : [];
  const events = [];
  const parser = createParser({ onEvent: ({ event = 'message', data }) => {
    if (event === 'message' && data !== '') events.push(data);
  } });
  parser.feed(text);
  return events;
}

/** Compares the exchanges before the tap with those after it; returns the messages of both, by direction. */
export function compareHttp(name, before, after) {
  const passed = [before, after].map(() => ({ [TO_SERVER]: [], [TO_CLIENT]: [] }));
  let refused = 0;
  for (const [id, { request, response, hasLeft }] of before) {
    const where = `${name}, exchange ${id}, ${request.method} ${request.url}`;
    const other = after.get(id);
    if (!other) {
      // A client may go away before; the tap protects a local server from pages that call it by another name.
      assert(hasLeft || response?.status === 421, `${where}: did not reach the server, but got ${response?.status}`);
      passed[1][TO_SERVER].push(...(hasLeft ? [Buffer.concat(request.body).toString('latin1')] : []));
      refused++;
      continue;
    }
    const [sent, got] = [request, other.request].map(({ body, headers, ...line }) =>
      ({ ...line, headers: pairs(headers), body: Buffer.concat(body).toString('latin1') }));
    assert.deepEqual(got, sent, where);
    for (const part of passed) part[TO_SERVER].push(sent.body);
    if (other.response) passed[1][TO_CLIENT].push(...messages(other.response));
    // A client that went away, or whose stream broke, has a part of the response.
    if (!response) continue;
    passed[0][TO_CLIENT].push(...messages(response));
    assert.equal(response.status, other.response?.status, where);
    assert.deepEqual(pairs(response.headers), pairs(other.response.headers), where);
    const [from, to] = [other.response, response].map(({ body }) => Buffer.concat(body));
    assert(from.subarray(0, to.length).equals(to) && (!response.isComplete || from.length === to.length),
      `${where}: ${to.length} bytes at the client differ from ${from.length} bytes of the server`);
  }
  assert.equal(after.size + refused, before.size, `${name}: exchanges`);
  return passed;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [file, command, ...args] = process.argv.slice(2);
  stdio(file, command, args);
}
