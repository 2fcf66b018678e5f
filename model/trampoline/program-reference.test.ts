import { describe, expect, test } from 'vitest';
import { KERNELS } from '../core/profile.ts';
import { Rig } from '../testing/attach-rig.ts';
import { tracedFunction } from './traced-function.ts';
import { trLock } from './trampoline.ts';

const FUNCTIONS = [tracedFunction('f1', 1, 'u64 -> u64')];

describe.each(KERNELS)('the file descriptor of a program in %s', (kernel) => {
  const rig = new Rig(kernel, FUNCTIONS);
  rig.load(1, 'fentry', 'f1');
  rig.link(1);
  const first = rig.answer({ do: 'close(prog)', prog: 1 });
  const second = rig.answer({ do: 'close(prog)', prog: 1 });
  rig.answer({ do: 'settle' });

  test('is closed once', () => {
    expect([first, second]).toEqual([0, 'EBADF']);
  });

  test('is not what a link needs: its program runs on', () => {
    expect(rig.call('f1').who).toContain('prog#1');
  });

  test('has to be open for another link', () => {
    expect(rig.link(1, 'link#2')).toBe('EBADF');
  });

  test('leaves no reference when a link is refused', () => {
    const refused = new Rig(kernel, FUNCTIONS);
    refused.load(1, 'fentry', 'f1');
    refused.link(1);
    expect([refused.link(1, 'link#2'), refused.k.bpf.progs[1]?.refs]).toEqual(['EBUSY', 2]);
  });
});

test.each(KERNELS)(
  '%s warns of a trampoline that is put with its own mutex locked, if it has one',
  (kernel) => {
    const rig = new Rig(kernel, FUNCTIONS);
    rig.load(1, 'fentry', 'f1');
    rig.k.locks[trLock(rig.k, 'f1')] = 'a live patch';
    rig.answer({ do: 'close(prog)', prog: 1 });
    rig.answer({ do: 'settle' });
    const warned = [{ is: 'put with its mutex locked', target: 'f1' }];
    expect(rig.k.warnings).toEqual(kernel === '7.2' ? [] : warned);
    expect(rig.k.bpf.trampolines).toEqual({});
  },
);
