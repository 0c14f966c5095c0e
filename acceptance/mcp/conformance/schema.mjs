// Compares verdicts with the JSON schemas of MCP, by the function of the conformance suite that computes its check
// wire-schema-valid.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parsed } from '../harness.mjs';
import { TO_CLIENT, TO_SERVER } from '../copy.mjs';

const dist = fileURLToPath(new URL('node_modules/@modelcontextprotocol/conformance/dist/', import.meta.url));
const source = readFileSync(`${dist}index.js`, 'utf8');
// The suite exports nothing and runs its command line when it is loaded.
const run = /,\w+\.parse\(\);export\{\};\s*$/;
const [, name] = /function (\w+)\(e,t,n\)\{let r=\w+\(e\),i=\(e,t\)=>/.exec(source);
assert.match(source, run);
writeFileSync(`${dist}schema.js`, source.replace(run, `;export{${name} as validate};`));
const { validate } = await import(`${dist}schema.js`);

const VERSIONS = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'];
/** Verdicts about the form of one message; the others compare messages. */
const FORM = ['JSONRPC_VERSION', 'ID_TYPE', 'TOKEN_TYPE', 'PARAMS_TYPE', 'RESPONSE_FORM', 'BATCH', 'PARAMETER',
  'RESULT_MEMBER', 'RESULT_TYPE', 'META'].map((code) => `MCP_${code}`);

/**
 * Compares verdicts with the schemas: returns a pair for each JSON record of a known version, of the first error of the
 * schema or `valid`, and of Parley's code or `ACCEPTED`.
 */
export function compare(verdicts) {
  const sessions = new Map();
  return verdicts.flatMap(({ file, record, verdict }) => {
    const message = parsed(record);
    if (message === undefined) return [];
    const { headers } = record;
    const { 'parley-direction': direction, 'parley-exchange': exchange, 'mcp-protocol-version': header } = headers;
    const where = `${file} ${record.key}`;
    const session = sessions.get(where) ?? sessions.set(where, { requests: new Map() }).get(where);
    const [{ id, method, params, result } = {}] = [message ?? {}].flat();
    const keys = (by) => [`${by} ${exchange} ${JSON.stringify(id)}`, `${by} ${JSON.stringify(id)}`];
    let { version } = session;
    let asked;
    if (method === undefined) {
      const [own, any] = keys(direction === TO_SERVER ? TO_CLIENT : TO_SERVER);
      asked = session.requests.get(own) ?? session.requests.get(any) ?? session.last;
      version = asked?.version ?? version;
      if (asked?.method === 'initialize' && result) session.version = version = result.protocolVersion;
    } else {
      const named = params?._meta?.['io.modelcontextprotocol/protocolVersion'] ?? params?.protocolVersion ?? header;
      version = VERSIONS.includes(named) ? named : version ?? named;
      session.last = { version };
      for (const key of keys(direction)) session.requests.set(key, { method, version });
    }
    if (!VERSIONS.includes(version)) return [];
    const schema = validate(version, message, asked?.method)[0] ?? 'valid';
    const isForm = verdict.verdict === 'UNDECODABLE' || FORM.includes(verdict.code);
    const text = JSON.stringify(message).slice(0, 200);
    return [{ schema, parley: isForm ? verdict.code : 'ACCEPTED', where: `${file} ${text}` }];
  });
}
