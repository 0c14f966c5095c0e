// The client under test of conformance.mjs: client.mjs PEER URL, or client.mjs PEER OUTDIR NAME URL, which records the
// session with the tap in OUTDIR/NAME.jsonl, once it has checked the recording.
// PEER is client1, of SDK 1, or client2, of SDK 2. The suite sets the environment variables.
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { StreamableHTTPClientTransport as HttpTransport2 } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as everything from '../everything.mjs';
import { Recording } from '../harness.mjs';
import * as usage2 from '../usage2.mjs';

const [peer, ...rest] = process.argv.slice(2);
const target = rest.pop();
const { MCP_CONFORMANCE_CONTEXT: context = '{}', MCP_CONFORMANCE_PROTOCOL_VERSION: version } = process.env;
const { refused } = everything;

async function use(url) {
  const client = peer === 'client1' ? everything.create()
    : usage2.create(version === '2026-07-28' ? { pin: version } : 'legacy');
  try {
    await client.connect(peer === 'client1' ? new StreamableHTTPClientTransport(url) : new HttpTransport2(url));
    const { tools } = await client.listTools();
    const planned = JSON.parse(context).toolCalls ?? [];
    for (const { name, arguments: args } of planned) await refused(client.callTool({ name, arguments: args }));
    for (const { name, inputSchema } of tools.filter((tool) => !planned.some((call) => call.name === tool.name))) {
      const values = { number: 2, integer: 2, string: 'text', boolean: true };
      const properties = Object.entries(inputSchema.properties ?? {});
      await refused(client.callTool(
        { name, arguments: Object.fromEntries(properties.map(([key, { type }]) => [key, values[type] ?? null])) },
        ...(peer === 'client1' ? [undefined, { timeout: 5000 }] : [{ timeout: 5000 }])));
    }
    for (const list of ['listResources', 'listPrompts']) await refused(client[list]());
  } finally {
    await client.close();
  }
}

if (rest.length === 0) {
  await use(new URL(target));
} else {
  const [out, name] = rest;
  const recording = await new Recording(out, `unchecked-${name}`).start();
  await recording.http(target, (origin) => use(new URL(new URL(target).pathname, origin)));
  renameSync(await recording.check(), join(out, `${name}.jsonl`));
}
process.exit(0);
