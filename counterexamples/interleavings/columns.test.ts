import { describe, expect, test } from 'vitest';
import { WIDTH } from '../text.ts';
import type { Row } from './columns.ts';
import { drawColumns } from './columns.ts';

const CLIENT = { head: ['client#1: close(link#1)'] };
const TASK = { head: ['task#1 on cpu 0: f1(0x1001)', '(asleep at prog#1)'] };

const ROWS: readonly Row[] = [
  { column: 0, text: '… 18 steps', changes: [] },
  {
    column: 0,
    text: 'bpf_trampoline_update: choose the flags, generate the image',
    changes: ['tramp#2: – → live'],
  },
  { column: 1, text: 'runs prog#1', changes: [] },
];

describe('the columns of an interleaving', () => {
  test('keep what each actor does below its head, time downward', () => {
    expect(drawColumns([CLIENT, TASK], ROWS, 'strict')?.join('\n')).toMatchInlineSnapshot(`
      "  client#1: close(link#1)                            task#1 on cpu 0: f1(0x1001)
                                                           (asleep at prog#1)
        ------------------------------------------------   ---------------------------
        … 18 steps
        bpf_trampoline_update: choose the flags,
          generate the image
          tramp#2: – → live
                                                           runs prog#1"
    `);
  });

  test('let a row run to the right where space is short', () => {
    expect(drawColumns([CLIENT, TASK], ROWS, 'loose')?.join('\n')).toMatchInlineSnapshot(`
      "  client#1: close(link#1)                task#1 on cpu 0: f1(0x1001)
                                               (asleep at prog#1)
        ------------------------------------   ------------------------------------
        … 18 steps
        bpf_trampoline_update: choose the flags, generate the image
          tramp#2: – → live
                                               runs prog#1"
    `);
  });

  test('break a call before its arguments when it is wider than its column', () => {
    const call = { head: ['client#1: unregister_ftrace_direct_of_a_module(direct#1)'] };
    expect(drawColumns([call, call, TASK], [], 'strict')).toBeUndefined();
    expect(drawColumns([call, TASK], [], 'strict')?.join('\n')).toMatchInlineSnapshot(`
      "  client#1:                                          task#1 on cpu 0: f1(0x1001)
          unregister_ftrace_direct_of_a_module(direct#1)   (asleep at prog#1)
        ------------------------------------------------   ---------------------------"
    `);
  });

  test('are never wider than a page', () => {
    const word = 'prepare_direct_functions_for_ipmodify:';
    const rows = [0, 1].map((column) => ({ column, text: `${word} find the direct ops`, changes: [word] }));
    for (const fit of ['strict', 'loose'] as const)
      for (const line of drawColumns([CLIENT, TASK], rows, fit) ?? [])
        expect(line.length).toBeLessThanOrEqual(WIDTH);
  });
});
