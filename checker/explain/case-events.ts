import type { CallEvent } from '../../model/core/event.ts';
import type { StageEvent } from '../../model/trampoline/stage/event.ts';
import {
  EVENT,
  ORIGINAL_REGISTERS,
  ORIGINAL_STACK,
  PROGRAM_ARGUMENTS,
  tagsOf,
  wordOf,
} from '../../model/trampoline/stage/event.ts';
import { groupName, RETURN } from '../../model/trampoline/stage/groups.ts';
import { toHex } from '../../model/x86/word.ts';
import type { Subject } from '../../properties/observed/subject.ts';

/** The record of a stub, in the form that a client of a kernel sees; values are named by their origin. */
export function seenOnStage(event: StageEvent, subject: Subject): CallEvent[] {
  switch (event.kind) {
    case EVENT.PROGRAM:
      return [programEvent(event, subject)];
    case EVENT.ORIGINAL:
      return [bodyEvent(event, subject)];
    default:
      return [];
  }
}

/** The words before the arguments in the log: ctx[−2] and the content of the run context. */
const FUNCTION_IP = 4;
const COOKIE = 5;

function programEvent(event: StageEvent, { contract, request }: Subject): CallEvent {
  const count = contract.slots.length;
  const program = request.programs.find(({ id }) => id === event.number);
  const returns = program !== undefined && program.kind !== 'fentry' && request.signature.ret.size > 0;
  return {
    kind: 'program',
    who: `prog#${event.number}`,
    fn: 'f',
    args: contract.slots.map((_, i) => valueText(event, PROGRAM_ARGUMENTS + i)),
    ...(returns ? { ret: valueText(event, PROGRAM_ARGUMENTS + count) } : {}),
    cookie: valueText(event, COOKIE),
    ...(program?.getFuncIp === true ? { ip: toHex(wordOf(event, FUNCTION_IP)) } : {}),
  };
}

function bodyEvent(event: StageEvent, { contract }: Subject): CallEvent {
  const args = contract.slots.map(({ place }) =>
    valueText(event, place.in === 'stack' ? ORIGINAL_STACK + place.index : ORIGINAL_REGISTERS + place.index),
  );
  return { kind: 'body', who: 'f', fn: 'f', args, ret: groupName(RETURN) };
}

/** `argument word 3`, or the number itself where a word is no whole value of one origin. */
function valueText(event: StageEvent, index: number): string {
  const { lo } = tagsOf(event, index);
  const origin = (lo & 0xff) >>> 3;
  return origin === 0 ? toHex(wordOf(event, index)) : groupName(origin);
}
