// Compares verify.mjs with parley verify on tampered copies of exports in JSON lines:
// node tamper.mjs SEED COPIES PARLEY KEY OLDER EXPORT...
// OLDER is an earlier export of the same deployment. An export must have an approval.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { Reader, content, metadata, sha256 } from './verify.mjs';

const [seed, copies, parley, key, olderExport, ...exports] = process.argv.slice(2);
let state = Number(seed);
// mulberry32
const random = (bound) => {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % bound;
};
const pick = (lines, pattern) => {
  const found = lines.flatMap((line, at) => (pattern.test(line) ? [at] : []));
  return found.length === 0 ? -1 : found[random(found.length)];
};
const RECORD = /^{"record"/;
const APPROVAL = /^{"record".*"redaction":{.*"approves":true/;
// What a redaction or approval names, without its chain.
const NAMED = /("redaction":{"chain":"(?:[^"\\]|\\.)*",)"sequence":\d+,"source":{[^}]*},"recordHash":"[^"]*"/;
const UNFOUNDED = /notice: REDACTION_UNFOUNDED/g;
const sourceOf = (line) => /"source":({[^}]*})/.exec(line)[1];
const HEAD = /^{"note":{"origin":"[^"]*\/\d+"/;
const olderHeads = readFileSync(olderExport, 'utf8').split('\n').filter((line) => HEAD.test(line));
const fields = (line) => Reader.line(line).record;
// Recomputes the hashes of a record, and links those after it in its chain.
const relink = (lines, from) => {
  const { chain } = fields(lines[from]);
  let previous = null;
  for (let at = from; at < lines.length; at++) {
    if (!RECORD.test(lines[at]) || fields(lines[at]).chain !== chain) continue;
    if (previous) lines[at] = lines[at].replace(/"previousHash":"[^"]*"/, `"previousHash":"${previous}"`);
    const { encoded, contentHash, redacted } = fields(lines[at]);
    const bytes = ({ fields: all }) => Buffer.concat(all.flatMap(({ name }) => encoded[name]));
    const inner = redacted ? contentHash : sha256(bytes(content));
    previous = sha256(sha256(bytes(metadata)), inner).toString('hex');
    lines[at] = lines[at].replace(/"hash":"[0-9a-f]{64}","contentHash":"[^"]*"/,
      `"hash":"${previous}","contentHash":"${inner.toString('hex')}"`);
  }
};
const count = (lines, name, change) => {
  lines[lines.length - 1] = lines.at(-1).replace(new RegExp(`"${name}":(\\d+)`),
    (all, number) => `"${name}":${Number(number) + change}`);
};
const drop = (lines, pattern, name) => {
  const at = pick(lines, pattern);
  if (at >= 0) {
    lines.splice(at, 1);
    count(lines, name, -1);
  }
};
const edit = (lines, pattern, from, to) => {
  const at = pick(lines, pattern);
  if (at >= 0) lines[at] = lines[at].replace(from, to);
  return at;
};
const otherHash = (all, digit) => all.replace(digit, digit === '0' ? '1' : '0');

const tampering = {
  'verdict flipped, relinked': (lines) => {
    const at = edit(lines, /"verdict":"REJECTED"/, '"verdict":"REJECTED"', '"verdict":"ACCEPTED"');
    if (at < 0) return;
    lines[at] = lines[at].replace(/"code":"[^"]*",/, '');
    relink(lines, at);
  },
  'record dropped': (lines) => drop(lines, RECORD, 'records'),
  'record dropped, renumbered and relinked': (lines) => {
    const at = pick(lines, RECORD);
    const { chain } = fields(lines[at]);
    lines.splice(at, 1);
    count(lines, 'records', -1);
    const next = lines.findIndex((line, i) => i >= at && RECORD.test(line) && fields(line).chain === chain);
    if (next < 0) return;
    for (let i = next; i < lines.length; i++) {
      if (RECORD.test(lines[i]) && fields(lines[i]).chain === chain) {
        lines[i] = lines[i].replace(/"sequence":(\d+)/, (all, number) => `"sequence":${number - 1}`);
      }
    }
    relink(lines, next);
  },
  'record repeated': (lines) => {
    const at = pick(lines, RECORD);
    lines.splice(at, 0, lines[at]);
    count(lines, 'records', 1);
  },
  'records swapped': (lines) => {
    const at = pick(lines.slice(0, -2), RECORD);
    [lines[at], lines[at + 1]] = [lines[at + 1], lines[at]];
  },
  'leaf in place of a record': (lines) => {
    const at = pick(lines, RECORD);
    const { log, hash } = fields(lines[at]);
    const leaf = sha256(Buffer.from([0]), hash).toString('hex');
    lines.splice(at, 1);
    lines.splice(lines.findIndex((line) => RECORD.test(line)), 0,
      `{"omitted":{"partition":${log.partition},"index":${log.index},"level":0,"hash":"${leaf}"}}`);
    count(lines, 'records', -1);
    count(lines, 'omitted', 1);
  },
  'unsigned note added': (lines) => {
    const at = pick(lines, HEAD);
    lines.splice(at + 1, 0, lines[at].replace(/\\n\\n— .*\\n"/, '\\n"').replace(/"size":\d+/, '"size":100000')
      .replace(/\\n\d+\\n/, '\\n100000\\n'));
    count(lines, 'notes', 1);
  },
  'note dropped': (lines) => drop(lines, /^{"note"/, 'notes'),
  'omitted hash dropped': (lines) => drop(lines, /^{"omitted"/, 'omitted'),
  'omitted hash forged': (lines) => edit(lines, /^{"omitted"/, /"hash":"(.)/, otherHash),
  'log cut back to an older head': (lines) => {
    const at = pick(lines, HEAD);
    const { partition } = Reader.line(lines[at]).note;
    const older = olderHeads.find((line) => Reader.line(line).note.partition === partition);
    if (!older) return;
    lines[at] = older;
    const { size } = Reader.line(older).note;
    for (let line = lines.length - 1; line >= 0; line--) {
      const { record, omitted } = Reader.line(lines[line]);
      if (record?.log.partition === partition && record.log.index >= size) {
        lines.splice(line, 1);
        count(lines, 'records', -1);
      } else if (omitted?.partition === partition && omitted.index + (1n << omitted.level) > size) {
        lines.splice(line, 1);
        count(lines, 'omitted', -1);
      }
    }
  },
  'time of the statement': (lines) => edit(lines, /^{"note".*partitions/, /"time":"\d/, '"time":"3'),
  'head of another size': (lines) => edit(lines, /^{"note"/, /"size":(\d)/, otherHash),
  'signature forged': (lines) => edit(lines, /^{"note"/, /.{4}(?==)/, 'AAAA'),
  'origin forged': (lines) => edit(lines, /^{"note"/, /"note":"/, '"note":"x'),
  'scope relabelled': (lines) => edit(lines, /^{"start"/, /"scope":"\w+"/,
    `"scope":"${['EVERYTHING', 'CHAIN', 'TIME_RANGE', 'UNSPECIFIED'][random(4)]}"`),
  'times relabelled': (lines) => edit(lines, /^{"start"/, /"(from|to)":"[^"]*",?/g, ''),
  'times claimed': (lines) => edit(lines, /^{"start"/, /("scope":"\w+"(,"chain":"[^"]*")?)[^}]*/,
    '$1,"from":"2026-01-02T00:00:00Z","to":"2026-01-01T00:00:00Z"'),
  'chain relabelled': (lines) => edit(lines, /^{"start"/, /"chain":"/, '"chain":"x'),
  'chain claimed': (lines) => edit(lines, /^{"start"/, /("scope":"\w+")(,"chain":"[^"]*")?/,
    '$1,"chain":"wrong|SLIP|90"'),
  'record chain renamed': (lines) => edit(lines, RECORD, /"chain":"/, '"chain":"x'),
  'end dropped': (lines) => lines.pop(),
  'counts changed': (lines) => count(lines, ['records', 'omitted', 'notes'][random(3)], 1),
  'redacted record changed': (lines) => edit(lines, /"redacted":/, /"reason":"/, '"reason":"x'),
  'redaction dropped': (lines) => drop(lines, /"redaction":/, 'records'),
  'redaction claimed': (lines) => {
    const at = pick(lines, RECORD);
    const copy = fields(lines[at]);
    if (copy.redacted) return;
    const source = /"source":({[^}]*})/.exec(lines[at])[1];
    lines[at] = `${lines[at].replace(/("contentHash":"[^"]*").*/, '$1')},"innerMessages":[],"redacted":{"chain":`
      + `${JSON.stringify(copy.chain)},"sequence":${copy.sequence},"source":${source},"recordHash":"`
      + `${copy.hash.toString('hex')}","reason":"x","by":"y","time":"2026-01-01T00:00:00Z","approves":false}}}`;
  },
  'approval dropped': (lines) => drop(lines, APPROVAL, 'records'),
  'reason of an approval edited': (lines) => edit(lines, APPROVAL, /"reason":"/, '"reason":"x'),
  'reason of an approval edited, relinked': (lines) => {
    const at = edit(lines, APPROVAL, /"reason":"/, '"reason":"x');
    if (at >= 0) relink(lines, at);
  },
  'approval of another record, relinked': (lines) => {
    const at = pick(lines, APPROVAL);
    if (at < 0) return;
    const { chain } = fields(lines[at]);
    const others = lines.slice(0, at).filter((line) => RECORD.test(line) && fields(line).chain === chain);
    const other = others[random(others.length)];
    const { sequence, hash } = fields(other);
    lines[at] = lines[at].replace(NAMED, (all, start) => `${start}"sequence":${sequence},"source":${sourceOf(other)},`
      + `"recordHash":"${hash.toString('hex')}"`);
    relink(lines, at);
  },
  'approved record without its warning, relinked': (lines) => {
    const at = edit(lines, /"warnings":\[[^\]]*"MCP_DEFINITION_CHANGED"/, '"MCP_DEFINITION_CHANGED"', '"MCP_ORDER"');
    if (at >= 0) relink(lines, at);
  },
  'approval made a redaction, relinked': (lines) => {
    const at = edit(lines, APPROVAL, '"approves":true', '"approves":false');
    if (at >= 0) relink(lines, at);
  },
  'approval as proof of a redacted copy': (lines) => {
    const approval = lines.find((line) => APPROVAL.test(line));
    if (!approval) return;
    const { chain, redaction } = fields(approval);
    const at = lines.findIndex((line) => RECORD.test(line) && fields(line).chain === chain
      && fields(line).sequence === redaction.sequence);
    lines[at] = `${lines[at].replace(/("contentHash":"[^"]*").*/, '$1')},"innerMessages":[],"redacted":`
      + `${/"redaction":({.*?"approves":true})/.exec(approval)[1]}}}`;
  },
  'space added': (lines) => edit(lines, RECORD, '":', '": '),
  'fields out of order': (lines) => edit(lines, RECORD, /("verdict":"[^"]*"),("stage":"[^"]*")/, '$2,$1'),
  'null written': (lines) => edit(lines, RECORD, '"allowed":', '"position":null,"allowed":'),
  'escape added': (lines) => edit(lines, RECORD, '"profile":"L', '"profile":"\\u004C'),
  'digits added to a time': (lines) => edit(lines, RECORD, /"timestamp":"([^".Z]*)(\.\d+)?Z"/,
    (all, seconds, fraction = '.000') => `"timestamp":"${seconds}${fraction}001Z"`),
  'empty content of a redacted copy': (lines) => edit(lines, /"redacted":/, '"innerMessages":',
    '"detail":"","innerMessages":'),
  'redacted copy with content': (lines) => {
    const at = pick(lines, RECORD);
    const { chain, sequence, hash } = fields(lines[at]);
    const source = /"source":({[^}]*})/.exec(lines[at])[1];
    lines[at] = lines[at].replace(/}}$/, `,"redacted":{"chain":${JSON.stringify(chain)},"sequence":${sequence},"source":`
      + `${source},"recordHash":"${hash.toString('hex')}","reason":"x","by":"y","time":"2026-01-01T00:00:00Z","approves":false}}}`);
  },
  'text changed': (lines) => {
    const at = random(lines.length);
    const to = random(lines[at].length);
    lines[at] = lines[at].slice(0, to) + String.fromCharCode(32 + random(95)) + lines[at].slice(to + 1);
  },
};

console.log(`seed: ${seed}`);
const work = mkdtempSync(join(tmpdir(), 'tamper-'));
const status = (command, ...args) => spawnSync(command, args, { encoding: 'utf8' });
// What a run says of approvals; parley verify says nothing of none.
const notices = ({ stdout }, pattern) => (stdout.match(pattern) ?? []).filter((found) => found !== '0').join();
const mine = new URL('./verify.mjs', import.meta.url).pathname;
let different = 0;
const found = [0, 0];
let unfounded = 0;
const names = Object.keys(tampering);
const first = random(names.length);
// The exports themselves come first, then all cases of approvals, then some of all cases.
const approved = exports.find((file) => readFileSync(file, 'utf8').split('\n').some((line) => APPROVAL.test(line)));
if (!approved) throw new Error('no export has an approval');
const plan = [
  ...exports.map((file) => [file, 'none']),
  ...names.filter((name) => /approv/.test(name)).map((name) => [approved, name]),
  ...Array.from({ length: Number(copies) },
    (_, copy) => [exports[copy % exports.length], names[(first + copy) % names.length]]),
];
try {
  for (const [from, name] of plan) {
    const lines = readFileSync(from, 'utf8').split('\n').slice(0, -1);
    const before = lines.join('\n');
    if (name !== 'none') tampering[name](lines);
    if (name !== 'none' && lines.join('\n') === before) continue;
    const file = join(work, 'copy.jsonl');
    writeFileSync(file, `${lines.join('\n')}\n`);
    const here = status('node', mine, file, key);
    const there = status(parley, 'verify', file, '--key', key);
    found[Math.min(1, here.status)]++;
    if (notices(here, UNFOUNDED)) unfounded++;
    const differ = [UNFOUNDED, /\d+(?= approvals?\b)/g]
      .some((pattern) => notices(here, pattern) !== notices(there, pattern));
    if (here.status !== there.status || differ || (name === 'none' && here.status !== 0)) {
      different++;
      console.log(`${from}, ${name}: verify.mjs ${here.status}, parley verify ${there.status}`);
      console.log(`${here.stdout}${here.stderr}${there.stdout}${there.stderr}`);
    }
  }
} finally {
  rmSync(work, { recursive: true });
}
console.log(`verify.mjs ${different === 0 ? 'agrees' : 'disagrees'} with parley verify: ${found[0]} exports without`
  + ` faults, ${found[1]} with faults, ${unfounded} with an approval or redaction of no such record`);
process.exitCode = different === 0 && found[1] > 0 && unfounded > 0 ? 0 : 1;
