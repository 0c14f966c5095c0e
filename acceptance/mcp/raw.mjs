// Messages that no SDK sends, and what servers answer: lines over stdio, requests over HTTP.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const CLIENT = { capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
const request = (id, method, params) => ({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) });
const notification = (method, params) => ({ jsonrpc: '2.0', method, ...(params ? { params } : {}) });
const ping = (id) => request(id, 'ping');
const initialize = (id, protocolVersion = '2025-11-25') => request(id, 'initialize', { protocolVersion, ...CLIENT });
const callTool = (id, name, args) => request(id, 'tools/call', { name, arguments: args });
/** The metadata that 2026-07-28 requires. */
const meta = (version = '2026-07-28', more = {}) => ({
  'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {}, ...more,
});

export const PING = JSON.stringify(ping(1));

/** Lines of both eras that no SDK sends. */
export const RAW_LINES = [
  ping('early'), request('early-2', 'tools/list'), initialize(1), initialize(1),
  notification('notifications/initialized'), notification('notifications/initialized'),
  '', '{"jsonrpc":', 'noise', '[]', '7', 'null', '{}', '{"jsonrpc":"2.0","id":null,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}',
  '{"jsonrpc":"1.0","id":3,"method":"ping"}', '{"jsonrpc":"2.0","id":4,"method":"ping","params":[1]}',
  '{"jsonrpc":"2.0","id":5,"method":"ping"}\r', ' {"method":"ping" ,"id":6,"jsonrpc":"2.0"} ',
  '{"jsonrpc":"2.0","id":7,"method":"ping","id":8}',
  '{"jsonrpc":"2.0","id":9,"result":{},"error":{"code":1,"message":"x"}}',
  '{"jsonrpc":"2.0","id":99,"result":{}}', [ping(10), ping(11)],
  // Not UTF-8.
  Buffer.from(JSON.stringify(callTool(12, 'echo', { message: '\xff' })), 'latin1'),
  ping(1), ping(1), callTool(13, 'echo', { message: 'x'.repeat(100_000) }),
  // Answered long ago.
  notification('notifications/cancelled', { requestId: 6 }),
  notification('notifications/progress', { progressToken: 'never', progress: 1 }),
  request(14, 'server/discover', { _meta: meta() }), request(15, 'resources/subscribe', { uri: 7 }),
];

/** Runs a server of stdio through the recorder and writes lines to it. */
export async function lines(recording, server, all) {
  const { command, args, env } = recording.stdio(...server);
  const recorder = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(recorder, 'close');
  // The server takes a while to start; later, it answers soon or never.
  let patience = 10_000;
  for (const line of all) {
    const answered = once(recorder.stdout, 'data', { signal: AbortSignal.timeout(patience) }).catch(() => {});
    recorder.stdin.write(Buffer.isBuffer(line) || typeof line === 'string' ? line : JSON.stringify(line));
    recorder.stdin.write('\n');
    await answered;
    patience = 200;
  }
  recorder.stdout.resume();
  // The last line is not complete.
  recorder.stdin.end('{"jsonrpc":"2.0","id":');
  await sleep(300);
  recorder.kill('SIGTERM');
  await ended;
}

/** Requests of 2025-11-25 and before that no SDK sends, and their refusals. */
export async function raw(recording, url) {
  const post = (body, headers) => recording.raw(url, 'POST', body, headers);
  await post(ping(1));
  await post('');
  await post('{"jsonrpc":"2.0",');
  await post(Buffer.from([0xff, 0xfe, 0x7b]));
  await post([initialize(1), ping(2)]);
  await post(initialize(1, '1999-01-01'));
  const session = async (version) => {
    const { headers } = await post(initialize(0, version));
    const id = headers.get('mcp-session-id');
    const own = { 'mcp-session-id': id, 'mcp-protocol-version': version };
    await post(notification('notifications/initialized'), own);
    return own;
  };
  const own = await session('2025-11-25');
  await post(initialize(5), own);
  await post(ping(1), { ...own, 'mcp-protocol-version': '1999-01-01' });
  await post(ping(2), { 'mcp-session-id': own['mcp-session-id'] });
  await post(ping(3), { ...own, 'mcp-session-id': 'no-such-session' });
  await post(ping(4), { ...own, accept: 'application/json' });
  await post(ping(5), { ...own, 'content-type': 'text/plain' });
  await post(ping('a'), own);
  await post(ping(-9007199254740993), own);
  await post('{"jsonrpc":"2.0","id":1.5,"method":"ping"}', own);
  await post('{"jsonrpc":"2.0","id":null,"method":"ping"}', own);
  await post('{"id":7,"method":"ping"}', own);
  await post('\n { "id" : 8 , "jsonrpc" : "2.0" ,\n "method" : "p\\u0069ng" } \n', own);
  await post({ jsonrpc: '2.0', id: 99, result: {} }, own);
  await post(notification('no/such/notification'), own);
  await post([ping(20), ping(21), notification('notifications/x')], own);
  await post([], own);
  await post(callTool(30, 'echo', { message: 'x'.repeat(20_000) }), own);
  await recording.raw(url, 'GET', undefined, { ...own, accept: 'text/html' });
  await recording.raw(url, 'GET', undefined, {});
  await recording.raw(url, 'PUT', ping(1), own);
  await recording.raw(new URL('/other?a=1&b=%20', url), 'POST', ping(1), own);
  await recording.raw(url, 'DELETE', undefined, { ...own, 'mcp-session-id': 'no-such-session' });
  const batches = await session('2025-03-26');
  await post([ping(1), callTool(2, 'get-sum', { a: 1, b: 2 })], batches);
  await post([notification('notifications/x'), notification('notifications/y')], batches);
  await recording.raw(url, 'DELETE', undefined, batches);
  await recording.raw(url, 'DELETE', undefined, own);
  await post(ping(40), own);
}

/** Requests of 2026-07-28 that no SDK sends, and their refusals. */
export async function rawModern(recording, url) {
  const modern = (id, method, params = {}, _meta = meta()) => request(id, method, { ...params, _meta });
  const headers = (method, name, more = {}) => ({
    'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(name ? { 'mcp-name': name } : {}), ...more,
  });
  const post = (body, more) => recording.raw(url, 'POST', body, more);
  const add = (id, more = {}) => modern(id, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 }, ...more });
  await post(modern(1, 'server/discover'), headers('server/discover'));
  await post(add('a'), headers('tools/call', 'add'));
  await post(add(2), headers('tools/call', 'ADD'));
  await post(add(3), headers('tools/list', 'add'));
  await post(add(4), headers('tools/call'));
  await post(add(5), { 'mcp-protocol-version': '2026-07-28' });
  await post(add(6), {});
  await post(add(7), headers('tools/call', 'add', { 'mcp-protocol-version': '2025-11-25' }));
  await post(add(8), headers('tools/call', '=?base64?YWRk?='));
  const future = headers('tools/list', undefined, { 'mcp-protocol-version': '2030-01-01' });
  await post(modern(9, 'tools/list', {}, meta('2030-01-01')), future);
  await post(request(10, 'tools/list'), headers('tools/list'));
  const half = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  await post(modern(11, 'tools/list', {}, half), headers('tools/list'));
  await post(modern(12, 'no/such/method'), headers('no/such/method'));
  await post(modern(13, 'ping'), headers('ping'));
  await post(modern(14, 'initialize', initialize(0).params), headers('initialize'));
  await post(modern(15, 'tasks/get', { taskId: 'x' }), headers('tasks/get', 'x'));
  const tool = (id, name, args, more = {}) => modern(id, 'tools/call', { name, arguments: args, ...more });
  const region = (id, value, more) =>
    post(tool(id, 'region', { region: value, priority: 3 }), headers('tools/call', 'region', more));
  await region(20, 'eu', { 'mcp-param-region': 'eu', 'mcp-param-priority': '3' });
  await region(21, 'eu', { 'mcp-param-region': 'EU', 'mcp-param-priority': '3.0' });
  await region(22, 'eu', { 'mcp-param-priority': '3' });
  await region(23, 'eu', { 'mcp-param-region': 'eu', 'mcp-param-priority': '4' });
  await post(tool(24, 'deploy', { target: 'x' }, { requestState: 'forged' }), headers('tools/call', 'deploy'));
  await post(modern(25, 'resources/read', { uri: 'note://none' }), headers('resources/read', 'note://none'));
  await post(modern(26, 'subscriptions/listen', { notifications: 7 }), headers('subscriptions/listen'));
  await post(modern(27, 'logging/setLevel', { level: 'debug' }), headers('logging/setLevel'));
  await post([add(30), add(31)], headers('tools/call', 'add'));
  await post('{"jsonrpc":"2.0",', headers('tools/list'));
  const cancelled = 'notifications/cancelled';
  await post(notification(cancelled, { requestId: 99, _meta: meta() }), headers(cancelled));
  await recording.raw(url, 'GET', undefined, { 'mcp-protocol-version': '2026-07-28' });
  await recording.raw(url, 'DELETE', undefined, { 'mcp-protocol-version': '2026-07-28' });
  const logging = (level) => meta(undefined, { progressToken: 'p-1', 'io.modelcontextprotocol/logLevel': level });
  await post(modern(40, 'tools/list', {}, logging('loud')), headers('tools/list'));
  const slow = { name: 'slow', arguments: { steps: 3, pause: 1 } };
  await post(modern(41, 'tools/call', slow, logging('debug')), headers('tools/call', 'slow'));
}
