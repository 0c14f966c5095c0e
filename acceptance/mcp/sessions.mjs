// Records sessions of MCP clients and servers of other authors with parley tap, compares what passed before it with
// what passed after it, judges the records, and compares the verdicts with the table "MCP sessions" of docs/testing.md:
//   node sessions.mjs OUTDIR [NAME...]
// OUTDIR/NAME.jsonl is a transcript. NAME is a key of SESSIONS; without names, all are recorded, in about 40 seconds.
// everything-* are server-everything and the client of SDK 1, sdk2-* client and server of SDK 2, unless said otherwise.
// Those named *-raw and *-noise have messages that no SDK sends; in all others, every record must decode.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  SSEClientTransport as SseTransport2, StreamableHTTPClientTransport as HttpTransport2,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioTransport2 } from '@modelcontextprotocol/client/stdio';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as everything from './everything.mjs';
import { CREDENTIAL, EVERYTHING, Recording, SERVER2, build, read, serving } from './harness.mjs';
import { check, explained, judge } from './judge.mjs';
import { PING, RAW_LINES, lines, raw, rawModern } from './raw.mjs';
import * as usage2 from './usage2.mjs';

const [out, ...names] = process.argv.slice(2);
const { call, refused } = everything;
const MODERN = { pin: '2026-07-28' };
const VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18'];
/** What a client declares that has nothing of 2025-11-25. */
const PLAIN = { roots: { listChanged: true }, sampling: {}, elicitation: {} };
const capabilitiesOf = (version) => (version < '2025-06-18' ? { ...PLAIN, elicitation: undefined } : PLAIN);
const EVERYTHING_HTTP = [EVERYTHING, 'streamableHttp'];
const SERVER2_SESSIONS = [SERVER2, 'sessions'];

const http = (origin, options = {}) => new StreamableHTTPClientTransport(new URL('/mcp', origin), options);
const http2 = (origin, options = {}) => new HttpTransport2(new URL('/mcp', origin), options);

const reconnecting = (maxRetries, delay) =>
  ({ maxRetries, initialReconnectionDelay: delay, maxReconnectionDelay: delay, reconnectionDelayGrowFactor: 1 });

/** Makes a client ask for an older version of the protocol than its SDK does. */
function asking(version, transport) {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (message.method === 'initialize') message.params.protocolVersion = version;
    return send(message, options);
  };
  return transport;
}

/** Connects a client of SDK 1, uses it and closes it. */
async function client1(transport, use = everything.use, capabilities = undefined) {
  const client = everything.create(capabilities);
  await client.connect(transport);
  try {
    await use(client, transport);
  } finally {
    await client.close();
    client.cleanup();
  }
}

/** Connects a client of SDK 2, uses it and closes it. */
async function client2(mode, transport, use = usage2.use, capabilities = undefined) {
  const client = usage2.create(mode, capabilities);
  await client.connect(transport);
  try {
    await use(client, transport);
  } finally {
    await client.close();
  }
}

/** Starts a server, and the tap before it. */
const throughTap = (recording, command, use) =>
  serving(command, (server) => recording.http(server, use));

/** Breaks streams during calls, before and after the server has sent everything. */
async function broken(client, proxy, slow) {
  const calls = [];
  for (let n = 0; n < 3; n++) {
    calls.push(refused(slow(client, { onprogress: () => {}, timeout: 2500 })));
    await sleep(150);
    proxy.cut();
    await sleep(100);
  }
  await Promise.all(calls);
}

const SESSIONS = {
  async 'everything-stdio'(recording) {
    await client1(new StdioClientTransport(recording.stdio(EVERYTHING, 'stdio')));
  },
  async 'everything-stdio-plain'(recording) {
    await client1(new StdioClientTransport(recording.stdio(EVERYTHING, 'stdio')), everything.use, PLAIN);
  },
  async 'everything-stdio-versions'(recording) {
    for (const version of VERSIONS) {
      const transport = new StdioClientTransport(recording.stdio(EVERYTHING, 'stdio'));
      await client1(asking(version, transport), everything.brief, capabilitiesOf(version));
    }
  },
  // Without resumption.
  async 'everything-http'(recording) {
    await throughTap(recording, EVERYTHING_HTTP, async (origin) => {
      const reconnectionOptions = reconnecting(0, 1);
      await client1(http(origin, { reconnectionOptions }), async (client, transport) => {
        await everything.use(client);
        await transport.terminateSession();
      });
    });
  },
  // The client of SDK 1 resumes a stream that ended with an error response, and the server replays all streams.
  async 'everything-http-replays'(recording) {
    await throughTap(recording, EVERYTHING_HTTP, async (origin) => {
      await client1(http(origin), everything.use);
    });
  },
  async 'everything-http-broken'(recording) {
    await throughTap(recording, EVERYTHING_HTTP, async (origin, proxy) => {
      const reconnectionOptions = reconnecting(5, 500);
      await client1(http(origin, { reconnectionOptions }), async (client, transport) => {
        await client.setLoggingLevel('debug');
        await call(client, 'toggle-simulated-logging');
        await broken(client, proxy, (one, options) =>
          call(one, 'trigger-long-running-operation', { duration: 0.4, steps: 4 }, options));
        await client.subscribeResource({ uri: 'demo://resource/dynamic/text/1' });
        await call(client, 'toggle-simulated-logging');
        await transport.terminateSession();
        // The session is gone.
        await refused(client.ping());
      });
    });
  },
  async 'everything-http-versions'(recording) {
    await throughTap(recording, EVERYTHING_HTTP, async (origin) => {
      const use = async (client, transport) => {
        await everything.brief(client);
        await transport.terminateSession();
      };
      await Promise.all(VERSIONS.map((version) =>
        client1(asking(version, http(origin, { reconnectionOptions: reconnecting(0, 1) })), use,
          capabilitiesOf(version))));
    });
  },
  async 'everything-http-raw'(recording) {
    await throughTap(recording, EVERYTHING_HTTP, (origin) => raw(recording, new URL('/mcp', origin)));
  },
  async 'everything-sse'(recording) {
    await throughTap(recording, [EVERYTHING, 'sse'], async (origin) => {
      await client1(new SSEClientTransport(new URL('/sse', origin)));
    });
  },
  async 'everything-sse-2024'(recording) {
    await throughTap(recording, [EVERYTHING, 'sse'], async (origin) => {
      const connect = () => client1(asking('2024-11-05', new SSEClientTransport(new URL('/sse', origin))),
        everything.brief, capabilitiesOf('2024-11-05'));
      await Promise.all([connect(), connect()]);
      // The server never answers.
      const url = new URL('/message?sessionId=no-such-session', origin);
      await refused(recording.raw(url, 'POST', PING, {}, AbortSignal.timeout(200)));
    });
  },
  async 'everything-stdio-raw'(recording) {
    await lines(recording, [EVERYTHING, 'stdio'], RAW_LINES);
  },
  // A server that was started for HTTP by mistake prints what is no JSON.
  async 'everything-stdio-noise'(recording) {
    await lines(recording, EVERYTHING_HTTP, RAW_LINES.slice(0, 3));
  },
  async 'sdk2-stdio-raw'(recording) {
    await lines(recording, [SERVER2, 'stdio'], RAW_LINES);
  },
  async 'sdk2-stdio-legacy'(recording) {
    await client2('legacy', new StdioTransport2(recording.stdio(SERVER2, 'stdio')));
  },
  async 'sdk2-stdio-modern'(recording) {
    await client2(MODERN, new StdioTransport2(recording.stdio(SERVER2, 'stdio')));
  },
  async 'sdk2-stdio-everything'(recording) {
    await client2('auto', new StdioTransport2(recording.stdio(EVERYTHING, 'stdio')), foreign);
  },
  async 'sdk2-http-legacy'(recording) {
    await throughTap(recording, SERVER2_SESSIONS, async (origin) => {
      await client2('legacy', http2(origin), async (client, transport) => {
        await usage2.use(client);
        await transport.terminateSession();
        await refused(client.ping());
      });
    });
  },
  async 'sdk2-http-broken'(recording) {
    await throughTap(recording, SERVER2_SESSIONS, async (origin, proxy) => {
      await client2('legacy', http2(origin), async (client) => {
        await broken(client, proxy, (one, options) =>
          one.callTool({ name: 'slow', arguments: { steps: 4, pause: 100 } }, options));
        await client.callTool({ name: 'leave', arguments: { pause: 300 } });
        await client.callTool({ name: 'deploy', arguments: { target: 'x' } });
      });
    });
  },
  async 'sdk2-http-stateless'(recording) {
    await throughTap(recording, [SERVER2, 'stateless'], async (origin) => {
      await client2('legacy', http2(origin));
    });
  },
  async 'sdk2-http-everything'(recording) {
    await throughTap(recording, EVERYTHING_HTTP, async (origin) => {
      await client2('auto', http2(origin), async (client, transport) => {
        await foreign(client);
        await transport.terminateSession();
      });
    });
  },
  async 'sdk2-sse-everything'(recording) {
    await throughTap(recording, [EVERYTHING, 'sse'], async (origin) => {
      await client2('legacy', new SseTransport2(new URL('/sse', origin)), foreign);
    });
  },
  async 'sdk1-http-sdk2'(recording) {
    await throughTap(recording, SERVER2_SESSIONS, async (origin) => {
      await client1(http(origin), async (client, transport) => {
        await foreign(client);
        for (const name of ['deploy', 'ask-all']) await refused(client.callTool({ name, arguments: { target: 'x' } }));
        await transport.terminateSession();
      }, PLAIN);
    });
  },
  async 'sdk2-http-modern'(recording) {
    await throughTap(recording, SERVER2_SESSIONS, async (origin) => {
      await client2(MODERN, http2(origin));
    });
  },
  // Two clients behind one key with the same request IDs, a third with credentials, and a fourth of the legacy era.
  async 'sdk2-http-modern-shared'(recording) {
    await throughTap(recording, SERVER2_SESSIONS, async (origin) => {
      const authorized = { requestInit: { headers: { authorization: `Bearer ${CREDENTIAL}` } } };
      await Promise.all([
        client2('auto', http2(origin)), client2('auto', http2(origin)),
        client2('auto', http2(origin, authorized)), client2('legacy', http2(origin)),
      ]);
    });
  },
  // A client without capabilities, which the server needs.
  async 'sdk2-http-modern-poor'(recording) {
    await throughTap(recording, SERVER2_SESSIONS, async (origin) => {
      await client2(MODERN, http2(origin), async (client) => {
        for (const name of ['deploy', 'ask-all', 'wait']) {
          await refused(client.callTool({ name, arguments: { target: 'x' } }));
        }
        await refused(client.readResource({ uri: 'note://secret' }));
        await refused(client.getPrompt({ name: 'ask' }));
      }, {});
    });
  },
  async 'sdk2-http-modern-raw'(recording) {
    await throughTap(recording, SERVER2_SESSIONS, (origin) => rawModern(recording, new URL('/mcp', origin)));
  },
};

/** Lists and calls what a server has that the client was not written for. */
async function foreign(client) {
  await client.ping();
  const { tools } = await client.listTools();
  const { resources } = await client.listResources();
  const { prompts } = await client.listPrompts();
  await client.listResourceTemplates();
  for (const { name } of tools.filter((tool) => !/^(ask|deploy|slow|leave|simulate|gzip)|async$/.test(tool.name))) {
    const args = { message: 'a', a: 1, b: 2, prompt: 'b', duration: 0.2, steps: 2 };
    await refused(client.callTool({ name, arguments: args }));
  }
  for (const { uri } of resources) await refused(client.readResource({ uri }));
  for (const { name } of prompts) await refused(client.getPrompt({ name, arguments: { city: 'Oslo', name: 'Ann' } }));
  await refused(client.setLoggingLevel('debug'));
  for (let n = 0; n < 20; n++) await refused(client.callTool({ name: 'echo', arguments: { message: `${n}` } }));
  await Promise.all(Array.from({ length: 5 }, (_, n) =>
    refused(client.callTool({ name: 'get-sum', arguments: { a: n, b: n } }, n % 2 ? { onprogress: () => {} } : {}))));
}

/** Whether a client has resumed a stream and got a message of it. */
function isResumed(file) {
  const records = read(file);
  const resumed = new Set(records.filter(({ headers }) => 'last-event-id' in headers)
    .map(({ headers }) => headers['parley-exchange']));
  return records.some(({ headers, wireBase64 }) => wireBase64 && 'parley-http-status' in headers
    && resumed.has(headers['parley-exchange']));
}

mkdirSync(out, { recursive: true });
build();
const unknown = names.filter((name) => !(name in SESSIONS));
if (unknown.length > 0) {
  throw new Error(`NAME must be one of ${Object.keys(SESSIONS).join(', ')}, but was ${unknown.join(', ')}`);
}
const recorded = [];
const waiting = names.length > 0 ? [...names] : Object.keys(SESSIONS);
// Sessions mostly wait, so several run at once.
await Promise.all(Array.from({ length: 6 }, async () => {
  for (let name; (name = waiting.shift());) {
    const recording = await new Recording(out, name).start();
    await SESSIONS[name](recording);
    recorded.push(await recording.check());
    assert(!/-http-(broken|replays)$/.test(name) || isResumed(recording.file), `${name}: no stream was resumed`);
  }
}));
const verdicts = judge(recorded);
check(verdicts, explained('MCP sessions'), names.length > 0, /-(raw|noise)$/);
