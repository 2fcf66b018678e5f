import type { KernelView } from '../../model/kernel.ts';
import { isThere, moduleOf } from '../../model/text/module.ts';
import type { AttachLaw } from '../law/sequence-law.ts';

/** A module cannot be unloaded while a program is attached to one of its functions. */
export const targetModulesStayLoaded: AttachLaw = {
  name: 'trampoline/target-modules-stay-loaded',
  sentence: 'A function stays loaded as long as it has an image or a kprobe.multi link.',
  source:
    'kernel/bpf/trampoline.c (6.1)  bpf_trampoline_module_get; kernel/bpf/verifier.c (6.12)  bpf_check_attach_target; kernel/trace/bpf_trace.c  get_modules_for_addrs',
  witness: 'a module function with an image or a kprobe.multi link',
  settled: true,
  judge: ({ after, outcome }) => {
    if (outcome.died !== undefined) return 'not applicable';
    const held = holdersOf(after).filter(([fn]) => moduleOf(after, fn) !== undefined);
    const gone = held.find(([fn]) => !isThere(after, fn));
    if (gone === undefined) return held.length > 0 ? 'held' : 'not applicable';
    return { is: 'target-was-unloaded', fn: gone[0], holder: gone[1] };
  },
};

/** Functions that have to stay loaded, each with the reason. */
function holdersOf({ bpf }: KernelView): [string, string][] {
  const images = Object.entries(bpf.trampolines).flatMap(([fn, { curImage }]): [string, string][] =>
    curImage === '' ? [] : [[fn, curImage]],
  );
  const links = Object.entries(bpf.links).flatMap(([name, { kind, targets }]) =>
    kind === 'kprobe multi' ? targets.map((fn): [string, string] => [fn, name]) : [],
  );
  return [...images, ...links];
}
