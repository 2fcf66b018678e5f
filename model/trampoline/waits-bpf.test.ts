import { describe, expect, test } from 'vitest';
import { kprobeMulti, link, load } from '../testing/busy-sequence.ts';
import { waitTable } from '../testing/wait-table.ts';

describe('BPF', () => {
  test('the last link of a function is closed', () => {
    expect(
      waitTable(load(1, 'fexit', 'f1'), link(1), { do: 'close(link)', link: 'link#1' }),
    ).toMatchInlineSnapshot(`
      "6.1  rude tasks; __bpf_tramp_image_put: tasks ref tasks work
      6.12 rude tasks; __bpf_tramp_image_put: tasks ref tasks work
      7.2  –; __bpf_tramp_image_put: tasks ref tasks work; register_ftrace_direct_cb: tasks"
    `);
  });

  test('one of two links is closed', () => {
    const two = [load(1, 'fentry', 'f1'), link(1), load(2, 'fentry', 'f1'), link(2)];
    expect(waitTable(...two, { do: 'close(link)', link: 'link#2' })).toMatchInlineSnapshot(`
      "6.1  –; __bpf_tramp_image_put: trace tasks work
      6.12 –; __bpf_tramp_image_put: trace tasks work
      7.2  –; __bpf_tramp_image_put: trace tasks work"
    `);
  });

  test('a program that was attached goes', () => {
    const gone = [load(1, 'fentry', 'f1'), link(1), { do: 'close(link)', link: 'link#1' }] as const;
    expect(waitTable(...gone, { do: 'close(prog)', prog: 1 })).toMatchInlineSnapshot(`
      "6.1  –; __bpf_prog_put: rcu
      6.12 –; __bpf_prog_put: rcu
      7.2  –; __bpf_prog_put: tasks rcu"
    `);
  });

  test('one that may sleep goes', () => {
    const gone = [load(1, 'fentry', 'f1', { sleepable: true }), link(1)];
    const close = { do: 'close(link)', link: 'link#1' } as const;
    expect(waitTable(...gone, close, { do: 'close(prog)', prog: 1 })).toMatchInlineSnapshot(`
      "6.1  not here
      6.12 –; __bpf_prog_put: trace
      7.2  –; __bpf_prog_put: tasks trace"
    `);
  });

  test('a kprobe.multi link is closed', () => {
    expect(
      waitTable(kprobeMulti(1), link(1, 'f1'), { do: 'close(link)', link: 'link#1' }),
    ).toMatchInlineSnapshot(`
      "6.1  not here
      6.12 rude tasks rcu; bpf_link_dealloc: rcu
      7.2  –; bpf_link_dealloc: rcu"
    `);
  });

  test('a tracing-multi link is closed', () => {
    const two = [load(1, 'fentry', '', { multi: true }), link(1, 'f1', 'f2')];
    expect(waitTable(...two, { do: 'close(link)', link: 'link#1' })).toMatchInlineSnapshot(`
      "6.1  not here
      6.12 not here
      7.2  –; __bpf_tramp_image_put: trace trace tasks tasks work work; bpf_link_dealloc: rcu; register_ftrace_direct_cb: tasks"
    `);
  });
});
