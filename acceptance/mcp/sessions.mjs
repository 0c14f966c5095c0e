// Records sessions of MCP clients and servers of other authors, and checks the recordings:
//   node sessions.mjs OUTDIR [NAME...]
// OUTDIR/NAME.jsonl is a transcript. NAME is a key of SESSIONS; without names, all are recorded, in about a minute.
import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { StreamableHTTPClientTransport as HttpTransport2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioTransport2 } from '@modelcontextprotocol/client/stdio';
import * as everything from './everything.mjs';
import { EVERYTHING, Recording, SERVER2, serving } from './harness.mjs';
import * as usage2 from './usage2.mjs';

const [out, ...names] = process.argv.slice(2);

/** A client without the features that came with 2025-11-25. */
const PLAIN = { roots: { listChanged: true }, sampling: {}, elicitation: {} };

async function withEverything(recording, transport, use = everything.use, capabilities = undefined) {
  const client = everything.create('recorder', capabilities);
  await client.connect(recording.observe(transport));
  try {
    await use(client, transport);
  } finally {
    await client.close();
    client.cleanup();
  }
}

const http = (origin, options = {}) => new StreamableHTTPClientTransport(new URL('/mcp', origin), options);

const http2 = (origin, options = {}) => new HttpTransport2(new URL('/mcp', origin), options);

async function withServer2(recording, mode, transport, use = usage2.use) {
  const client = usage2.create(mode);
  await client.connect(recording.observe(transport));
  try {
    await use(client, transport);
  } finally {
    await client.close();
  }
}

const MODERN = { pin: '2026-07-28' };

const SESSIONS = {
  async 'everything-stdio'(recording) {
    await withEverything(recording, new StdioClientTransport(recording.stdio(EVERYTHING, 'stdio')));
  },
  async 'everything-stdio-plain'(recording) {
    await withEverything(recording, new StdioClientTransport(recording.stdio(EVERYTHING, 'stdio')), everything.use, PLAIN);
  },
  async 'everything-http'(recording) {
    await serving([EVERYTHING, 'streamableHttp'], (server) => recording.http(server, async (origin) => {
      await withEverything(recording, http(origin), async (client, transport) => {
        await everything.use(client);
        await transport.terminateSession();
      });
    }));
  },
  async 'everything-sse'(recording) {
    await serving([EVERYTHING, 'sse'], (server) => recording.http(server, async (origin) => {
      await withEverything(recording, new SSEClientTransport(new URL('/sse', origin)));
    }));
  },
  async 'sdk2-stdio-legacy'(recording) {
    await withServer2(recording, 'legacy', new StdioTransport2(recording.stdio(SERVER2, 'stdio')));
  },
  async 'sdk2-stdio-modern'(recording) {
    await withServer2(recording, MODERN, new StdioTransport2(recording.stdio(SERVER2, 'stdio')));
  },
  async 'sdk2-http-legacy'(recording) {
    await serving([SERVER2, 'sessions'], (server) => recording.http(server, async (origin) => {
      await withServer2(recording, 'legacy', http2(origin), async (client, transport) => {
        await usage2.use(client);
        await transport.terminateSession();
      });
    }));
  },
  async 'sdk2-http-modern'(recording) {
    await serving([SERVER2, 'sessions'], (server) => recording.http(server, async (origin) => {
      await withServer2(recording, MODERN, http2(origin));
    }));
  },
};

mkdirSync(out, { recursive: true });
const unknown = names.filter((name) => !(name in SESSIONS));
if (unknown.length > 0) throw new Error(`no session ${unknown.join(', ')}; there are ${Object.keys(SESSIONS).join(', ')}`);
for (const name of names.length > 0 ? names : Object.keys(SESSIONS)) {
  const recording = new Recording(out, name);
  const begin = Date.now();
  await SESSIONS[name](recording);
  console.log(`${recording.check()} (${Date.now() - begin} ms)`);
}
