import { profileNamed } from '../core/profile.ts';
import type { Target } from './attach.ts';
import { functionNamed } from './traced-function.ts';
import type { BpfView } from './world.ts';

/** The properties of a function that BPF_PROG_LOAD and BPF_LINK_CREATE check; undefined: no such function. */
export function targetFor(k: BpfView, name: string): Target | undefined {
  const traced = functionNamed(k.functions, name);
  if (traced === undefined) return undefined;
  const profile = profileNamed(k.profile);
  return {
    profile,
    mitigations: profile.boots[k.boot as 'default'],
    ibt: profile.ibt,
    signature: traced.signature,
    // The dispatcher is on none of the lists.
    listing: traced.nesting === 'dispatcher' ? 'unlisted' : traced.listing,
    bpf: traced.bpf,
    noreturn: traced.noreturn,
    ipmodify: false,
    tailCallCtx: false,
  };
}
