// Parley's verdicts on recordings, and those that a table of docs/testing.md explains.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { PARLEY, ROOT, read } from './harness.mjs';

/** Judges recordings with Parley; returns each record with its file, its line and its verdict. */
export function judge(files) {
  const all = files.sort().flatMap((file) => read(file).map((record, at) => ({ file, line: at + 1, record })));
  const input = files.map((file) => readFileSync(file, 'utf8')).join('');
  const options = { input, maxBuffer: 1 << 30, stdio: ['pipe', 'pipe', 'inherit'] };
  const verdicts = execFileSync(PARLEY, ['judge', '-', '--json'], options).toString().trim().split('\n');
  assert.equal(verdicts.length, all.length, 'parley judge: one verdict for each record');
  return all.map((one, at) => ({ ...one, verdict: JSON.parse(verdicts[at]) }));
}

/** The rows of the first table below a heading of docs/testing.md: of each cell, the text and words in backticks. */
export function rows(heading) {
  const lines = readFileSync(`${ROOT}docs/testing.md`, 'utf8').split('\n');
  const from = lines.findIndex((line) => /^#+ (.*)/.exec(line)?.[1] === heading);
  assert(from >= 0, `docs/testing.md has no heading ${heading}`);
  const start = lines.findIndex((line, at) => at > from && line.startsWith('|')) + 2;
  const end = lines.findIndex((line, at) => at > start && !line.startsWith('|'));
  return lines.slice(start, end).map((line) => line.split('|').slice(1, -1)
    .map((text) => ({ words: [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word), text: text.trim() })));
}

/** Recordings and codes of a table, each pair with the rules that it cites. */
export function explained(heading) {
  return new Map(rows(heading).flatMap(([names, codes, , { text }]) => {
    const rules = text.match(/M\d+/g) ?? [];
    return names.words.flatMap((name) => codes.words.map((code) => [`${name} ${code}`, rules]));
  }));
}

/**
 * Compares verdicts with those that a table explains, and prints a summary.
 *
 * @param isPart whether some recordings are missing, so that codes may not occur
 * @param raw matches the names of recordings with records that cannot be decoded
 */
export function check(verdicts, expected, isPart, raw) {
  const problems = new Set();
  const found = new Set();
  let plain = 0;
  for (const { file, line, verdict } of verdicts) {
    const name = basename(file).split('.')[0];
    const where = `${file}:${line}`;
    const codes = [verdict.code, ...verdict.warnings ?? []].filter(Boolean);
    if (codes.length === 0 && verdict.verdict === 'ACCEPTED') plain++;
    if (verdict.verdict === 'UNDECODABLE' && !raw.test(name)) problems.add(`${where} does not decode: ${verdict.code}`);
    for (const code of codes) {
      const rules = expected.get(`${name} ${code}`);
      found.add(`${name} ${code}`);
      const [, rule] = codes.length === 1 ? verdict.rule?.section.split(' ') ?? [] : [];
      if (rules === undefined) problems.add(`${where} has ${code}, which docs/testing.md does not explain`);
      else if (rule && !rules.includes(rule)) problems.add(`${where} has ${code} by ${rule}, docs/testing.md ${rules}`);
    }
  }
  for (const pair of isPart ? [] : expected.keys()) {
    if (!found.has(pair)) problems.add(`${pair} is in docs/testing.md, but did not occur`);
  }
  const sessions = new Set(verdicts.map(({ record }) => record.key)).size;
  console.log(`${sessions} sessions, ${verdicts.length} records, ${plain} of them accepted without a warning`);
  if (problems.size > 0) {
    console.error([...problems].join('\n'));
    process.exitCode = 1;
  }
}
