// The client under test of conformance.mjs: client.mjs PEER FILE URL records its session in FILE.
// PEER is client1, of SDK 1, or client2, of SDK 2. The suite sets the environment variables.
import { StreamableHTTPClientTransport as HttpTransport2 } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as everything from '../everything.mjs';
import { proxy } from '../record.mjs';
import * as usage2 from '../usage2.mjs';

const [peer, file, target] = process.argv.slice(2);
const { MCP_CONFORMANCE_CONTEXT: context = '{}', MCP_CONFORMANCE_PROTOCOL_VERSION: version } = process.env;
const { refused } = everything;
const running = await proxy(file, target);
const url = new URL(new URL(target).pathname, running.origin);
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
  await running.close();
}
process.exit(0);
