// Reads the first pages of a running demo with types that openapi-typescript generates from openapi.yaml:
// client.js URL
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

type Verdict = components['schemas']['Verdict'];

const api = createClient<paths>({ baseUrl: process.argv[2] });
const verdicts = new Map<Verdict, number>();
let conversations = 0;
let cursor: string | undefined;
do {
  const { data, error } = await api.GET('/v1/conversations', { params: { query: { limit: 50, cursor } } });
  if (error) {
    throw new Error(`${error.code}: ${error.detail}`);
  }
  for (const { namespace, protocol, conversation } of data.items) {
    if (conversation === null) {
      continue; // Claimed by records that name no conversation.
    }
    conversations++;
    const path = { namespace, protocol, conversation };
    const messages = await api.GET('/v1/conversations/{namespace}/{protocol}/{conversation}/messages', {
      params: { path, query: { limit: 1000 } },
    });
    for (const { verdict } of messages.data?.items ?? []) {
      verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
    }
  }
  cursor = data.next ?? undefined;
} while (cursor);

const accounting = await api.GET('/v1/accounting');
const total = accounting.data?.total;
if (!total) {
  throw new Error('no accounting');
}
console.log(JSON.stringify({ conversations, verdicts: Object.fromEntries(verdicts), total }));
const read = [...verdicts.values()].reduce((sum, count) => sum + count, 0);
if (read !== total.inputs - total.parked || verdicts.get('REJECTED') !== total.rejected) {
  throw new Error(`the pages have ${read} messages, and the accounting has ${JSON.stringify(total)}`);
}

const unknown = await api.GET('/v1/conversations/{namespace}/{protocol}/{conversation}', {
  params: { path: { namespace: 'default', protocol: 'SLIP', conversation: 'no such' } },
});
if (unknown.error?.code !== 'UNKNOWN_CONVERSATION') {
  throw new Error(`not a typed problem: ${JSON.stringify(unknown.error)}`);
}
