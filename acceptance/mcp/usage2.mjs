// Uses every feature of server2.mjs with the client of SDK 2, in the negotiated era: create(mode), use(client).
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { refused } from './everything.mjs';

/** A client that answers sampling, elicitation and roots; its mode is legacy, auto or { pin: VERSION }. */
export function create(mode, capabilities = undefined) {
  const client = new Client({ name: 'recorder', version: '2.0.0' }, {
    capabilities: capabilities ?? { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } },
    versionNegotiation: { mode, probe: { timeoutMs: 20_000 } },
  });
  let asked = 0;
  client.fallbackNotificationHandler = async () => {};
  if (capabilities === undefined) {
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///work/a', name: 'a' }] }));
    client.setRequestHandler('sampling/createMessage', () => (
      { role: 'assistant', model: 'none', stopReason: 'endTurn', content: { type: 'text', text: 'word' } }));
    client.setRequestHandler('elicitation/create', ({ params }) => {
      if (params.mode === 'url') return { action: 'accept' };
      if (++asked % 4 === 0) return { action: asked % 8 === 0 ? 'cancel' : 'decline' };
      const values = { string: 'because', boolean: true, number: 1, integer: 1 };
      const content = Object.entries(params.requestedSchema.properties).map(([key, { type }]) => [key, values[type]]);
      return { action: 'accept', content: Object.fromEntries(content) };
    });
  }
  return client;
}

const call = (client, name, args = {}, options = undefined, meta = undefined) =>
  client.callTool({ name, arguments: args, ...(meta ? { _meta: meta } : {}) }, options);

async function calls(client, modern) {
  await client.listTools();
  for (let n = 0; n < 10; n++) await call(client, 'add', { a: n, b: 0.5 });
  await Promise.all(Array.from({ length: 10 }, (_, n) => call(client, 'add', { a: n, b: n })));
  await refused(call(client, 'add', { a: 'x' }));
  await refused(call(client, 'no-such-tool'));
  await refused(call(client, 'fail'));
  await refused(call(client, 'wrong-output'));
  await refused(client.request({ method: 'no/such/method', params: {} }, z.looseObject({})));
  await refused(client.listTools({ cursor: 'no such cursor' }));
  for (const args of [{ region: 'eu-1', priority: 3 }, { region: 'Zürich „x“' }, { region: ' spaces ' }]) {
    await refused(call(client, 'region', args));
  }
  const onprogress = () => {};
  await call(client, 'slow', { steps: 5, pause: 10 }, { onprogress });
  const logged = {
    'io.modelcontextprotocol/logLevel': 'info', traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  };
  await call(client, 'slow', { steps: 4, pause: 10 }, undefined, modern ? logged : {});
  await Promise.all([5, 20, 10].map((pause) => call(client, 'slow', { steps: 4, pause }, { onprogress })));
  const stop = new AbortController();
  // The next progress comes much later than the cancellation.
  await refused(call(client, 'slow', { steps: 4, pause: 200 },
    { onprogress: () => stop.abort('not needed'), signal: stop.signal }));
  await refused(call(client, 'slow', { steps: 1, pause: 300 }, { timeout: 100 }));
  await sleep(300);
}

async function input(client) {
  for (let n = 0; n < 4; n++) await refused(call(client, 'deploy', { target: `t${n}` }));
  for (const name of ['ask-all', 'wait']) await refused(call(client, name));
  await refused(client.readResource({ uri: 'note://secret' }));
  await refused(client.getPrompt({ name: 'ask' }));
}

async function resources(client, modern) {
  const { resources: listed } = await client.listResources();
  await client.listResourceTemplates();
  for (const { uri } of listed) if (uri !== 'note://secret') await client.readResource({ uri });
  await client.readResource({ uri: 'note://number/7' });
  await refused(client.readResource({ uri: 'note://none' }));
  if (!modern) {
    await refused(client.subscribeResource({ uri: 'note://last' }));
    await call(client, 'note');
    await refused(client.unsubscribeResource({ uri: 'note://last' }));
  }
}

async function prompts(client) {
  await client.listPrompts();
  await client.getPrompt({ name: 'hello' });
  await client.getPrompt({ name: 'greet', arguments: { name: 'Ann' } });
  await refused(client.getPrompt({ name: 'greet', arguments: {} }));
  await refused(client.getPrompt({ name: 'no-such-prompt' }));
  await client.complete({ ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: 'An' } });
  const numbered = { type: 'ref/resource', uri: 'note://number/{n}' };
  await client.complete({ ref: numbered, argument: { name: 'n', value: '12' } });
  await refused(client.complete({ ref: { type: 'ref/prompt', name: 'no' }, argument: { name: 'x', value: '' } }));
}

/** Two subscriptions at once, changes, and their ends. */
async function listen(client) {
  const all = await client.listen({
    toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true,
    resourceSubscriptions: ['note://last'],
  });
  const few = await client.listen({ toolsListChanged: true });
  await call(client, 'note');
  await call(client, 'toggle');
  await client.listTools(undefined, { cacheMode: 'refresh' });
  await refused(call(client, 'extra'));
  await call(client, 'toggle');
  await sleep(100);
  await few.close();
  await call(client, 'note');
  await sleep(100);
  await all.close();
  await call(client, 'toggle');
  await call(client, 'toggle');
}

export async function use(client) {
  const modern = client.getProtocolEra() === 'modern';
  if (modern) await client.discover();
  else await client.ping();
  await calls(client, modern);
  await input(client);
  await resources(client, modern);
  await prompts(client);
  if (modern) {
    await listen(client);
  } else {
    await refused(client.setLoggingLevel('debug'));
    await call(client, 'slow', { steps: 4, pause: 10 });
    await client.sendRootsListChanged();
    await call(client, 'toggle');
    await refused(call(client, 'extra'));
    await call(client, 'toggle');
    await client.ping();
  }
}
