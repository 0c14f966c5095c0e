// Reads every output topic with topic.mjs of docs/clients.md, whatever the topics contain, and compares the records
// with the accounting of the API, whose records are those of the input topics. The first records come three seconds
// after the consumer has joined its group, as from a slow broker.
import assert from 'node:assert/strict';
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup.js';
import { read } from './topic.mjs';

const request = ConsumerGroup.prototype.fetch;
let delay;
ConsumerGroup.prototype.fetch = async function slowly(node) {
  await (delay ??= new Promise((resume) => setTimeout(resume, 3000)));
  return request.call(this, node);
};

const dead = ['decode', 'judge', 'apply'].map((stage) => `parley.dlq.${stage}.v1`);
const topics = ['audit', 'message', 'checkpoint', 'accounting', 'audit-head', 'audit-tile', 'redaction', 'redrive',
  'traffic-1m', 'violation-1m', 'edge-1m', 'turnaround-1m', 'open-item', 'parked-item', 'patch-1m', 'definition-change-1m',
  'dlq.internal'].map((name) => `parley.${name}.v1`).concat(dead);
const counts = Object.fromEntries(topics.map((topic) => [topic, 0]));
const verdicts = { ACCEPTED: 0, REJECTED: 0, FLAGGED: 0, UNDECODABLE: 0 };
const found = { messages: 0, redactions: 0, bigints: 0 };
const heads = new Map();
const sequences = new Map();
const logs = new Map();

const hasBigInt = (value) => typeof value === 'bigint'
  || (value && typeof value === 'object' && !Buffer.isBuffer(value) && Object.values(value).some(hasBigInt));

await read(topics, (topic, key, value, headers) => {
  counts[topic]++;
  if (topic === 'parley.audit.v1') {
    assert.equal(value.sequence, sequences.get(value.chain) ?? 0);
    sequences.set(value.chain, value.sequence + 1);
    const { partition, index } = value.log;
    logs.set(partition, Math.max(logs.get(partition) ?? 0, index + 1));
    assert.equal(headers.ce_subject.toString(), key);
    if (value.unread === null) {
      verdicts[value.verdict]++;
    }
    if (value.message && ['ACCEPTED', 'FLAGGED'].includes(value.verdict)) {
      found.messages++;
    }
    found.redactions += value.redaction ? 1 : 0;
    found.bigints += hasBigInt(value.message) ? 1 : 0;
  } else if (topic === 'parley.audit-head.v1') {
    heads.set(value.partition, value.size);
  }
});

const { total } = await (await fetch('http://127.0.0.1:8080/v1/accounting')).json();
assert.deepEqual(
  [verdicts.ACCEPTED, verdicts.REJECTED, verdicts.FLAGGED, verdicts.UNDECODABLE],
  [total.accepted, total.rejected, total.flagged, total.undecodable]);
assert.equal(counts['parley.message.v1'], found.messages);
assert.equal(dead.reduce((sum, topic) => sum + counts[topic], 0), total.rejected + total.undecodable);
assert.equal(heads.get(-1), heads.size - 1);
for (const [partition, size] of logs) {
  assert.ok(heads.get(partition) <= size);
}
console.log(`every record is decoded, and the counts are those of the accounting: ${found.redactions > 0 ? '' : 'no '}`
  + `redaction, ${found.bigints > 0 ? '' : 'no '}number above 2^53`);
