import type { ImageId } from '../../core/ids.ts';
import { useAfterFree } from '../../core/oops.ts';
import { entry } from '../../core/present.ts';
import type { DeepReadonly } from '../../core/readonly.ts';
import { functionAt } from '../../ftrace/run/regs.ts';
import type { Cpu } from '../../text/cpu.ts';
import { addressOf } from '../../text/space.ts';
import { RBP } from '../../x86/register.ts';
import { equal, plus } from '../../x86/word.ts';
import type { MadeImage } from '../make-image.ts';
import { makeImage } from '../make-image.ts';
import { wordSignature } from '../signature.ts';
import { programsOf } from '../update.ts';
import type { BpfView, BpfWorld, TrampNode } from '../world.ts';
import { designData } from './design.ts';
import type { Disagreement } from './disagreement.ts';

/*
 * One image for many functions. It prepares the argument words of the function with the most, which for any other
 * may be garbage after its own; it derives the function from the stack, and calls it through there:
 *
 * ```text
 *   rbp+24 …   the caller's stack arguments, of the function with the most
 *   rbp+16     return to the caller
 *   rbp+8      return into the traced function: source of bpf_get_func_ip(), and target of `call *%rbx`
 * ```
 */

/** A trampoline that many functions share: the counterpart of `struct bpf_trampoline`. */
export interface SharedTrampoline {
  readonly serial: number;
  /** Argument words that its images prepare. */
  words: number;
  /** In the order of their attachment. */
  nodes: TrampNode[];
  /** Empty: no function calls one. */
  curImage: ImageId;
}

/** State of a design with shared trampolines, by name. */
export interface SharedTrampolines {
  shared: Record<string, SharedTrampoline>;
}

/** A shared trampoline by name; accessing one that was freed is a crash. */
export function sharedOf(k: BpfWorld, name: string): SharedTrampoline;
export function sharedOf(k: BpfView, name: string): DeepReadonly<SharedTrampoline>;
export function sharedOf(k: BpfView, name: string): DeepReadonly<SharedTrampoline> {
  const found = designData<SharedTrampolines>(k).shared[name];
  if (found === undefined) throw useAfterFree({ is: 'shared trampoline', name });
  return found;
}

/**
 * An image for the programs of a shared trampoline, live, not yet called. It calls the original through the stack
 * (`BPF_TRAMP_F_ORIG_STACK`). A failure is ENOTSUPP, EFAULT or EINVAL.
 */
export function makeSharedImage(k: BpfWorld, owner: string): MadeImage {
  const { serial, words, nodes } = sharedOf(k, owner);
  return makeImage(k, {
    target: '',
    owner,
    serial,
    signature: wordSignature(words),
    programs: programsOf(k, nodes),
    sticky: { shareIpmodify: true, tailCallCtx: false },
  });
}

/**
 * The function for which a shared image runs, by the return address past its call site; after a live patch has
 * redirected that, it is unknown.
 */
export function calledFunction(k: BpfView, cpu: Cpu): string {
  const returnsTo = cpu.read(plus(cpu.register(RBP), 8));
  if (equal(returnsTo, addressOf(k, 'replacement'))) return '?';
  return functionAt(k, returnsTo);
}

/** Shared trampolines have an image exactly if programs are attached, and it is live and for these programs. */
export function sharedDisagreement(k: BpfView): Disagreement | undefined {
  const { shared } = designData<SharedTrampolines>(k);
  for (const name in shared) {
    const { nodes, curImage } = entry(shared, name);
    const expected = nodes.map(({ prog }) => prog);
    const image = k.bpf.images[curImage];
    const observed = [...(image?.programs ?? [])];
    const named = { of: name, expected, image: curImage };
    if (observed.join() !== expected.join()) return { is: 'shared-image-is-for-others', ...named, observed };
    if (image !== undefined && image.state !== 'live') return { is: 'shared-image-is-retired', ...named };
  }
  return undefined;
}
