import { entry, item } from '../../model/core/present.ts';
import { withOffset } from '../../model/core/whereabouts.ts';
import type { Stage } from '../../model/trampoline/stage/stage.ts';
import { offsetIn } from '../../model/x86/memory.ts';
import type { Word } from '../../model/x86/word.ts';
import { displacement } from '../../model/x86/word.ts';
import type { Subject } from '../../properties/observed/subject.ts';

/** What C calls for a struct_ops member, which has no call site: the thunk jumps to the image. */
const THUNK = '__x86_indirect_thunk_rax';

/** Name of a code address on the stage, as that of a kernel would be: `f+0x9`, `tramp#1`, `prog#2`. */
export function stagePlace(stage: Stage, subject: Subject, address: Word): string | undefined {
  const inImage = offsetIn(stage.image, address.hi, address.lo);
  if (inImage < subject.bytes.length) return withOffset('tramp#1', inImage);
  const inTraced = offsetIn(stage.traced, address.hi, address.lo);
  if (inTraced < stage.traced.size) return withOffset(subject.contract.isMember ? THUNK : 'f', inTraced);
  const stub = stubAt(stage, address);
  return stub && withOffset(spelled(stub.name), stub.offset);
}

/** Code that replaces a function in C or a program. */
export function isInC(stage: Stage, address: Word): boolean {
  return isStub(stage, address) && !stubAt(stage, address)!.name.startsWith('body/');
}

/** The same, or the body: its arguments are written to the log. */
export function isStub(stage: Stage, address: Word): boolean {
  const stub = stubAt(stage, address);
  return stub !== undefined && stub.name !== 'caller' && !stub.name.endsWith('_thunk');
}

interface InStub {
  readonly name: string;
  /** Bytes from its start. */
  readonly offset: number;
}

/** The label of the stubs' text that precedes an address. */
function stubAt({ text, stubs }: Stage, address: Word): InStub | undefined {
  if (offsetIn(text, address.hi, address.lo) >= text.size) return undefined;
  let nearest: InStub | undefined;
  for (const name in stubs) {
    const offset = displacement(address, entry(stubs, name));
    if (INNER.test(name) || offset === undefined || offset < 0) continue;
    if (nearest === undefined || offset < nearest.offset) nearest = { name, offset };
  }
  return nearest;
}

/** Labels inside of stubs. */
const INNER = /^choose |^no session|^caller\+|^program\//;

function spelled(name: string): string {
  return name.startsWith('body/') ? "f's body" : item(name.split('/'), 0);
}
