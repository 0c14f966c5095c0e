// Sends messages in every mode of CloudEvents with its SDK for JavaScript, and reads their verdicts with it:
// events.mjs KAFKA API, with a token of role producer or operator in PARLEY_TOKEN.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { CloudEvent, HTTP, Kafka as Events } from 'cloudevents';
import kafkajs from 'kafkajs';
import { decompressFrame } from 'lz4-napi';

const TIMEOUT_MS = 120_000;
const { CompressionCodecs, CompressionTypes, Kafka, logLevel } = kafkajs;
CompressionCodecs[CompressionTypes.LZ4] = () => ({ decompress: decompressFrame });
const [broker, api] = process.argv.slice(2);
const kafka = new Kafka({ brokers: [broker], logLevel: logLevel.ERROR });
/** The audit chain of each input position, as in ce_subject and ce_id. */
const expected = new Map();
let events = 0;

/** An event in a conversation of its own. */
function event(data, chain, attributes = {}) {
  const conversation = `talk-${++events}`;
  return {
    chain: `sdk|${chain}|${conversation}`,
    event: new CloudEvent({
      source: '/agents/a', type: 'message', data, parleynamespace: 'sdk', parleyconversation: conversation,
      parleysender: 'A1', ...attributes,
    }),
  };
}

const question = (attributes) => event('?Uc/la', 'LAMBDA', { datacontenttype: 'text/plain', ...attributes });
const state = () => event({ type: 'STATE', payload: '000110' }, 'SUBIT', { datacontenttype: 'application/json' });

async function post({ headers, body }) {
  const response = await fetch(`${api}/v1/wire`, {
    method: 'POST', headers: { ...headers, authorization: `Bearer ${process.env.PARLEY_TOKEN}` }, body,
  });
  const text = await response.text();
  assert.equal(response.status, 202, text);
  return JSON.parse(text);
}

const id = ({ topic, partition, offset }) => `${topic}-${partition}-${offset}`;

for (const mode of [HTTP.binary, HTTP.structured]) {
  for (const sent of [question(), state(), question({ subject: '100%' })]) {
    expected.set(id(await post(mode(sent.event))), sent.chain);
  }
}
const batch = [question(), state()];
const { items } = await post({
  headers: { 'content-type': 'application/cloudevents-batch+json' }, body: JSON.stringify(batch.map(({ event }) => event)),
});
batch.forEach(({ chain }, i) => expected.set(id(items[i]), chain));

const producer = kafka.producer();
await producer.connect();
const text = event('{"type":"STATE","payload":"000110"}', 'SUBIT', { datacontenttype: 'application/json' });
for (const { message, chain } of [
  ...[question(), text].map((sent) => ({ message: Events.binary(sent.event), chain: sent.chain })),
  ...[question(), state()].map((sent) => ({ message: Events.structured(sent.event), chain: sent.chain })),
]) {
  // KafkaJS does not accept the undefined headers that the SDK makes of attributes which are not set.
  const headers = Object.fromEntries(Object.entries(message.headers).filter(([, value]) => value !== undefined));
  const [{ topicName, partition, baseOffset }] = await producer.send({
    topic: 'parley.wire', messages: [{ ...message, headers }],
  });
  expected.set(id({ topic: topicName, partition, offset: baseOffset }), chain);
}
await producer.disconnect();

const consumer = kafka.consumer({ groupId: `events-${randomUUID()}`, readUncommitted: false });
const verdicts = new Map();
await consumer.connect();
await consumer.subscribe({ topics: ['parley.audit.v1'], fromBeginning: true });
await consumer.run({
  eachMessage: async ({ message: { key, value, headers } }) => {
    const texts = Object.fromEntries(Object.entries(headers).map(([name, bytes]) => [name, bytes.toString()]));
    const verdict = Events.toEvent({ key: key.toString(), value, headers: texts });
    assert.equal(verdict.type, 'dev.parley.audit.v1');
    verdicts.set(verdict.id, verdict.subject);
  },
});
for (const end = Date.now() + TIMEOUT_MS; [...expected.keys()].some((position) => !verdicts.has(position));) {
  assert(Date.now() < end, `no verdict: ${[...expected.keys()].filter((position) => !verdicts.has(position))}`);
  await new Promise((next) => setTimeout(next, 100));
}
await consumer.disconnect();
for (const [position, chain] of expected) {
  assert.equal(verdicts.get(position), chain, position);
}
console.log(`${events} events of the SDK are messages, and it reads their verdicts`);
