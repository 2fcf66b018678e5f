import { wordOf } from '../../model/trampoline/stage/event.ts';
import type { Word } from '../../model/x86/word.ts';
import { equal, toHex } from '../../model/x86/word.ts';
import type { Neighbour } from '../finding/image-finding.ts';
import type { Law } from '../law/image-law.ts';
import { entryStackPointer, foundAt } from '../observed/seen.ts';
import type { Subject } from '../observed/subject.ts';

/** Bytes that the saved `rbp` takes below the return address. */
const SAVED_RBP_BYTES = 8;

export const storesStayInTheFrame: Law = {
  name: 'trampoline/stores-stay-in-the-frame',
  sentence: 'The image writes only to its own frame, between rsp and its saved rbp.',
  source: 'arch/x86/net/bpf_jit_comp.c  save_args',
  premise: () => true,
  witness: 'an image that writes memory',
  on: {
    store: (memory, event, subject) => {
      const address = wordOf(event, 2);
      const top = entryStackPointer(subject);
      const above = (address.lo + wordOf(event, 3).lo - top.lo + SAVED_RBP_BYTES) | 0;
      if ((address.hi === top.hi && above <= 0) || isCounter(address, subject)) return memory;
      const near = address.hi === top.hi && above <= NEAR_BYTES;
      const observed = near ? neighbour(above) : { address: toHex(address) };
      return foundAt(event, { is: 'image-stores-elsewhere', observed });
    },
  },
};

/** The per-CPU counter of call-depth tracking. */
function isCounter(address: Word, { request, addresses }: Subject): boolean {
  return (
    request.mitigations.callDepth && addresses.callDepth !== undefined && equal(address, addresses.callDepth)
  );
}

/** A wrong store up to here is named by what it overwrites. */
const NEAR_BYTES = 256;

/** What lies `above` bytes over the lowest byte outside a frame. */
function neighbour(above: number): Neighbour {
  if (above <= SAVED_RBP_BYTES) return 'saved rbp';
  return above <= 2 * SAVED_RBP_BYTES ? 'return address' : "caller's frame";
}
