// Latency of parley tap http next to nginx as a plain proxy, in one run:
//   node tap.mjs [--rate N] [--seconds N] [--rounds N] [--max-added MS]
// Sends small calls of MCP to a server that answers at once: directly, through nginx, and through the tap, which
// records them, in turn. Calls start at a fixed rate, however long others take, and a latency counts from the time at
// which the call is due, so that a pause counts for all calls that it delays. Fails if the tap adds more than MS (2) to
// nginx's p99, or does not record each message.
import assert from 'node:assert/strict';
import { execFileSync, fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NGINX = '/usr/sbin/nginx';
const WARM_UP_SECONDS = 8;
const BODY = JSON.stringify({
  jsonrpc: '2.0', id: 1, method: 'tools/call',
  params: { name: 'search', arguments: { query: 'x'.repeat(200), limit: 10 } },
});
const HEADERS = {
  'content-type': 'application/json', accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25', 'mcp-session-id': '0b3c7f5e-7a40-4b8e-9d55-0d6a4f3f2c11',
  'content-length': Buffer.byteLength(BODY),
};

const body = (request) => new Promise((resolve, reject) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => resolve(Buffer.concat(chunks).toString()));
  request.on('error', reject);
});

/** A server of MCP that answers a call with its arguments, and the receiver of the tap's records: two processes. */
async function serve(kind) {
  let records = 0;
  const server = http.createServer(async (request, response) => {
    const text = await body(request);
    if (kind === 'receiver') {
      records += text.split('\n').filter((line) => line.includes('"wireBase64":"')).length;
      response.writeHead(202).end('{}');
    } else {
      const { id, params } = JSON.parse(text);
      const content = [{ type: 'text', text: params.arguments.query }];
      const answer = JSON.stringify({ jsonrpc: '2.0', id, result: { content } });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) });
      response.end(answer);
    }
  });
  server.keepAliveTimeout = 600_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.on('message', () => process.send(records));
  process.on('disconnect', () => process.exit());
  process.send(server.address().port);
}

const message = (child) => new Promise((resolve) => child.once('message', resolve));

/** Sends calls at a rate; returns sorted latencies in milliseconds. */
async function load(origin, rate, seconds) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity, scheduling: 'lifo' });
  const url = new URL('/mcp', origin);
  const latencies = [];
  const calls = [];
  const begin = performance.now() + 10;
  for (let n = 0; n < rate * seconds; n++) {
    const due = begin + (n * 1000) / rate;
    for (let left; (left = due - performance.now()) > 0;) {
      // A timer has a resolution of a millisecond.
      await (left > 1.5 ? sleep(Math.floor(left - 0.5)) : new Promise(setImmediate));
    }
    calls.push(new Promise((resolve, reject) => {
      const request = http.request(url, { method: 'POST', agent, headers: HEADERS }, async (response) => {
        const text = await body(response);
        latencies.push(performance.now() - due);
        if (response.statusCode === 200 && text.includes('"result"')) resolve();
        else reject(new Error(`${origin} answered ${response.statusCode} ${text}`));
      });
      request.on('error', reject);
      request.end(BODY);
    }));
  }
  await Promise.all(calls);
  agent.destroy();
  return latencies.sort((a, b) => a - b);
}

const quantile = (sorted, q) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * q) - 1)];
const median = (values) => values.slice().sort((a, b) => a - b)[values.length >> 1];
const spread = (values, digits) => `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to `
  + `${Math.max(...values).toFixed(digits)})`;

/** CPU time of processes in milliseconds. */
function cpu(pids) {
  const tick = 1000 / Number(execFileSync('getconf', ['CLK_TCK']));
  return pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return sum + tick * (Number(fields[11]) + Number(fields[12]));
  }, 0);
}

const memory = (pids) => pids.reduce((sum, pid) =>
  sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024, 0);

async function freePort() {
  const server = net.createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts nginx before a server: one worker, connections to both sides kept, and no log. */
async function nginx(directory, target) {
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${directory}/${name};`).join(' ');
  writeFileSync(join(directory, 'nginx.conf'), `
    worker_processes 1; daemon off; pid ${directory}/nginx.pid; error_log stderr warn;
    events {}
    http {
      access_log off; ${temporary}
      upstream server { server ${new URL(target).host}; keepalive 64; keepalive_requests 1000000; }
      server {
        listen 127.0.0.1:${port}; keepalive_requests 1000000;
        location / { proxy_pass http://server; proxy_http_version 1.1; proxy_set_header Connection ""; }
      }
    }`);
  const child = spawn(NGINX, ['-p', directory, '-c', 'nginx.conf', '-e', 'stderr'], { stdio: 'inherit' });
  for (let tries = 0; ; tries++) {
    const isUp = await new Promise((resolve) => net.connect(port, '127.0.0.1', function connected() {
      this.destroy();
      resolve(true);
    }).on('error', () => resolve(false)));
    if (isUp) break;
    assert(child.exitCode === null && tries < 200, 'nginx did not start');
    await sleep(50);
  }
  const worker = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').map(Number);
  return { name: 'nginx', origin: `http://127.0.0.1:${port}`, child, pids: [child.pid, ...worker] };
}

/** Starts the tap of the build that ./parley has made. */
async function tap(directory, target, receiver) {
  const child = spawn(join(ROOT, 'target/parley/current/bin/parley'), ['tap', 'http', '--listen', '127.0.0.1:0', '--to',
    target, '--url', receiver, '--state', join(directory, 'state')], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  const origin = await new Promise((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      said += chunk;
      const [, address] = /listening on (http:\S+) for/.exec(said) ?? [];
      if (address) resolve(address);
    });
    child.on('close', () => reject(new Error(said)));
  });
  return { name: '`parley tap http`', origin, child, pids: [child.pid], said: () => said };
}

async function run() {
  const { values } = parseArgs({ options: {
    rate: { type: 'string', default: '500' }, seconds: { type: 'string', default: '15' },
    rounds: { type: 'string', default: '3' }, 'max-added': { type: 'string', default: '2' },
  } });
  const [rate, seconds, rounds, maxAdded] = ['rate', 'seconds', 'rounds', 'max-added']
    .map((name) => Number(values[name]));
  const directory = mkdtempSync(join(tmpdir(), 'parley-tap-'));
  const children = [];
  try {
    const [server, receiver] = ['server', 'receiver']
      .map((kind) => fork(fileURLToPath(import.meta.url), [`--${kind}`]));
    children.push(server, receiver);
    const [target, wire] = (await Promise.all([message(server), message(receiver)]))
      .map((port) => `http://127.0.0.1:${port}`);
    const ways = [{ name: 'direct', origin: target, pids: [] }, await nginx(directory, target)];
    children.push(ways[1].child);
    const tapped = await tap(directory, target, wire);
    children.push(tapped.child);
    ways.push(tapped);
    for (const way of ways) await load(way.origin, rate, WARM_UP_SECONDS);
    const measured = new Map(ways.map(({ name }) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const { name, origin, pids } of ways) {
        const before = cpu(pids);
        const latencies = await load(origin, rate, seconds);
        measured.get(name).push({
          p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), p999: quantile(latencies, 0.999),
          cpu: (1000 * (cpu(pids) - before)) / latencies.length, memory: memory(pids),
        });
      }
    }
    console.log(`${rate} calls/s, ${rounds} rounds of ${seconds} s\n`);
    console.log('| | p50, ms | p99, ms | p99.9, ms | CPU per call, µs | resident memory, MB |');
    console.log('|---|---|---|---|---|---|');
    for (const [name, results] of measured) {
      const cell = (key, digits) => spread(results.map((result) => result[key]), digits);
      const own = name === 'direct' ? ['', ''] : [cell('cpu', 0), median(results.map((one) => one.memory)).toFixed(0)];
      console.log(`| ${name} | ${cell('p50', 2)} | ${cell('p99', 2)} | ${cell('p999', 2)} | ${own.join(' | ')} |`);
    }
    const p99 = (name) => median(measured.get(name).map((result) => result.p99));
    const added = p99(tapped.name) - p99('nginx');
    console.log(`\nadded to the p99 of nginx: ${added.toFixed(2)} ms`);
    const ended = new Promise((resolve) => { tapped.child.removeAllListeners('close').on('close', resolve); });
    tapped.child.kill('SIGTERM');
    assert.equal(await ended, 0, tapped.said());
    receiver.send('records');
    assert.equal(await message(receiver), 2 * rate * (WARM_UP_SECONDS + rounds * seconds), 'records of the tap');
    assert(added <= maxAdded, `the tap adds more than ${maxAdded} ms`);
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await sleep(100);
    rmSync(directory, { recursive: true });
  }
}

const [kind] = process.argv.slice(2);
if (kind === '--server' || kind === '--receiver') await serve(kind.slice(2));
else await run();
