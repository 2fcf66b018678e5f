import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { beside } from '../../test/beside.ts';
import { scratch } from '../../test/scratch.ts';
import { Debugger } from './debugger.ts';
import { pause } from './pause.ts';

/** A machine of two CPUs that answers as the emulator does; it writes down its commands. */
const MACHINE = `
const { openSync, readSync, writeSync } = require('node:fs');
const path = JSON.parse(process.argv[1]);
const from = openSync(path + '.in', 'r'), to = openSync(path + '.out', 'w');
const log = openSync(path + '.log', 'w');
const registers = Buffer.alloc(8 * 17);
registers.writeBigUInt64LE(0x1000n, 8 * 16);
registers.writeBigUInt64LE(0x9000n, 8 * 7);
const say = (text) => writeSync(to, '$' + text + '#' + [...Buffer.from(text)].reduce((a, b) => (a + b) & 255, 0).toString(16).padStart(2, '0'));
let pending = '', isRunning = true, isBroken = false, isAcknowledged = false;
const chunk = Buffer.alloc(4096);
for (;;) {
  const count = readSync(from, chunk);
  if (count === 0) break;
  pending += chunk.toString('latin1', 0, count);
  for (;;) {
    if (pending[0] === '\\x03' || pending[0] === '+') {
      if (pending[0] === '+') isAcknowledged = true;
      else if (isRunning) { isRunning = false; say('T02thread:01;'); }
      pending = pending.slice(1);
      continue;
    }
    const found = /^\\$([^#]*)#(..)/.exec(pending);
    if (found === null) break;
    pending = pending.slice(found[0].length);
    if (!isAcknowledged) continue;
    const text = found[1];
    writeSync(log, text + '\\n');
    if (text === 'g') say(registers.toString('hex') + '00'.repeat(24));
    else if (text[0] === 'c') { isRunning = true; if (isBroken) { isRunning = false; say('T05thread:02;'); isBroken = false; } }
    else if (text.startsWith('vCont')) say('T05thread:02;');
    else { if (text[0] === 'Z') isBroken = true; say('OK'); }
  }
}
`;

const start = beside(MACHINE);
const folder = scratch();
let machines = 0;

function machine() {
  const path = folder.path(`debug${++machines}`);
  const debug = new Debugger(path);
  start(path);
  debug.connect();
  return { path, debug };
}

/** The commands of a machine, in order. */
function told(path: string): string[] {
  return readFileSync(`${path}.log`, 'latin1').trim().split('\n');
}

function pollUntil(debug: Debugger, isOver: () => boolean): void {
  for (let i = 0; i < 2000 && !isOver(); i++) if (!debug.poll()) pause();
}

test('a CPU at a breakpoint is led away, and its old place is on its stack', () => {
  const { path, debug } = machine();
  const hits: object[] = [];
  debug.atHit = (hit) => {
    hits.push(hit);
    debug.breakAt([]);
    debug.lead(hit.cpu, 0x4000n);
    return 'led away';
  };
  debug.breakAt([0x1000n]);
  pollUntil(debug, () => hits.length > 0);
  expect(hits).toEqual([{ cpu: 1, address: 0x1000n }]);
  const lines = told(path);
  expect(lines).toContain('M8ff8,8:0010000000000000');
  const written = Buffer.from(lines.find((line) => line.startsWith('G'))!.slice(1), 'hex');
  expect([written.readBigUInt64LE(8 * 7), written.readBigUInt64LE(8 * 16)]).toEqual([0x8ff8n, 0x4000n]);
  expect(lines).not.toContain('vCont;s:2');
  debug.close();
});

test('a CPU that continues executes the instruction without its breakpoint, which is set again', () => {
  const { path, debug } = machine();
  let hits = 0;
  debug.atHit = () => {
    hits++;
    return 'executes';
  };
  debug.breakAt([0x1000n]);
  pollUntil(debug, () => hits > 0);
  expect(hits).toBe(1);
  const lines = told(path);
  const step = lines.indexOf('vCont;s:2');
  expect(lines.slice(step - 1, step + 2)).toEqual(['z0,1000,1', 'vCont;s:2', 'Z0,1000,1']);
  debug.close();
});
