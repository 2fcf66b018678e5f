import type { Ip } from '../core/ids.ts';
import type { Routine } from '../core/part.ts';
import { entry } from '../core/present.ts';
import { routine } from '../core/routine.ts';
import { registerFtraceDirect, unregisterFtraceDirect } from '../ftrace/direct.ts';
import { hexText } from '../ftrace/entry/hex-text.ts';
import { ftraceSetFilterIp } from '../ftrace/set-filter.ts';
import type { Cpu } from '../text/cpu.ts';
import { addressOf, pageAddress } from '../text/space.ts';
import { allocatePage, freePage } from '../text/text.ts';
import type { Design, LinkArgs } from '../trampoline/designs/design.ts';
import { designData } from '../trampoline/designs/design.ts';
import type { BpfWorld } from '../trampoline/world.ts';
import { Assembler } from '../x86/assemble.ts';
import { RDI } from '../x86/register.ts';

/*
 * The smallest design that has everything of its own, for tests: one piece of code for all functions of a link, which
 * counts the call and continues into the function. It does not run the program.
 */

const CODE = 'counter.image';
const OPS = 'counter.ops';

interface Counter {
  hits: number;
}

function writeCode(k: BpfWorld): void {
  allocatePage(k, CODE, '');
  const a = new Assembler(pageAddress(entry(k.text.pages, CODE).at), (symbol) => addressOf(k, symbol));
  a.push(RDI);
  a.call('count_hit');
  a.pop(RDI);
  a.ret();
  entry(k.text.pages, CODE).bytes = hexText(a.finish().bytes);
}

const countHit = routine<BpfWorld, { cpu: Cpu }>('count_hit', ({ step }) => [
  step('count', (k) => {
    designData<Counter>(k).hits++;
  }),
]);

export const counting: Design = {
  name: 'counting',
  sentence: 'All functions of a link call one piece of code, which counts their calls.',
  source: 'none',
  kinds: ['fentry'],
  needs: ({ directApi }) => (directApi === 'ops' ? undefined : 'it registers its own ops'),
  start: () => ({ hits: 0 }) satisfies Counter,
  attach: routine<BpfWorld, LinkArgs, LinkArgs & { ip: Ip }>('counting_attach', ({ step, each, call }) => [
    step('write the code', writeCode),
    each<string>(
      'target',
      (k, { link }) => entry(k.bpf.links, link).targets,
      (locals, ip) => {
        locals.ip = ip;
      },
      [call(ftraceSetFilterIp, (_, { ip }) => ({ ops: OPS, ip, remove: false, reset: false }))],
    ),
    call(registerFtraceDirect, () => ({ ops: OPS, addr: CODE })),
  ]),
  detach: routine<BpfWorld, LinkArgs>('counting_detach', ({ step, call, wait }) => [
    call(unregisterFtraceDirect, () => ({ ops: OPS, addr: CODE, freeFilters: true })),
    wait('rcu_tasks'),
    step('free the code', (k) => freePage(k, CODE)),
  ]),
  cFunctions: { count_hit: { routine: 'count_hit', give: (_, cpu) => ({ cpu }) } },
  routines: [countHit] as unknown as readonly Routine[],
  counts: [{ routine: 'counting_attach', id: 'write the code', count: () => ({ images: 1 }) }],
};
