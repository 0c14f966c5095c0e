// A server of SDK 2 with every feature that the SDK has, for both eras of the protocol:
//   node server2.mjs stdio        2025-11-25 after initialize, otherwise 2026-07-28
//   node server2.mjs sessions     HTTP at PORT: 2026-07-28, and 2025-11-25 with sessions and stored events
//   node server2.mjs stateless    HTTP at PORT: 2026-07-28, and 2025-11-25 without sessions
// A second argument is a module whose function add(server, codec) adds tools, resources and prompts.
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from '@hono/node-server';
import {
  McpServer, ResourceTemplate, WebStandardStreamableHTTPServerTransport, acceptedContent, completable, createMcpHandler,
  createRequestStateCodec, inputRequired, inputResponse, isLegacyRequest,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const KEY = 'a key of the recordings that protects nothing'.padEnd(32);
const codec = createRequestStateCodec({ key: KEY });
/** What tools change for all clients. */
const shared = { extra: false, notes: 0 };
let announce = {};
const [mode, more] = process.argv.slice(2);
const { add } = more ? await import(resolve(more)) : { add: () => {} };

/** Completes to the values that begin like an argument. */
const matching = (...values) => (start) => values.filter((value) => value.startsWith(start));
const text = (value) => ({ content: [{ type: 'text', text: value }] });

function create({ era }) {
  const server = new McpServer({ name: 'recorded', version: '2.4.0', title: 'Recorded Server' }, {
    capabilities: {
      logging: {}, completions: {}, tools: { listChanged: true }, prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    },
    instructions: 'Use every tool.',
    cacheHints: {
      'tools/list': { ttlMs: 0, cacheScope: 'public' }, 'server/discover': { ttlMs: 1000, cacheScope: 'private' },
    },
    requestState: { verify: codec.verify },
  });
  const tell = announce.legacy && era === 'legacy' ? announce.legacy(server) : announce.all ?? own(server);
  tools(server, tell);
  resources(server);
  prompts(server);
  add(server, codec);
  return server;
}

/** Announces changes on the connection of a server itself. */
const own = (server) => ({
  toolsChanged: () => server.sendToolListChanged(),
  resourcesChanged: () => server.sendResourceListChanged(),
  promptsChanged: () => server.sendPromptListChanged(),
  resourceUpdated: (uri) => server.server.sendResourceUpdated({ uri }),
});

function tools(server, tell) {
  server.registerTool('add', {
    description: 'Adds two numbers', inputSchema: z.object({ a: z.number(), b: z.number() }),
    outputSchema: z.object({ sum: z.number() }),
  }, ({ a, b }) => ({ ...text(`${a + b}`), structuredContent: { sum: a + b } }));
  server.registerTool('fail', { description: 'Fails' }, () => { throw new Error('it failed'); });
  server.registerTool('wrong-output', {
    description: 'Breaks its schema', outputSchema: z.object({ sum: z.number() }),
  }, () => text('no structured content'));
  server.registerTool('region', {
    description: 'Has an argument that HTTP repeats in a header',
    inputSchema: z.object({
      region: z.string().meta({ 'x-mcp-header': 'Region' }),
      priority: z.int().optional().meta({ 'x-mcp-header': 'Priority' }),
    }),
  }, ({ region, priority = 0 }) => text(`${region} ${priority}`));
  server.registerTool('slow', {
    description: 'Reports progress', inputSchema: z.object({ steps: z.int(), pause: z.int() }),
  }, async ({ steps, pause }, { mcpReq }) => {
    for (let progress = 1; progress <= steps; progress++) {
      await sleep(pause, undefined, { signal: mcpReq.signal });
      await mcpReq.log(progress % 2 ? 'debug' : 'warning', { step: progress }, 'slow');
      const progressToken = mcpReq._meta?.progressToken;
      if (progressToken !== undefined) {
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: steps, message: `step ${progress}` },
        });
      }
    }
    return text('done');
  });
  server.registerTool('leave', {
    description: 'Ends its event stream before its result, which the client must then fetch',
    inputSchema: z.object({ pause: z.int() }),
  }, async ({ pause }, { http }) => {
    http?.closeSSE?.();
    await sleep(pause);
    return text('fetched');
  });
  server.registerTool('deploy', {
    description: 'Asks twice', inputSchema: z.object({ target: z.string() }),
  }, async ({ target }, { mcpReq }) => {
    const state = mcpReq.requestState() ?? { round: 0 };
    const answer = inputResponse(mcpReq.inputResponses, 'confirm');
    if (answer.kind === 'elicit' && answer.action !== 'accept') return text(`not deployed: ${answer.action}`);
    const confirmed = acceptedContent(mcpReq.inputResponses, 'confirm');
    if (state.round === 0) {
      return inputRequired({
        inputRequests: { confirm: inputRequired.elicit({
          message: `Deploy to ${target}?`,
          requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] },
        }) },
        requestState: await codec.mint({ round: 1 }),
      });
    }
    if (state.round === 1) {
      return inputRequired({
        inputRequests: { reason: inputRequired.elicit({
          message: 'Why?', requestedSchema: { type: 'object', properties: { reason: { type: 'string' } } },
        }) },
        requestState: await codec.mint({ round: 2, confirm: confirmed?.confirm ?? null }),
      });
    }
    return text(`deployed to ${target}: ${acceptedContent(mcpReq.inputResponses, 'reason')?.reason}`);
  });
  server.registerTool('ask-all', { description: 'Asks for a sample, the roots and a login at once' }, (context) => {
    const responses = context.mcpReq.inputResponses;
    if (responses === undefined) {
      return inputRequired({ inputRequests: {
        sample: inputRequired.createMessage({
          messages: [{ role: 'user', content: { type: 'text', text: 'Say a word' } }], maxTokens: 5,
        }),
        roots: inputRequired.listRoots(),
        ...(context.mcpReq.envelope ? {
          login: inputRequired.elicitUrl({ message: 'Log in', url: 'https://example.com/login' }),
        } : {}),
      } });
    }
    return text(JSON.stringify([inputResponse(responses, 'sample'), inputResponse(responses, 'roots')]));
  });
  server.registerTool('wait', { description: 'Asks to come again, with nothing but a state' }, async ({ mcpReq }) =>
    (mcpReq.requestState() ? text('now') : inputRequired({ requestState: await codec.mint({ again: true }) })));
  server.registerTool('toggle', { description: 'Adds or removes the tool extra' }, () => {
    shared.extra = !shared.extra;
    tell.toolsChanged();
    tell.promptsChanged();
    return text(`${shared.extra}`);
  });
  server.registerTool('note', { description: 'Adds a note' }, () => {
    shared.notes++;
    tell.resourcesChanged();
    tell.resourceUpdated('note://last');
    return text(`${shared.notes}`);
  });
  if (shared.extra) server.registerTool('extra', { description: 'Is there at times' }, () => text('extra'));
}

function resources(server) {
  server.registerResource('about', 'note://about', {
    mimeType: 'text/plain', cacheHint: { ttlMs: 60_000, cacheScope: 'public' },
  }, (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'about “notes”' }] }));
  server.registerResource('last', 'note://last', {},
    (uri) => ({ contents: [{ uri: uri.href, text: `note ${shared.notes}` }] }));
  server.registerResource('picture', 'note://picture', { mimeType: 'application/octet-stream' },
    (uri) => ({ contents: [{ uri: uri.href, blob: 'AAEC' }] }));
  server.registerResource('secret', 'note://secret', {}, (uri, { mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, 'password');
    if (answer) return { contents: [{ uri: uri.href, text: 'secret' }] };
    return inputRequired({ inputRequests: { password: inputRequired.elicit({
      message: 'Word?', requestedSchema: { type: 'object', properties: { password: { type: 'string' } } },
    }) } });
  });
  server.registerResource('numbered', new ResourceTemplate('note://number/{n}', {
    list: undefined, complete: { n: matching('1', '12', '123') },
  }), {}, (uri, { n }) => ({ contents: [{ uri: uri.href, text: `number ${n}` }] }));
  // Subscriptions of 2025-11-25; 2026-07-28 has subscriptions/listen.
  for (const method of ['resources/subscribe', 'resources/unsubscribe']) {
    server.server.setRequestHandler(method, () => ({}));
  }
}

function prompts(server) {
  server.registerPrompt('hello', { description: 'Greets' },
    () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }] }));
  server.registerPrompt('greet', {
    description: 'Greets someone',
    argsSchema: z.object({ name: completable(z.string(), matching('Ann', 'Anton', 'Bea')) }),
  }, ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Hello ${name}` } }] }));
  server.registerPrompt('ask', { description: 'Asks whom to greet' }, ({ mcpReq }) => {
    const answer = acceptedContent(mcpReq.inputResponses, 'who');
    if (answer) return { messages: [{ role: 'user', content: { type: 'text', text: `Hello ${answer.who}` } }] };
    return inputRequired({ inputRequests: { who: inputRequired.elicit({
      message: 'Who?', requestedSchema: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] },
    }) } });
  });
}

/** Events of all sessions, by ID; a stream gets only its own again. */
class Events {
  #events = [];

  async storeEvent(streamId, message) {
    this.#events.push({ streamId, message });
    return `event-${this.#events.length}`;
  }

  async getStreamIdForEventId(eventId) {
    return this.#events[Number(eventId.slice(6)) - 1]?.streamId;
  }

  async replayEventsAfter(lastEventId, { send }) {
    const streamId = await this.getStreamIdForEventId(lastEventId);
    for (let at = Number(lastEventId.slice(6)); at < this.#events.length; at++) {
      const { streamId: of, message } = this.#events[at];
      if (of === streamId && Object.keys(message).length > 0) await send(`event-${at + 1}`, message);
    }
    return streamId;
  }
}

/** Serves 2025-11-25 with sessions. */
function sessions() {
  const transports = new Map();
  return async (request) => {
    const id = request.headers.get('mcp-session-id');
    if (id !== null && !transports.has(id)) {
      const error = { code: -32001, message: 'Session not found' };
      return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
    }
    if (id !== null) return transports.get(id).handleRequest(request);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID, eventStore: new Events(), retryInterval: 200,
      onsessioninitialized: (session) => { transports.set(session, transport); },
      onsessionclosed: (session) => { transports.delete(session); },
    });
    await create({ era: 'legacy' }).connect(transport);
    return transport.handleRequest(request);
  };
}

if (mode === 'stdio') {
  serveStdio(create);
} else {
  const handler = createMcpHandler(create, { legacy: mode === 'sessions' ? 'reject' : 'stateless' });
  announce = { all: handler.notify, legacy: own };
  const legacy = sessions();
  serve({
    port: Number(process.env.PORT), hostname: '127.0.0.1',
    fetch: async (request) =>
      (mode === 'sessions' && await isLegacyRequest(request) ? legacy(request) : handler.fetch(request)),
  });
}
