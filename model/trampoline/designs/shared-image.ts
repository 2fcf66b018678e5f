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
 * One image for many functions. It prepares as many argument words as the function with most has, which for another one
 * may be garbage after its own; it finds out from the stack which function it is, and calls it through there:
 *
 * ```text
 *   rbp+24 …   the caller's stack arguments, of the function with most
 *   rbp+16     return to the caller
 *   rbp+8      return into the traced function: bpf_get_func_ip() by subtraction, and where `call *%rbx` goes
 * ```
 */

/** A trampoline that many functions share: what `struct bpf_trampoline` is for one. */
export interface SharedTrampoline {
  readonly serial: number;
  /** Argument words that its images prepare. */
  words: number;
  /** In the order of their attachment. */
  nodes: TrampNode[];
  /** Empty: no function leads to one. */
  curImage: ImageId;
}

/** What a design keeps that has shared trampolines, by their names. */
export interface SharedTrampolines {
  shared: Record<string, SharedTrampoline>;
}

/** The shared trampoline of a name; whoever still has a pointer to one that has been freed crashes. */
export function sharedOf(k: BpfWorld, name: string): SharedTrampoline;
export function sharedOf(k: BpfView, name: string): DeepReadonly<SharedTrampoline>;
export function sharedOf(k: BpfView, name: string): DeepReadonly<SharedTrampoline> {
  const found = designData<SharedTrampolines>(k).shared[name];
  if (found === undefined) throw useAfterFree({ is: 'shared trampoline', name });
  return found;
}

/**
 * An image for the programs of a shared trampoline, live, that nobody leads to yet. Where it calls the original, it
 * does so through the stack (`BPF_TRAMP_F_ORIG_STACK`). What cannot be generated is ENOTSUPP, EFAULT or EINVAL.
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
 * The function whose call an image serves that is for many of them, by the return address after its call site; where a
 * live patch has redirected that, nobody can say.
 */
export function calledFunction(k: BpfView, cpu: Cpu): string {
  const returnsTo = cpu.read(plus(cpu.register(RBP), 8));
  if (equal(returnsTo, addressOf(k, 'replacement'))) return '?';
  return functionAt(k, returnsTo);
}

/** Shared trampolines have an image if and only if programs are attached, and it is live and for just these programs. */
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
