import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { beside } from '../../test/beside.ts';
import { scratch } from '../../test/scratch.ts';
import { Monitor } from './monitor.ts';

/** A machine that answers as the emulator does, with events between; it needs some time for everything. */
const MACHINE = `
const { openSync, readSync, writeSync } = require('node:fs');
const { path, refuses, end } = JSON.parse(process.argv[1]);
const from = openSync(path + '.in', 'r'), to = openSync(path + '.out', 'w');
const log = openSync(path + '.log', 'w');
const say = (what) => writeSync(to, JSON.stringify(what) + '\\r\\n');
say({ QMP: { version: {}, capabilities: [] } });
let pending = '', asked = 0;
const chunk = Buffer.alloc(4096);
for (;;) {
  const count = readSync(from, chunk);
  if (count === 0) break;
  pending += chunk.toString('latin1', 0, count);
  for (let at; (at = pending.indexOf('\\n')) >= 0; pending = pending.slice(at + 1)) {
    const { execute, arguments: words } = JSON.parse(pending.slice(0, at));
    writeSync(log, execute + ' ' + JSON.stringify(words) + '\\n');
    say({ event: 'STOP', data: {} });
    if (execute === refuses) say({ error: { class: 'GenericError', desc: 'no space' } });
    else if (execute === 'query-migrate') say({ return: { status: ++asked < 3 ? 'active' : end } });
    else if (execute === 'query-status') say({ return: { status: ++asked < 3 ? 'inmigrate' : 'running' } });
    else say({ return: {} });
  }
}
`;

const start = beside(MACHINE);
const folder = scratch();
let machines = 0;

function machine({ refuses = '', end = 'completed' } = {}) {
  const path = folder.path(`monitor${++machines}`);
  const monitor = new Monitor(path);
  start({ path, refuses, end });
  const asked = () => readFileSync(`${path}.log`, 'latin1').trim().split('\n');
  return { monitor, asked };
}

test('a machine is saved once all of it is written, and continues', () => {
  const { monitor, asked } = machine();
  monitor.save('machine');
  expect(asked()).toContain('migrate {"uri":"exec:cat > machine"}');
  expect(asked().filter((line) => line.startsWith('query-migrate'))).toHaveLength(3);
  expect(asked().at(-1)).toBe('cont {}');
  monitor.close();
});

test('a machine that was saved is waited for until it runs', () => {
  const { monitor, asked } = machine();
  monitor.awaitRunning();
  expect(asked().filter((line) => line.startsWith('query-status'))).toHaveLength(3);
  monitor.close();
});

test.each([
  [{ refuses: 'migrate' }, 'the monitor of the machine, migrate: no space'],
  [{ end: 'failed' }, 'the emulator does not save a machine'],
])('one that cannot be saved is an error: %j', (how, message) => {
  const { monitor } = machine(how);
  expect(() => monitor.save('machine')).toThrow(message);
  monitor.close();
});
