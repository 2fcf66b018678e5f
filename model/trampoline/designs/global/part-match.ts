import type { Errno } from '../../../core/errno.ts';
import { entry, item } from '../../../core/present.ts';
import type { Signature, Type } from '../../signature.ts';
import { slotCount, wordsOfArguments } from '../../signature.ts';
import { knownFunction } from '../../traced-function.ts';
import type { BpfView } from '../../world.ts';
import type { LinkArgs } from '../design.ts';

/*
 * btf_check_func_part_match(), kernel/bpf/btf.c of the series: the verifier has noted in
 * `prog->aux->accessed_args` what a program reads of its first function, and that is all that other functions
 * have to have in common with it.
 */

/** bpf_tracing_check_multi(): EINVAL for a function that does not have what the link's program reads. */
export function refuseAccessed(k: BpfView, { link }: LinkArgs, name: string): Errno | undefined {
  const { program, target: first } = entry(k.bpf.progs, entry(k.bpf.links, link).prog);
  const { accesses, reads } = program;
  if (accesses === undefined || name === first) return undefined;
  const signature = knownFunction(k.functions, first).signature;
  const other = knownFunction(k.functions, name).signature;
  const hasArguments = accesses.every((number) =>
    isSame(item(signature.args, number), argumentAt(other, signature, number)),
  );
  const hasReturn = slotCount(signature) === slotCount(other) && isSame(signature.ret, other.ret);
  return hasArguments && (hasReturn || reads !== 'return directly') ? undefined : 'EINVAL';
}

/** The argument that begins where another function has its argument of this number. */
function argumentAt(other: Signature, signature: Signature, number: number): Type | undefined {
  const [place] = wordsOfArguments(signature, [number]);
  return other.args.find((_, i) => wordsOfArguments(other, [i])[0] === place);
}

/**
 * Kind, size, and of a struct its name; the sign of an integer is ignored. As far as a signature says, structs of
 * one size have one name, and all pointers point to the same struct.
 */
function isSame(type: Type, other: Type | undefined): boolean {
  return other !== undefined && kindOf(type) === kindOf(other) && type.size === other.size;
}

function kindOf({ name, struct }: Type): 'struct' | 'ptr' | 'int' {
  if (struct) return 'struct';
  return name === 'ptr' ? 'ptr' : 'int';
}
