// Uses every feature of server-everything with the client of SDK 1: create(), and use(client) or brief(client).
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTaskMessageQueue, InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks';
import * as types from '@modelcontextprotocol/sdk/types.js';

const ROOTS = [{ uri: 'file:///work/a', name: 'a' }, { uri: 'file:///work/b' }];
const CAPABILITIES = {
  roots: { listChanged: true },
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } },
};

/** Makes the task of a server's request and completes it later. */
async function later(extra, task, result) {
  const created = await extra.taskStore.createTask({ ttl: task.ttl, pollInterval: 200 });
  setTimeout(() => extra.taskStore.storeTaskResult(created.taskId, 'completed', result).catch(() => {}), 500);
  return { task: created };
}

/** A client that answers sampling, elicitation and roots, and takes every notification. */
export function create(capabilities = CAPABILITIES) {
  const taskStore = new InMemoryTaskStore();
  const client = new Client({ name: 'recorder', version: '1.0.0' }, {
    capabilities, ...(capabilities.tasks ? { taskStore, taskMessageQueue: new InMemoryTaskMessageQueue() } : {}),
  });
  const counts = { elicitation: 0, sampling: 0 };
  client.roots = ROOTS;
  client.hasTasks = capabilities.tasks !== undefined;
  client.fallbackNotificationHandler = async () => {};
  client.cleanup = () => taskStore.cleanup();
  if (capabilities.roots) {
    client.setRequestHandler(types.ListRootsRequestSchema, async () => ({ roots: client.roots }));
  }
  if (capabilities.sampling) {
    client.setRequestHandler(types.CreateMessageRequestSchema, async ({ params }, extra) => {
      if (++counts.sampling === 2) throw new types.McpError(-1, 'User rejected sampling request');
      const result = {
        role: 'assistant', model: 'none', stopReason: 'endTurn',
        content: { type: 'text', text: `reply ${counts.sampling} – „ok“` },
      };
      return params.task ? later(extra, params.task, result) : result;
    });
  }
  if (capabilities.elicitation) {
    client.setRequestHandler(types.ElicitRequestSchema, async ({ params }, extra) => {
      const action = ['accept', 'decline', 'cancel'][counts.elicitation++ % 3];
      if (params.task) return later(extra, params.task, { action: 'accept', content: { name: 'Ann' } });
      if (params.mode === 'url') return { action };
      const { properties } = params.requestedSchema;
      if (action !== 'accept') return { action };
      const form = { name: 'Ann', check: true, integer: 7 };
      return { action, content: properties.interpretation ? { interpretation: 'snake' } : form };
    });
  }
  return client;
}

export const call = (client, name, args = {}, options = undefined) =>
  client.callTool({ name, arguments: args }, undefined, options);
export const refused = (promise) => promise.then((value) => ({ value }), (error) => ({ error }));

async function tools(client) {
  const { tools: all } = await client.listTools();
  for (let n = 0; n < 5; n++) {
    await call(client, 'echo', { message: `message ${n} "\\\u2028é😀` });
    await call(client, 'get-sum', { a: n, b: 0.5 });
  }
  await Promise.all(Array.from({ length: 10 }, (_, n) => call(client, 'get-sum', { a: n, b: n })));
  await refused(call(client, 'no-such-tool'));
  await refused(call(client, 'echo', { message: 7 }));
  await refused(call(client, 'get-sum', { a: 'x' }));
  await refused(client.request({ method: 'no/such/method' }, types.EmptyResultSchema));
  await refused(client.listTools({ cursor: 'no such cursor' }));
  for (const location of ['New York', 'Chicago']) await call(client, 'get-structured-content', { location });
  await refused(call(client, 'get-structured-content', { location: 'Paris' }));
  for (const messageType of ['error', 'success', 'debug']) {
    await call(client, 'get-annotated-message', { messageType, includeImage: messageType === 'debug' });
  }
  await call(client, 'get-tiny-image');
  await call(client, 'get-env');
  await call(client, 'get-resource-links', { count: 4 });
  await call(client, 'get-resource-reference', { resourceType: 'Blob', resourceId: 2 });
  await refused(call(client, 'get-resource-reference', { resourceType: 'Text', resourceId: -1 }));
  for (const outputType of ['resourceLink', 'resource']) {
    const args = { name: `${outputType}.gz`, outputType };
    await call(client, 'gzip-file-as-resource', { ...args, data: 'data:text/plain,hello' });
    await refused(call(client, 'gzip-file-as-resource', { ...args, data: 'ftp://nowhere/' }));
  }
  return all.map((tool) => tool.name);
}

async function progress(client) {
  const onprogress = () => {};
  await call(client, 'trigger-long-running-operation', { duration: 0.3, steps: 6 }, { onprogress });
  // Two at once, and one without progress.
  await Promise.all([
    call(client, 'trigger-long-running-operation', { duration: 0.4, steps: 4 }, { onprogress }),
    call(client, 'trigger-long-running-operation', { duration: 0.3, steps: 5 }, { onprogress }),
    call(client, 'trigger-long-running-operation', { duration: 0.2, steps: 2 }),
  ]);
  const stop = new AbortController();
  await refused(call(client, 'trigger-long-running-operation', { duration: 0.6, steps: 6 },
    { onprogress: () => stop.abort('user changed their mind'), signal: stop.signal }));
  const late = { onprogress, timeout: 150 };
  await refused(call(client, 'trigger-long-running-operation', { duration: 0.4, steps: 4 }, late));
  // The server goes on with what was cancelled.
  await sleep(500);
}

async function resources(client) {
  const { resources: listed } = await client.listResources();
  await client.listResourceTemplates();
  for (const { uri } of listed) await client.readResource({ uri });
  for (const name of ['text/1', 'blob/2', 'text/33']) {
    await client.readResource({ uri: `demo://resource/dynamic/${name}` });
  }
  await refused(client.readResource({ uri: 'demo://resource/dynamic/text/zero' }));
  await refused(client.readResource({ uri: 'demo://resource/none' }));
  const subscribed = ['demo://resource/dynamic/text/1', 'demo://resource/dynamic/blob/2'];
  for (const uri of subscribed) await client.subscribeResource({ uri });
  await call(client, 'toggle-subscriber-updates');
  await sleep(100);
  await call(client, 'toggle-subscriber-updates');
  for (const uri of subscribed) await client.unsubscribeResource({ uri });
  await client.unsubscribeResource({ uri: 'demo://resource/never-subscribed' });
}

async function prompts(client) {
  const { prompts: listed } = await client.listPrompts();
  await client.getPrompt({ name: 'simple-prompt' });
  await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Oslo', state: 'Viken' } });
  await refused(client.getPrompt({ name: 'args-prompt', arguments: {} }));
  await refused(client.getPrompt({ name: 'no-such-prompt' }));
  await client.getPrompt({ name: 'resource-prompt', arguments: { resourceType: 'Text', resourceId: '1' } });
  const complete = (ref, name, value, known) =>
    refused(client.complete({ ref, argument: { name, value }, ...(known ? { context: { arguments: known } } : {}) }));
  const prompt = (name) => ({ type: 'ref/prompt', name });
  await complete(prompt('completable-prompt'), 'department', 'S');
  await complete(prompt('completable-prompt'), 'name', '', { department: 'Sales' });
  await complete(prompt('no-such-prompt'), 'x', '');
  await complete({ type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' }, 'resourceId', '12');
  return listed;
}

async function logging(client) {
  await client.setLoggingLevel('debug');
  await call(client, 'toggle-simulated-logging');
  await sleep(50);
  await call(client, 'toggle-simulated-logging');
  await refused(client.request({ method: 'logging/setLevel', params: { level: 'loud' } }, types.EmptyResultSchema));
  await client.setLoggingLevel('error');
  await client.setLoggingLevel('info');
}

async function serverRequests(client, names) {
  const known = (name) => names.includes(name);
  if (known('trigger-sampling-request')) {
    for (const prompt of ['a', 'b', 'c']) {
      await refused(call(client, 'trigger-sampling-request', { prompt, maxTokens: 10 }));
    }
  }
  if (known('trigger-elicitation-request')) {
    for (let n = 0; n < 4; n++) await refused(call(client, 'trigger-elicitation-request'));
  }
  if (known('trigger-url-elicitation')) {
    const args = { url: 'https://example.com/login', message: 'Log in', elicitationId: 'login-1' };
    for (const errorPath of [false, true, true]) {
      await refused(call(client, 'trigger-url-elicitation', { ...args, errorPath }));
    }
  }
  if (known('get-roots-list')) {
    await call(client, 'get-roots-list');
    client.roots = [...ROOTS, { uri: 'file:///work/c' }];
    await client.sendRootsListChanged();
    await sleep(100);
    await call(client, 'get-roots-list');
  }
  await Promise.all(['trigger-sampling-request-async', 'trigger-elicitation-request-async'].filter(known)
    .map((name) => refused(call(client, name, name.includes('sampling') ? { prompt: 'later' } : {}))));
}

async function tasks(client, names, answered) {
  if (!names.includes('simulate-research-query')) return;
  const api = client.experimental.tasks;
  const follow = async (args, seen = () => {}, signal = undefined) => {
    const stream = api.callToolStream(
      { name: 'simulate-research-query', arguments: args }, undefined, { task: { ttl: 60_000 }, signal });
    for await (const message of stream) await seen(message);
  };
  let done;
  const plain = follow({ topic: 'tides' }, ({ type, task }) => { if (type === 'taskCreated') done = task.taskId; });
  const stopped = follow({ topic: 'birds' }, async ({ type, task }) => {
    if (type !== 'taskCreated') return;
    await refused(api.cancelTask(task.taskId));
    await refused(api.cancelTask(task.taskId));
  });
  // A client with a task store never sends its answer to the elicitation of a task, so it gives up.
  const stop = new AbortController();
  const asked = follow({ topic: 'python', ambiguous: true }, ({ type, task }) => {
    const waits = type === 'taskStatus' && task.status === 'input_required';
    if (waits && !answered) setTimeout(() => stop.abort('no answer'), 600);
  }, stop.signal);
  await Promise.all([plain, refused(stopped), refused(asked)]);
  await api.listTasks();
  await api.getTask(done);
  await refused(api.getTaskResult(done, types.CallToolResultSchema));
  await refused(api.cancelTask(done));
  await refused(api.getTask('no-such-task'));
  await refused(api.listTasks('no such cursor'));
  // A tool that requires a task, called without one.
  await refused(client.request(
    { method: 'tools/call', params: { name: 'simulate-research-query', arguments: { topic: 'x' } } },
    types.CallToolResultSchema));
}

/** Less of the same, in about a second. */
export async function brief(client) {
  await client.ping();
  const names = await tools(client);
  await prompts(client);
  await resources(client);
  await logging(client);
  await serverRequests(client, names.filter((name) => !name.endsWith('-async')));
}

/** Uses what the server has, in about six seconds with tasks. */
export async function use(client) {
  await client.ping();
  const names = await tools(client);
  await prompts(client);
  await resources(client);
  await logging(client);
  const asked = progress(client).then(() => serverRequests(client, names));
  await Promise.all([tasks(client, names, !client.hasTasks), asked]);
  await client.ping();
}
