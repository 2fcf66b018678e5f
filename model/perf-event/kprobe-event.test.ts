import { describe, expect, test } from 'vitest';
import { KERNELS, profileNamed } from '../core/profile.ts';
import { apply } from '../step.ts';
import { ask } from '../testing/asked.ts';
import { addressOf } from '../text/space.ts';
import { plus, toHex, ZERO } from '../x86/word.ts';

const LOAD = 'prog#1 = BPF_PROG_LOAD(kprobe get_func_ip cookie=0x7)';
const SET = 'PERF_EVENT_IOC_SET_BPF(perf#1, prog#1)';
const LINK = 'link#1 = BPF_LINK_CREATE(prog#1, perf#1)';
const OPEN = 'perf#1 = perf_event_open(kprobe, f1)';
const LIVE_PATCH =
  'ops#1 = ftrace_ops(SAVE_REGS | IPMODIFY); ftrace_set_filter_ip(ops#1, f1); register_ftrace_function(ops#1)';

describe.each(KERNELS)('perf events on kprobes of %s', (kernel) => {
  /** An instruction after the call site. */
  const body = `f1+0x${profileNamed(kernel).ibt ? 'a' : '5'}`;

  test('a program runs at the entry with the address of the function, and with the cookie of its link', () => {
    const { rig, answers } = ask(kernel, `${LOAD}; ${OPEN}; ${LINK}`);
    expect(answers).toEqual([0, 0, 0]);
    const ip = toHex(addressOf(rig.k, 'f1'));
    expect(rig.call('f1').run.events[0]).toMatchObject({
      kind: 'kprobe',
      who: 'perf#1',
      prog: 'prog#1',
      cookie: '0x7',
      ip,
    });
  });

  test('a program at the return gets the address of the function, and its return value', () => {
    const { rig } = ask(kernel, `${LOAD}; perf#1 = perf_event_open(kretprobe, f1); ${SET}`);
    const { run } = rig.call('f1');
    const ip = toHex(addressOf(rig.k, 'f1'));
    expect(run.events.at(-1)).toMatchObject({ kind: 'kretprobe', who: 'perf#1', ret: run.rax, ip });
    expect(rig.k.current).toMatchObject({ kprobe: false, bpfProgActive: 0, rcu: 0, preemptOff: 0 });
  });

  test('bpf_get_func_ip() returns 0 in the body', () => {
    const { rig, answers } = ask(kernel, `${LOAD}; perf#1 = perf_event_open(kprobe, ${body}); ${SET}`);
    expect(answers).toEqual([0, 0, 0]);
    expect(rig.call('f1').run.events[0]).toMatchObject({ kind: 'kprobe', fn: body, ip: '0x0' });
    rig.answer({ do: 'close(perf_event)', event: 'perf#1' });
    expect(rig.k.text.probed).toEqual({});
  });

  test('it is among the kprobes of its address, the newest first, and a jump runs it as well', () => {
    const entry = ask(kernel, `register_kprobe(kprobe#1, f1); ${LOAD}; ${OPEN}; ${SET}`);
    entry.rig.answer({ do: 'register_kprobe', kprobe: 'kprobe#2', ip: 'f1', post: false });
    expect(entry.rig.call('f1').who).toEqual(['kprobe#2', 'perf#1', 'kprobe#1', 'f1']);
    const jumped = ask(
      kernel,
      `sysctl debug.kprobes-optimization=1; ${LOAD}; perf#1 = perf_event_open(kprobe, ${body}); ${SET}`,
    );
    jumped.rig.answer({ do: 'settle' });
    expect(jumped.rig.call('f1').run.events[0]).toMatchObject({ who: 'perf#1', ip: '0x0' });
  });

  test('two events on one function have two kprobes, and may run one program', () => {
    const { rig, answers } = ask(
      kernel,
      `${LOAD}; ${OPEN}; perf#2 = perf_event_open(kprobe, f1); ${SET}; PERF_EVENT_IOC_SET_BPF(perf#2, prog#1)`,
    );
    expect(answers).toEqual([0, 0, 0, 0, 0]);
    expect(rig.call('f1').who).toEqual(['perf#2', 'perf#1', 'f1']);
  });

  test('without a program it is armed and runs nothing', () => {
    const { rig } = ask(kernel, OPEN);
    expect(rig.k.ftrace.records['f1']!.count).toBe(1);
    expect(rig.call('f1').who).toEqual(['f1']);
  });

  test('the last reference takes the kprobe off: that of the link, or that of the descriptor', () => {
    const { rig } = ask(kernel, `${LOAD}; ${OPEN}; ${LINK}; close(perf#1)`);
    expect(rig.call('f1').who).toEqual(['perf#1', 'f1']);
    rig.answer({ do: 'close(link)', link: 'link#1' });
    expect(rig.k.probes).toMatchObject({ kprobes: {}, kprobeTable: {} });
    expect(rig.k.ftrace.records['f1']!.count).toBe(0);
    rig.answer({ do: 'close(prog)', prog: 1 });
    rig.answer({ do: 'settle' });
    expect(rig.k.bpf.progs[1]!.freed).toBe(true);
    expect(rig.k.perf).toMatchObject({ events: {}, calls: {}, arrays: {} });
    const returns = ask(kernel, 'perf#1 = perf_event_open(kretprobe, f1); close(perf#1)').rig;
    returns.answer({ do: 'settle' });
    expect(returns.k.probes).toMatchObject({ kprobes: {}, kretprobes: {}, rethooks: {} });
    expect(returns.k.perf).toBeUndefined();
  });

  test('EINVAL for another program and for one that may sleep, EEXIST for a second one', () => {
    const { answers } = ask(
      kernel,
      [
        'prog#2 = BPF_PROG_LOAD(kprobe sleepable)',
        'prog#3 = BPF_PROG_LOAD(kprobe)',
        OPEN,
        'PERF_EVENT_IOC_SET_BPF(perf#1, prog#2)',
        'PERF_EVENT_IOC_SET_BPF(perf#1, prog#3)',
        'PERF_EVENT_IOC_SET_BPF(perf#1, prog#3)',
        'link#1 = BPF_LINK_CREATE(prog#3, { f1 })',
      ].join('; '),
    );
    const refused = kernel === '6.1' ? 'EOPNOTSUPP' : 'EINVAL';
    expect(answers).toEqual([0, 0, 0, 'EINVAL', 0, 'EEXIST', refused]);
  });

  test('ENOENT for no symbol, EINVAL for a return that is in a body, and what register_kprobe() answers', () => {
    expect(ask(kernel, 'perf#1 = perf_event_open(kprobe, no_such_function)').answers).toEqual(['ENOENT']);
    const { rig, answers } = ask(
      kernel,
      `perf#1 = perf_event_open(kretprobe, ${body}); perf#1 = perf_event_open(kprobe, f1+0x1)`,
    );
    expect(answers).toEqual(['EINVAL', 'EILSEQ']);
    expect(rig.k.perf).toBeUndefined();
    expect(rig.k.probes).toMatchObject({ kprobeTable: {} });
  });

  test('without memory nothing is opened', () => {
    for (const where of [
      'perf_event_open (kprobe)',
      'create_local_trace_kprobe',
      'perf_trace_event_reg',
      'ftrace_set_hash',
    ]) {
      const { rig } = ask(kernel, LOAD);
      rig.answer({ do: 'fail', fault: { what: 'allocation', where } });
      expect(rig.answer({ do: 'perf_event_open(kprobe)', event: 'perf#1', on: 'kprobe', ip: 'f1' })).toBe(
        'ENOMEM',
      );
      expect(rig.k.perf).toBeUndefined();
      expect(rig.k.probes).toMatchObject({ kprobes: {}, kprobeTable: {} });
    }
  });

  test('a live patch does not mind it', () => {
    const { rig, answers } = ask(kernel, `${LIVE_PATCH}; ${LOAD}; ${OPEN}; ${SET}`);
    expect(answers.slice(3)).toEqual([0, 0, 0]);
    expect(rig.call('f1').who).toContain('perf#1');
  });

  test('a program that comes while another runs on the CPU is missed, which 6.1 does not count', () => {
    const { rig } = ask(kernel, `${LOAD}; ${OPEN}; ${SET}`);
    rig.k.current.bpfProgActive = 1;
    expect(rig.call('f1').who).toEqual(['f1']);
    expect(rig.k.bpf.progs[1]!.misses).toBe(kernel === '6.1' ? 0 : 1);
    expect(rig.k.current).toMatchObject({ bpfProgActive: 1, kprobe: false });
  });
});

describe.each(KERNELS)('programs of kprobe.multi on perf events of kprobes of %s', (kernel) => {
  const { fprobe, ibt, kprobeSession } = profileNamed(kernel);
  const MULTI = 'prog#1 = BPF_PROG_LOAD(kprobe.multi entry get_func_ip)';
  const seen = (open: string, load = MULTI) => {
    const { rig, answers } = ask(kernel, `${load}; perf#1 = perf_event_open(${open}); ${SET}`);
    expect(answers).toEqual([0, 0, 0]);
    return { rig, event: rig.call('f1').run.events.find(({ prog }) => prog === 'prog#1') };
  };
  /** The address at an offset from f1. */
  const addressIn = (rig: ReturnType<typeof seen>['rig'], offset: number) =>
    toHex(plus(addressOf(rig.k, 'f1'), offset));

  test('the ioctl accepts one, to which bpf_get_func_ip() returns another word', () => {
    const { rig, event } = seen('kprobe, f1');
    const after = addressIn(rig, ibt ? 5 : 1);
    expect(event).toMatchObject({
      who: 'perf#1',
      ip: { '6.1': '0x0', '6.12': after, '7.2': 'tp->event' }[kernel],
    });
    const returned = seen('kretprobe, f1').event;
    expect(returned).toMatchObject({ kind: 'kretprobe', ip: fprobe === 'none' ? '0x0' : 'tp->event' });
  });

  test('in a body the word is the address after the int3, where the registers are read', () => {
    const { rig, event } = seen(`kprobe, f1+0x${ibt ? 'a' : '5'}`);
    expect(event?.ip).toBe({ '6.1': '0x0', '6.12': addressIn(rig, 0xb), '7.2': 'tp->event' }[kernel]);
  });

  test('one that asks for nothing runs as any other', () => {
    const { event } = seen('kprobe, f1', 'prog#1 = BPF_PROG_LOAD(kprobe.multi return)');
    expect(event).toMatchObject({ who: 'perf#1', cookie: '0x0' });
    expect(event).not.toHaveProperty('ip');
  });

  test('one that asks for its cookie follows the canary of the stack, where there are fprobes', () => {
    const { rig } = ask(kernel, `prog#1 = BPF_PROG_LOAD(kprobe.multi entry cookie=0x7); ${OPEN}; ${SET}`);
    const args = { registers: Array.from({ length: 6 }, () => ZERO), stack: [] };
    const { died } = apply(rig.k, { do: 'call', fn: 'f1', ...args });
    expect(died).toEqual(
      fprobe === 'none' ? undefined : { is: 'run context of an event', prog: 1, field: 'link' },
    );
  });

  test('a session is one of kprobe.multi where there are sessions, and of kprobes before', () => {
    const SESSION = 'prog#1 = BPF_PROG_LOAD(kprobe.multi session get_func_ip)';
    const { rig, event } = seen('kretprobe, f1', SESSION);
    expect(event?.ip).toBe(kprobeSession ? 'tp->event' : addressIn(rig, 0));
    const { answers } = ask(kernel, `${SESSION}; ${OPEN}; ${LINK}`);
    expect(answers[2]).toBe(kprobeSession ? 'EINVAL' : 0);
  });

  test('EINVAL for a link to an event, and for a link of kprobe.multi of a kprobe program', () => {
    expect(ask(kernel, `${MULTI}; ${OPEN}; ${LINK}`).answers[2]).toBe('EINVAL');
    const { answers } = ask(kernel, `${LOAD}; link#1 = BPF_LINK_CREATE(prog#1, { f1 })`);
    expect(answers[1]).toBe(fprobe === 'none' ? 'EOPNOTSUPP' : 'EINVAL');
  });
});
