import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../counterexamples/answer.ts';
import { scratch } from '../../test/scratch.ts';
import { replayText } from '../replay/replay.ts';
import { exploringWith } from './explore-rig.ts';

const { explored } = exploringWith(scratch().file);
const NESTED = readFileSync(join(import.meta.dirname, '../../docs/examples/nested.scenario'), 'utf8');

describe('a call that makes others', () => {
  test('is explored with all of them, and each finds an operation done or not done', () => {
    const { text, verbose, exit } = explored(NESTED);
    expect(verbose).toMatch(/^ {2}✓ task\/probes-see-old-or-new\n {6}exercised in [\d.]+ % of moves \(/m);
    expect(text).toMatch(/ 777 states, 1,401 moves, to depth 61, explored to the end\n✓ 6\.12: 17 laws/);
    expect(exit).toBe(EXIT.HELD);
  });

  const CB = 'kernel 6.12\n\nf1 = function(u64 -> u64)\ncb = function(u64 x2 -> u64)\n';
  const OPS = `${CB}ops#1 = ftrace_ops()\nftrace_set_filter_ip(ops#1, f1)\nftrace_set_filter_ip(ops#1, cb)\n`;

  test('comes to one function before it is traced, and to the other after that', () => {
    const { text, exit } = explored(
      `${OPS}client#1: register_ftrace_function(ops#1)\ntask#1: cb(0x1, 0x2)\n`,
    );
    expect(text).toMatch(/\n {2}502 states, .* explored to the end\n✓ 6\.12: 17 laws/);
    expect(exit).toBe(EXIT.HELD);
  });

  test.each([
    [
      'fprobe-goes-before-its-ops',
      `${CB}register_fprobe_ips(fprobe#1, { f1, cb }, exit_handler)\nclient#1: unregister_fprobe(fprobe#1)\ntask#1: cb(0x1, 0x2)\n`,
      'an object that a call uses is allocated',
    ],
    [
      'modify-without-the-detour',
      NESTED.replace(/^register_kretprobe.*\n/m, ''),
      'my_tramp2 sees rec twice (direct)',
    ],
  ])('shows the planted bug %s', (planted, text, expected) => {
    const answer = explored(text, { planted });
    expect(answer.text).toContain(`expected   ${expected}`);
    expect(answer.exit).toBe(EXIT.BROKEN);
    expect(answer.save.map((saved) => replayText(saved.text).kind)).toEqual(['same']);
  });

  test('and loses exits of an image that is replaced, as is known', () => {
    const { text, exit } = explored(`kernel 6.12

rec = function(u64 -> u64)
prog#1 = BPF_PROG_LOAD(fexit, rec)
prog#2 = BPF_PROG_LOAD(fentry, rec)
link#1 = BPF_RAW_TRACEPOINT_OPEN(prog#1)

client#1: link#2 = BPF_RAW_TRACEPOINT_OPEN(prog#2)
task#1 (asleep at body_hook): rec(0x1)
`);
    expect(text).toMatch(/^known task\/probes-see-old-or-new$/m);
    expect(text).toContain('retired-image-loses-exits: ');
    expect(exit).toBe(EXIT.HELD);
  });
});
