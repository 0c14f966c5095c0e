// Verifies an export in JSON lines, as docs/audit.md describes it, with nothing of Parley: node verify.mjs EXPORT KEY
// KEY is a verifier key, or a file with one. The exit status is 0 without faults, 1 with faults, and 2 if verification
// was not possible. Memory grows with chains, heads, redactions and open subtrees of the logs.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { createReadStream, existsSync, readFileSync } from 'node:fs';

const MAX_LINE = 64 << 20;
const MAX_FAULTS = 20;
const MAX_SKEW = 7200000n;
const MAX_BEHIND = 600000n;
export const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const zero = Buffer.alloc(32);

class Fault extends Error {
  constructor(code, detail) {
    super(`${code}: ${detail}`);
    this.code = code;
  }
}

const demand = (condition, code, detail) => {
  if (!condition) throw new Fault(code, detail);
};

// ---- Canonical JSON, read with an Avro schema into a value and its binary encoding.

const schemaFile = (name) => JSON.parse(readFileSync(
  new URL(`../../streams-app/core/src/main/resources/dev/parley/audit/${name}.avsc`, import.meta.url), 'utf8'));
const names = new Map();
const define = (schema) => {
  if (Array.isArray(schema)) return schema.map(define);
  if (typeof schema !== 'object') return schema;
  if (schema.name) names.set(schema.name, schema);
  if (schema.fields) schema.fields.forEach((field) => define(field.type));
  if (schema.items) define(schema.items);
  return schema;
};
export const metadata = define(schemaFile('metadata'));
export const content = define(schemaFile('content'));
const record = (fields) => ({ type: 'record', fields: fields.map(([name, type]) => ({ name, type })) });
const time = { type: 'long', logicalType: 'timestamp-millis' };
const optional = (type) => ['null', type];
const scope = { type: 'enum', symbols: ['UNSPECIFIED', 'EVERYTHING', 'CHAIN', 'TIME_RANGE'] };
const entry = record([
  ['start', optional(record([['version', 'int'], ['time', time], ['scope', scope], ['chain', optional('string')],
    ['from', optional(time)], ['to', optional(time)]]))],
  ['note', optional(record([['origin', 'string'], ['partition', 'int'], ['size', 'long'], ['time', time],
    ['note', 'string']]))],
  ['omitted', optional(record([['partition', 'int'], ['index', 'long'], ['level', 'int'], ['hash', 'bytes']]))],
  ['record', optional({ type: 'record', parts: true, fields: [...metadata.fields, { name: 'hash', type: 'bytes' },
    { name: 'contentHash', type: 'bytes' }, ...content.fields, { name: 'redacted', type: optional('Redaction') }] })],
  ['end', optional(record([['records', 'long'], ['omitted', 'long'], ['notes', 'long']]))],
]);

const zigzag = (value) => {
  let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  const bytes = [];
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
};
const escapes = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f' };
const escaped = (text) => `"${text.replace(/["\\\u0000-\u001f\u0085\u2028\u2029]/g,
  (one) => escapes[one] ?? `\\u${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)}"`;

const DAY = 86400000n;
const daysOf = (year, month, day) => {
  const y = month > 2 ? year : year - 1;
  const era = Math.floor(y / 400);
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const inEra = y - era * 400;
  return era * 146097 + inEra * 365 + Math.floor(inEra / 4) - Math.floor(inEra / 100) + ofYear - 719468;
};
const TIME = /^([+-]?)(\d{4,9})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{3}))?Z$/;
const LENGTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const millis = (text) => {
  const [, sign, digits, month, day, hour, minute, second, fraction] = TIME.exec(text) ?? [];
  const year = Number(sign === '-' ? -digits : digits);
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  demand(digits && (digits.length === 4 ? sign !== '+' : sign !== '' && digits[0] !== '0') && fraction !== '000'
    && !(sign === '-' && year === 0) && month >= 1 && month <= 12 && day >= 1 && day <= LENGTHS[month - 1]
    && (leap || month !== '02' || day <= 28) && hour < 24 && minute < 60 && second < 60, 'UNREADABLE', `time ${text}`);
  return BigInt(daysOf(year, Number(month), Number(day))) * DAY
    + BigInt(((hour * 60 + Number(minute)) * 60 + Number(second)) * 1000 + Number(fraction ?? 0));
};

export class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  is(token) {
    const found = this.text.startsWith(token, this.at);
    if (found) this.at += token.length;
    return found;
  }

  expect(token) {
    demand(this.is(token), 'UNREADABLE', `not canonical: expected ${token} at character ${this.at}`);
  }

  string() {
    let end = this.at + 1;
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === '\\' ? 2 : 1;
    const literal = this.text.slice(this.at, end + 1);
    let value;
    try {
      value = JSON.parse(literal);
    } catch {
      throw new Fault('UNREADABLE', `no string at character ${this.at}`);
    }
    demand(typeof value === 'string' && escaped(value) === literal, 'UNREADABLE',
      `not canonical: string at character ${this.at}`);
    this.at = end + 1;
    return value;
  }

  number(bits) {
    const [digits] = /-?\d*/.exec(this.text.slice(this.at, this.at + 21));
    demand(/^(0|-?[1-9]\d*)$/.test(digits) && BigInt.asIntN(bits, BigInt(digits)) === BigInt(digits), 'UNREADABLE',
      `no integer at character ${this.at}`);
    this.at += digits.length;
    return BigInt(digits);
  }

  // Returns a value, and appends its encoding to out.
  read(type, out) {
    if (typeof type === 'string' && names.has(type.slice(type.lastIndexOf('.') + 1))) {
      type = names.get(type.slice(type.lastIndexOf('.') + 1));
    }
    if (Array.isArray(type)) {
      const branch = type.findIndex((one) => one !== 'null');
      out.push(zigzag(BigInt(branch)));
      return this.read(type[branch], out);
    }
    switch (type.type ?? type) {
      case 'string': {
        const value = this.string();
        const bytes = Buffer.from(value);
        out.push(zigzag(BigInt(bytes.length)), bytes);
        return value;
      }
      case 'bytes': {
        const hex = this.string();
        demand(hex.length % 2 === 0 && /^[0-9a-f]*$/.test(hex), 'UNREADABLE', 'no lowercase hexadecimal');
        const bytes = Buffer.from(hex, 'hex');
        out.push(zigzag(BigInt(bytes.length)), bytes);
        return bytes;
      }
      case 'int': case 'long': {
        const value = type.logicalType === 'timestamp-millis' ? millis(this.string())
          : this.number((type.type ?? type) === 'int' ? 32 : 64);
        out.push(zigzag(value));
        return value;
      }
      case 'boolean': {
        const value = this.is('true');
        if (!value) this.expect('false');
        out.push(Buffer.from([value ? 1 : 0]));
        return value;
      }
      case 'enum': {
        const value = this.string();
        const index = type.symbols.indexOf(value);
        demand(index >= 0, 'UNREADABLE', `symbol ${value}`);
        out.push(zigzag(BigInt(index)));
        return value;
      }
      case 'array': {
        const values = [];
        const items = [];
        this.expect('[');
        while (!this.is(']')) {
          if (values.length > 0) this.expect(',');
          values.push(this.read(type.items, items));
        }
        if (values.length > 0) out.push(zigzag(BigInt(values.length)), Buffer.concat(items));
        out.push(zigzag(0n));
        return values;
      }
      case 'record': {
        const value = {};
        let separator = '';
        this.expect('{');
        for (const field of type.fields) {
          const target = type.parts ? (value.encoded ??= {})[field.name] = [] : out;
          if (this.is(`${separator}"${field.name}":`)) {
            value[field.name] = this.read(field.type, target);
            separator = ',';
          } else {
            demand(Array.isArray(field.type), 'UNREADABLE', `not canonical: ${field.name} is missing`);
            target.push(zigzag(BigInt(field.type.indexOf('null'))));
          }
        }
        this.expect('}');
        return value;
      }
      default:
        throw new Error(`a schema has the type ${type.type ?? type}`);
    }
  }

  static line(text) {
    const reader = new Reader(text);
    const value = reader.read(entry, []);
    demand(reader.at === text.length && Object.keys(value).length === 1, 'UNREADABLE', 'not one entry');
    return value;
  }
}

// ---- Notes.

const vkey = (text) => {
  const [, name, id, data] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text.trim()) ?? [];
  const bytes = Buffer.from(data ?? '', 'base64');
  if (bytes.length !== 33 || bytes[0] !== 1 || sha256(`${name}\n`, bytes).toString('hex', 0, 4) !== id) {
    throw new Error(`no Ed25519 verifier key: ${text}`);
  }
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes.subarray(1)]);
  return { name, id, key: createPublicKey({ key: der, format: 'der', type: 'spki' }) };
};

// Returns the lines of a note; null if the key did not sign it, or if it is no note.
const open = (note, key) => {
  const end = note.lastIndexOf('\n\n');
  if (end <= 0 || !note.endsWith('\n')) return null;
  const text = note.slice(0, end + 1);
  const signatures = note.slice(end + 2).split('\n').slice(0, -1)
    .map((line) => /^— ([^\s+]+) ([A-Za-z0-9+/]+=*)$/.exec(line) ?? [])
    .map(([, name, data]) => ({ name, data, bytes: Buffer.from(data ?? '', 'base64') }));
  if (!signatures.every(({ data, bytes }) => bytes.length > 4 && bytes.toString('base64') === data)) return null;
  const own = signatures.filter(({ name, bytes }) => name === key.name && bytes.toString('hex', 0, 4) === key.id);
  const isSigned = own.length > 0
    && own.every(({ bytes }) => verify(null, Buffer.from(text), key.key, bytes.subarray(4)));
  return isSigned ? text.split('\n').slice(0, -1) : null;
};

const integer = (text) => {
  demand(/^(0|[1-9]\d{0,18})$/.test(text ?? ''), 'HEAD_MALFORMED', `number ${text}`);
  return BigInt(text);
};
const hash = (text) => {
  const bytes = Buffer.from(text ?? '', 'base64');
  demand(bytes.length === 32 && bytes.toString('base64') === text, 'HEAD_MALFORMED', `hash ${text}`);
  return bytes;
};

// ---- Logs: complete subtrees merge, except across the size of a head, published or in the statement.

const node = (left, right) => sha256(Buffer.from([1]), left, right);

class Log {
  constructor() {
    this.heads = [];
    this.roots = [];
    this.stated = -1n;
    this.complete = -1n;
    this.nodes = new Map();
    this.omitted = [];
    this.records = 0n;
    this.first = null;
    this.last = null;
  }

  // Keeps the first and last record, of a log or chain, with their times. A patch may have waited for its base.
  extend(index, time, chain) {
    const written = chain.startsWith('CSP|', chain.indexOf('|') + 1) ? time + DAY : time;
    if (!this.first || index < this.first.index) this.first = { index, time: written };
    if (!this.last || index > this.last.index) this.last = { index, time };
  }

  put(level, index, value) {
    for (let up = level; up < 63; up++) {
      demand(!this.nodes.has(`${up}/${index >> BigInt(up - level)}`), 'LOG_REPEATED', `index ${index << BigInt(level)}`);
    }
    for (;;) {
      const parent = index >> 1n;
      const low = parent << BigInt(level + 1);
      const high = low + (2n << BigInt(level));
      const sibling = this.nodes.get(`${level}/${index ^ 1n}`);
      if (!sibling || this.roots.some(({ size }) => low < size && size < high)) break;
      this.nodes.delete(`${level}/${index ^ 1n}`);
      value = index & 1n ? node(sibling, value) : node(value, sibling);
      index = parent;
      level++;
    }
    this.nodes.set(`${level}/${index}`, value);
  }

  // Adds a head of a signed statement, whose root the log must have, but which covers no record.
  state(head) {
    this.roots.push(head);
    if (head.size > this.stated) this.stated = head.size;
  }

  isOmitted(from, to) {
    return this.omitted.some(({ low, high }) => low < to && from < high);
  }

  // The root of a subtree, of which records may be missing; adds the nodes that it needs to used.
  root(level, index, used) {
    const name = `${level}/${index}`;
    if (this.nodes.has(name)) {
      used.add(name);
      return this.nodes.get(name);
    }
    const low = index << BigInt(level);
    const high = low + (1n << BigInt(level));
    if (!this.roots.some(({ size }) => low < size && size < high)) return undefined;
    const left = this.root(level - 1, index * 2n, used);
    const right = this.root(level - 1, index * 2n + 1n, used);
    return left && right && node(left, right);
  }

  // Calls fault for every head whose root differs, for what no signed head covers, and if no head reaches the
  // statement.
  close(partition, fault) {
    const last = this.heads.at(-1)?.size;
    if (this.stated > (last ?? -1n)) {
      fault(last === undefined ? 'LOG_MISSING' : 'LOG_CUT',
        `log ${partition}: head ${last ?? 'missing'}, but ${this.stated} in the statement`);
    }
    const covered = new Set();
    for (const { size, root, covers } of this.roots) {
      const parts = [];
      let at = 0n;
      for (let level = 62; level >= 0; level--) {
        if (!((size >> BigInt(level)) & 1n)) continue;
        parts.push(this.root(level, at >> BigInt(level), covers ? covered : new Set()));
        at += 1n << BigInt(level);
      }
      if (parts.some((one) => !one)) {
        fault('LOG_GAP', `log ${partition} lacks records below ${size}`);
      } else {
        const found = parts.length === 0 ? sha256()
          : parts.reduceRight((right, left) => node(left, right));
        if (!found.equals(root)) fault('HEAD_MISMATCH', `log ${partition}, size ${size}`);
      }
    }
    for (const name of this.nodes.keys()) {
      if (!covered.has(name)) fault('NOT_COVERED', `log ${partition}: subtree ${name} is below no signed head`);
    }
  }
}

// ---- The export.

// The record that a redaction or approval names; the names differ, so that an approval proves no redaction.
const target = ({ chain, sequence, source: { topic, partition, offset } }, hash, approves) =>
  [sequence, partition, offset, hash.toString('hex'), approves, topic, chain].join(' ');

export class Verifier {
  constructor(key) {
    this.key = vkey(key);
    this.faults = [];
    this.logs = new Map();
    this.chains = new Map();
    this.redacted = new Map();
    this.named = new Map();
    this.approvals = 0;
    this.inputs = new Map();
    this.partitions = 0n;
    this.newest = 0n;
    this.stated = false;
    this.chainEnds = [];
    this.ofChain = new Log();
    this.counts = { records: 0n, omitted: 0n, notes: 0n };
    this.line = 0;
    this.stage = 0;
  }

  fault(code, detail) {
    this.faults.push(code);
    if (this.faults.length <= MAX_FAULTS) console.log(`${code} at ${this.line}: ${detail}`);
  }

  log(partition) {
    if (!this.logs.has(partition)) this.logs.set(partition, new Log());
    return this.logs.get(partition);
  }

  // Checks a line; a fault in it ends the check of this line only.
  accept(bytes) {
    this.line++;
    try {
      let text;
      try {
        text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      } catch {
        throw new Fault('UNREADABLE', 'not UTF-8');
      }
      const value = Reader.line(text);
      const [kind] = Object.keys(value);
      const stage = ['start', 'note', 'omitted', 'record', 'end'].indexOf(kind);
      demand(this.line === 1 ? stage === 0 : stage > 0 && stage >= this.stage && this.stage < 4, 'EXPORT_INCOMPLETE',
        `${kind} is in the wrong place`);
      this.stage = stage;
      this[kind](value[kind]);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.fault(error.code, error.message);
    }
  }

  start(start) {
    demand(start.version === 1n, 'UNREADABLE', `version ${start.version}`);
    this.description = start;
  }

  note({ origin, partition, size, time: stated, note }) {
    this.counts.notes++;
    const lines = open(note, this.key);
    if (!lines) {
      console.log(`notice: NOTE_IGNORED at ${this.line}: the key did not sign this note, so it counts for nothing`);
      return;
    }
    const { name } = this.key;
    demand(stated <= BigInt(Date.now()) + MAX_SKEW, 'TIME_IMPOSSIBLE', `a note of ${origin} of the future`);
    demand(lines[0] === origin && [name, `${name}/chain`, `${name}/${partition}`].includes(origin), 'HEAD_MALFORMED',
      `origin ${origin}`);
    if (origin === name) {
      const partitions = integer(/^partitions (.*)$/.exec(lines[1])?.[1]);
      const heads = lines.slice(3).filter((line) => line.startsWith('head '));
      demand(partition === -1n && size === partitions && partitions > 0n && partitions < 1n << 31n
        && integer(/^time (.*)$/.exec(lines[2])?.[1]) === stated
        && lines.slice(3 + heads.length).every((line) => line.startsWith('key ')), 'HEAD_MALFORMED',
      'statement of the partitions');
      this.partitions = partitions > this.partitions ? partitions : this.partitions;
      this.stated = true;
      let before = -1n;
      for (const line of heads) {
        const [, log, end, root, complete] = /^head (\S+) (\S+) (\S+) (\S+)$/.exec(line) ?? [];
        demand(integer(log) > before && integer(log) < partitions, 'HEAD_MALFORMED', line);
        before = integer(log);
        demand(integer(complete) <= stated + MAX_SKEW, 'HEAD_MALFORMED', `${line} of the future`);
        this.log(before).state({ size: integer(end), root: hash(root), covers: false });
        const known = this.log(before).complete;
        this.log(before).complete = integer(complete) > known ? integer(complete) : known;
      }
    } else if (origin === `${name}/chain`) {
      const [, sequence, hash64] = /^last (\d+) (\S+)$/.exec(lines[2]) ?? [];
      const [, log, end] = /^log (\d+) (\d+)$/.exec(lines[3]) ?? [];
      const chain = /^chain (\S+)$/.exec(lines[1])?.[1];
      demand(lines.length === 5 && lines[4] === `time ${stated}` && chain, 'HEAD_MALFORMED', 'statement of a chain');
      this.chainEnds.push({ chain: Buffer.from(chain, 'base64').toString(), sequence: integer(sequence),
        hash: hash(hash64), partition: integer(log), size: integer(end) });
    } else {
      demand(lines.length === 4 && origin === `${name}/${partition}` && partition >= 0n && integer(lines[1]) === size
        && lines[3] === `time ${stated}`, 'HEAD_MALFORMED', `head of ${origin}`);
      const { heads, roots } = this.log(partition);
      demand(heads.every((head) => head.size <= size), 'HEAD_REPLAYED', origin);
      // A head that was written again makes the log no older.
      const last = heads.at(-1);
      const later = last?.size === size && last.time > stated ? last.time : stated;
      heads.push({ size, root: hash(lines[2]), time: later, covers: true });
      roots.push(heads.at(-1));
    }
  }

  omitted({ partition, index, level, hash: value }) {
    this.counts.omitted++;
    demand(level >= 0n && level < 62n && index >= 0n && index % (1n << level) === 0n && value.length === 32,
      'UNREADABLE', 'omitted records');
    const log = this.log(partition);
    const high = index + (1n << level);
    log.put(Number(level), index >> level, value);
    const before = log.omitted.at(-1);
    if (before?.high === index) before.high = high;
    else log.omitted.push({ low: index, high });
  }

  record(record) {
    this.counts.records++;
    const { chain, sequence, source, encoded } = record;
    const bytes = (schema) => Buffer.concat(schema.fields.flatMap(({ name }) => encoded[name]));
    const before = this.chains.get(chain);
    const log = this.log(record.log.partition);
    const { index } = record.log;
    this.chains.set(chain, { sequence, hash: record.hash, index, first: before?.first ?? sequence, gap: before?.gap });
    const whole = !record.redacted && sha256(bytes(content)).equals(record.contentHash);
    if (record.redaction) this.redaction(record, whole);
    demand(record.hash.length === 32 && record.contentHash.length === 32 && record.previousHash.length === 32
      && index >= 0n && sequence >= 0n, 'UNREADABLE', 'lengths');
    log.records++;
    log.put(0, index, sha256(Buffer.from([0]), record.hash));
    const { from, to } = this.description ?? {};
    const { timestamp } = source;
    if (!record.redaction || ((from === undefined || timestamp >= from) && (to === undefined || timestamp < to))) {
      log.extend(index, timestamp, chain);
    }
    this.ofChain.extend(index, timestamp, chain);
    this.newest = timestamp > this.newest ? timestamp : this.newest;
    const head = log.heads.at(-1);
    demand(timestamp <= BigInt(Date.now()) + MAX_SKEW
      && !(head && index < head.size && timestamp > head.time + MAX_SKEW), 'TIME_IMPOSSIBLE', `${chain} ${sequence}`);
    demand(sha256(sha256(bytes(metadata)), record.contentHash).equals(record.hash), 'RECORD_CHANGED', chain);
    if (record.redacted) {
      demand(content.fields.map(({ name }) => record[name])
        .every((value) => value === undefined || (Array.isArray(value) && value.length === 0)),
        'CONTENT_CHANGED', 'a redacted copy has content');
      this.redacted.set(`${sequence} ${chain}`, { record, proven: null, line: this.line });
    } else {
      demand(whole, 'CONTENT_CHANGED', chain);
      const payload = record.omitted ? record.omitted.sha256 : sha256(record.message?.raw ?? record.raw ?? '');
      demand(record.payloadHash && payload.equals(record.payloadHash), 'PAYLOAD_CHANGED', chain);
    }
    demand((record.verdict === 'ACCEPTED') === (record.code === undefined), 'VERDICT_CHANGED', record.verdict);
    const expected = before ? before.sequence + 1n : 0n;
    if (sequence === expected) {
      demand(record.previousHash.equals(before?.hash ?? zero), 'LINK_BROKEN', `${chain} ${sequence}`);
    } else {
      demand(sequence > expected, 'RECORD_REPEATED', `${chain} ${sequence}`);
      demand(log.isOmitted(before ? before.index + 1n : 0n, index), 'RECORD_MISSING', `${chain} ${expected}`);
      if (before) this.chains.get(chain).gap = expected;
    }
    if (record.unread === undefined) this.input(source);
  }

  // One bit for each input position.
  input({ topic, partition, offset }) {
    const name = `${topic}/${partition}`;
    if (!this.inputs.has(name)) this.inputs.set(name, new Map());
    const blocks = this.inputs.get(name);
    const block = offset >> 10n;
    if (!blocks.has(block)) blocks.set(block, Buffer.alloc(128));
    const bit = Number(offset & 1023n);
    const bits = blocks.get(block);
    demand(!(bits[bit >> 3] & (1 << (bit & 7))), 'INPUT_REPEATED', `${name}@${offset}`);
    bits[bit >> 3] |= 1 << (bit & 7);
  }

  // The first redaction or approval that names a record is in effect.
  redaction({ chain, verdict, sequence, redaction, encoded }, whole) {
    if (redaction.approves) this.approvals++;
    const name = target(redaction, redaction.recordHash, redaction.approves);
    if (!whole || verdict !== 'ACCEPTED' || redaction.sequence >= sequence || redaction.chain !== chain
      || this.named.has(name)) return;
    this.named.set(name, { line: this.line, chain, sequence: redaction.sequence });
    const copy = this.redacted.get(`${redaction.sequence} ${chain}`);
    if (copy?.proven === null && name === target(copy.record, copy.record.hash, false)) {
      copy.proven = Buffer.concat(encoded.redaction).equals(Buffer.concat(copy.record.encoded.redacted));
    }
  }

  // Second pass: drops what names a record that it can concern.
  locate(bytes) {
    const record = readable(bytes);
    if (!record) return;
    if (!record.redaction) this.named.delete(target(record, record.hash, false));
    if (record.warnings.includes('MCP_DEFINITION_CHANGED')) this.named.delete(target(record, record.hash, true));
  }

  // Reports the others, as far as the export has the beginning of their chains.
  unfounded() {
    for (const { line, chain, sequence } of this.named.values()) {
      if (sequence >= this.chains.get(chain).first) {
        console.log(`notice: REDACTION_UNFOUNDED at ${line}: ${chain} has no such record ${sequence}`);
      }
    }
  }

  end({ records, omitted, notes }) {
    const { counts } = this;
    demand(records === counts.records && omitted === counts.omitted && notes === counts.notes, 'EXPORT_INCOMPLETE',
      'other counts than in the last entry');
  }

  // Ends the export, and returns the number of faults.
  finish() {
    if (this.stage !== 4) this.fault('EXPORT_INCOMPLETE', 'no last entry');
    if (!this.stated) this.fault('STATEMENT_MISSING', 'no statement that the key signed');
    for (const [partition, log] of this.logs) {
      log.close(partition, (code, detail) => this.fault(code, detail));
    }
    for (const { record, proven, line } of this.redacted.values()) {
      if (!proven) this.fault('REDACTION_UNPROVEN', `line ${line}, ${record.chain} ${record.sequence}`);
    }
    for (const { chain, sequence, hash: end, partition, size } of this.chainEnds) {
      const last = this.chains.get(chain);
      const heads = this.logs.get(partition)?.heads ?? [];
      if (last?.sequence !== sequence || !last.hash.equals(end) || heads.some((head) => head.size > size)) {
        this.fault('CHAIN_CUT', `${chain} ends at ${sequence}`);
      }
    }
    this.finishDescription();
    return this.faults.length;
  }

  // Checks what the description claims: docs/audit.md#export.
  finishDescription() {
    const { scope: wanted, chain: one, from, to } = this.description ?? {};
    if (wanted === 'UNSPECIFIED') this.fault('EXPORT_INCOMPLETE', 'no scope');
    const bounded = from !== undefined || to !== undefined;
    if ((wanted === 'EVERYTHING' && (bounded || one !== undefined)) || (wanted === 'CHAIN' && bounded)
      || (wanted === 'TIME_RANGE' && (!bounded || from > to))) {
      this.fault('EXPORT_INCOMPLETE', 'an impossible description');
    }
    for (const [chain, { gap }] of this.chains) {
      if (one !== undefined && chain !== one) this.fault('EXPORT_INCOMPLETE', `a record of ${chain}`);
      if (one !== undefined && gap !== undefined) this.fault('EXPORT_INCOMPLETE', `${chain} ${gap} is omitted`);
    }
    if (wanted === 'CHAIN' || one !== undefined) {
      const { first, last } = this.ofChain;
      const ranged = wanted === 'TIME_RANGE';
      if (this.chains.get(one)?.first !== 0n && !(ranged && from !== undefined && first?.time < from)) {
        this.fault('EXPORT_INCOMPLETE', `no beginning of ${one}`);
      }
      if (!this.chainEnds.some(({ chain }) => chain === one)
        && !(ranged && to !== undefined && last?.time >= to)) {
        this.fault('EXPORT_INCOMPLETE', `nothing proves the end of ${one}`);
      }
    }
    const whole = one === undefined && (wanted === 'EVERYTHING' || wanted === 'TIME_RANGE');
    for (let partition = 0n; whole && partition < this.partitions; partition++) {
      const log = this.logs.get(partition);
      const head = log?.heads.at(-1);
      if (!head) {
        this.fault('EXPORT_INCOMPLETE', `no head of partition ${partition}`);
        break;
      }
      const reached = head.time > log.complete ? head.time : log.complete;
      if (wanted === 'EVERYTHING' ? reached < this.newest - MAX_BEHIND : log.complete < (to ?? this.newest)) {
        this.fault('EXPORT_INCOMPLETE', `log ${partition} is not complete`);
      }
    }
    for (const [partition, log] of this.logs) {
      if (wanted === 'EVERYTHING' && log.omitted.length > 0) this.fault('LOG_OMITTED', `log ${partition}`);
      const low = from !== undefined && log.first?.time < from ? log.first.index : 0n;
      const high = to !== undefined && log.last?.time >= to ? log.last.index : 1n << 62n;
      if (wanted === 'TIME_RANGE' && one === undefined && log.isOmitted(low, high)) {
        this.fault('EXPORT_INCOMPLETE', `log ${partition} may omit records of the time range`);
      }
    }
  }

  summary() {
    const sizes = [...this.logs.values()].map(({ heads }) => heads.at(-1)?.size ?? 0n);
    return `${this.counts.records} of ${sizes.reduce((sum, size) => sum + size, 0n)} records, `
      + `${this.logs.size} of ${this.partitions} partitions, ${this.approvals} approvals`;
  }
}

// The record in a line; undefined if there is none, or the line is not readable, which is a fault by itself.
const readable = (bytes) => {
  try {
    return Reader.line(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)).record;
  } catch (error) {
    if (!(error instanceof Fault || error instanceof TypeError)) throw error;
    return undefined;
  }
};

// Lines of a file, without the line feed.
const lines = async function* (file) {
  let rest = [];
  let length = 0;
  for await (const chunk of createReadStream(file)) {
    let from = 0;
    for (let to = chunk.indexOf(10); to >= 0; to = chunk.indexOf(10, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, to)]);
      rest = [];
      length = 0;
      from = to + 1;
    }
    rest.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > MAX_LINE) throw new Error(`a line has more than ${MAX_LINE} bytes`);
  }
  if (length > 0) yield Buffer.concat(rest);
};

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [file, key] = process.argv.slice(2);
  try {
    const verifier = new Verifier(existsSync(key) ? readFileSync(key, 'utf8') : key);
    for await (const line of lines(file)) verifier.accept(line);
    const faults = verifier.finish();
    if (verifier.named.size > 0) {
      for await (const line of lines(file)) verifier.locate(line);
      verifier.unfounded();
    }
    console.log(`${faults === 0 ? 'OK' : `${faults} faults`}: ${verifier.summary()}`);
    process.exitCode = faults === 0 ? 0 : 1;
  } catch (error) {
    console.error(`verify.mjs: ${error.message}`);
    process.exitCode = 2;
  }
}
