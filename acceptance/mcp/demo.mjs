// A demo: the whole Parley, with its broker, in one process.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { PARLEY } from './harness.mjs';

const ANY = '127.0.0.1:0';
const running = new Set();
process.on('exit', () => running.forEach((demo) => demo.kill('SIGKILL')));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

/**
 * Starts a demo with further arguments, at free ports or at the addresses of an earlier one.
 *
 * @returns its addresses, its token if it has one, and functions that end it
 */
export async function startDemo(args = [], { kafka = ANY, registry = ANY, api = ANY } = {}) {
  const demo = spawn(PARLEY, ['demo', ...args, '--set', `bootstrap.servers=${kafka}`,
    '--set', `schema.registry.url=http://${registry}`, '--set', `http.port=${api.split(':')[1]}`],
  { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(demo);
  const ended = new Promise((resolve) => demo.on('close', resolve)).then(() => running.delete(demo));
  let said = '';
  const address = (name) => new RegExp(`^ *${name} *(?:http://)?([\\d.]+:\\d+).*\\n`, 'm').exec(said)?.[1];
  await Promise.race([ended.then(() => { throw new Error(`the demo has ended: ${said}`); }), new Promise((resolve) => {
    demo.stdout.on('data', (chunk) => {
      said += chunk;
      if (address('HTTP API')) resolve();
    });
  })]);
  const end = (signal) => {
    demo.kill(signal);
    return ended;
  };
  return {
    addresses: { kafka: address('Kafka'), registry: address('Schema Registry'), api: address('HTTP API') },
    url: `http://${address('HTTP API')}`,
    token: /PARLEY_TOKEN=(\S+)/.exec(said)?.[1],
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

/** Waits until a function returns something. Fails after five minutes, with what it returned last as `seen`. */
export async function eventually(what, get) {
  let seen;
  for (const end = Date.now() + 300_000; Date.now() < end;) {
    const found = await get((last) => { seen = last; });
    if (found) return found;
    await sleep(100);
  }
  throw new Error(`expected ${what}, but found ${JSON.stringify(seen)}`);
}
