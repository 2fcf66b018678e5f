import { describe, expect, test } from 'vitest';
import { Space } from '../../checker/interleavings/space.ts';
import { parseScenario } from '../../counterexamples/interleavings/task-trace.ts';
import { castOf } from '../history/cast.ts';
import { CannotSay, OP } from '../wire/numbers.ts';
import { KernelCode } from './code.ts';
import type { StagedKernel } from './stage.ts';
import { KernelStage } from './stage.ts';

const PARK = 0x5000n;
const BODY = 0x1000n;

/** A kernel in which each call reaches the body of its function once, on its CPU, and then ends. */
function kernelThat(reachesBody: boolean) {
  const asked: string[] = [];
  const led: bigint[] = [];
  let set: readonly bigint[] = [];
  const standing = new Set<number>();
  const begun = new Set<number>();
  const passed = new Set<number>();
  const breakpoints: StagedKernel['breakpoints'] = {
    atHit: () => 'executes',
    breakAt: (addresses) => (set = [...addresses]),
    lead: (cpu, to) => {
      led.push(to);
      standing.add(cpu);
    },
    poll: () => {
      for (const cpu of begun) {
        if (!reachesBody || passed.has(cpu) || set.length === 0) continue;
        passed.add(cpu);
        breakpoints.atHit({ cpu, address: BODY });
      }
      return false;
    },
  };
  const answer = (line: string): string => {
    asked.push(line);
    const [verb, first = '', second = ''] = line.split(' ');
    if (verb === 'k') return JSON.stringify(symbol(first));
    if (verb === 'y') return JSON.stringify({ a: ['0x90'] });
    if (verb === 'a') begun.add(Number(first));
    if (verb === 'x' && Number(first) === OP.RELEASE) standing.delete(Number(second));
    if (verb === 'w') return JSON.stringify({ ended: standing.has(Number(first)) ? 0 : 1, r: 0, rax: '0x0' });
    return JSON.stringify({
      r: 0,
      ...(verb === 'x' && Number(first) === OP.RELEASE ? { warn: ['WARNING: late'] } : {}),
    });
  };
  const kernel: StagedKernel = { ask: (lines) => lines.map(answer), pass: () => {}, breakpoints };
  return { kernel, asked, led };
}

function symbol(name: string): object {
  const address = name === 'recorder_park' ? PARK : name === 'recorder_body' ? BODY : 0n;
  return { at: `0x${address.toString(16)}`, is: address === 0n ? '0x0' : `${name}+0x0/0x1` };
}

function stageOn(kernel: StagedKernel): KernelStage {
  const { scenario } = parseScenario(
    [
      ...['kernel   6.12', 'cpus     1', '', 'f1 = function(u64 -> u64)'],
      ...[
        'client#1: register_kprobe(kprobe#1, f1)',
        'client#1: unregister_kprobe(kprobe#1)',
        'task#1: f1(0x1)',
      ],
    ].join('\n'),
  );
  const { profile, functions } = scenario;
  const question = { case: { profile, functions, actions: [] }, cast: castOf({ functions }) };
  return new KernelStage(kernel, new KernelCode(kernel), question, { space: new Space(scenario) });
}

describe('a direction on a kernel', () => {
  test('stops a task at its place until it is its turn again', () => {
    const { kernel, asked, led } = kernelThat(true);
    const stage = stageOn(kernel);
    const stop = { at: 'body_hook', visits: 1 };
    expect(stage.follow({ actor: 'task#1', stop }, 'body_hook')).toEqual({ is: 'followed' });
    expect(led).toEqual([PARK]);
    expect(asked.some((line) => line.startsWith('a 2 c '))).toBe(true);
    expect(stage.follow({ actor: 'client#1', stop: undefined }, 'its end, 0')).toEqual({ is: 'followed' });
    expect(asked.filter((line) => line.startsWith('a 1 x '))).toHaveLength(2);
    expect(asked).not.toContain(`x ${OP.RELEASE} 2`);
    stage.follow({ actor: 'task#1', stop: undefined }, 'its end');
    // It may not sleep where it is stopped next: that is said first.
    expect(asked.indexOf(`x ${OP.STAND} 2 0`)).toBeLessThan(asked.indexOf(`x ${OP.RELEASE} 2`));
    expect(stage.warnings).toEqual(['WARNING: late']);
  });

  test('that does not come off says where the task did not get to', () => {
    const { kernel } = kernelThat(false);
    const stop = { at: 'body_hook', visits: 2 };
    expect(stageOn(kernel).follow({ actor: 'task#1', stop }, 'body_hook')).toEqual({
      is: 'not stopped',
      why: 'task#1 does not get to body_hook',
    });
  });

  test('lets a client end a call, and not begin its next one', () => {
    const { kernel, asked } = kernelThat(true);
    const stage = stageOn(kernel);
    expect(stage.follow({ actor: 'client#1', stop: { ends: 1 } }, 'its end, 0')).toEqual({ is: 'followed' });
    expect(asked.filter((line) => line.startsWith('a 1 x '))).toHaveLength(1);
    expect(stage.follow({ actor: 'client#1', stop: undefined }, 'its end, 0')).toEqual({ is: 'followed' });
    expect(asked.filter((line) => line.startsWith('a 1 x '))).toHaveLength(2);
  });

  test('that is the end of more calls than a client makes does not come off', () => {
    const { kernel } = kernelThat(true);
    expect(stageOn(kernel).follow({ actor: 'client#1', stop: { ends: 3 } }, 'its end, 0')).toEqual({
      is: 'not stopped',
      why: 'client#1 does not come to the end of its call',
    });
  });

  test('lets a task sleep where it stands', () => {
    const { kernel, asked } = kernelThat(true);
    stageOn(kernel).follow({ actor: 'task#1', begins: 'sleeps', stop: 'at once' }, '');
    expect(asked).toContain(`x ${OP.STAND} 2 1`);
  });

  test('cannot interrupt a task', () => {
    const { kernel } = kernelThat(true);
    const direction = { actor: 'task#1', begins: 'is interrupted by an NMI', stop: undefined };
    expect(() => stageOn(kernel).follow(direction, '')).toThrow(CannotSay);
  });
});
