import type { CallEvent } from '../../model/core/event.ts';

/** The names of an event's words in the kernel that it happened in. */
export interface EventWords {
  /** `fexit` of `prog#1`. */
  readonly kindOf: (who: string) => string;
  /** `f1` of its address. */
  readonly placeOf: (address: string) => string;
}

/** What one client saw of a call: `prog#1 fexit in f1 sees (0x1, 0x2), return value 0x1003, cookie 0x7`. */
export function eventText(event: CallEvent, { kindOf, placeOf }: EventWords): string {
  const { kind, who, fn, args, ret, cookie, ip, atReturn, returnsTo } = event;
  if (kind === 'replacement') return 'the replacement runs';
  const name = kind === 'body' ? `${fn}'s body` : `${who} ${kind === 'program' ? kindOf(who) : kind}`;
  const said = [
    ...(args === undefined ? [] : [`sees (${printArguments(args)})`]),
    ...(ret === undefined ? [] : [`${kind === 'body' ? 'returns' : 'return value'} ${ret}`]),
    ...(cookie === undefined ? [] : [`cookie ${cookie}`]),
    ...(ip === undefined ? [] : [`bpf_get_func_ip ${placeOf(ip)}`]),
    ...(returnsTo === undefined ? [] : [`continues at ${returnsTo}`]),
  ];
  const of = kind === 'body' || fn === '?' ? '' : ` in ${fn}`;
  return `${name}${of}${atReturn === true ? ' at the return' : ''}${said.length === 0 ? ' is called' : ` ${said.join(', ')}`}`;
}

/** Arguments one by one; on a stage, where their values are names, `argument words 1 to 7`. */
function printArguments(args: readonly string[]): string {
  const inOrder = args.length > 2 && args.every((arg, i) => arg === `argument word ${i + 1}`);
  return inOrder ? `argument words 1 to ${args.length}` : args.join(', ');
}
