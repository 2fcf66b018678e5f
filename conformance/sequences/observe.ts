import type { CallEvent } from '../../model/core/event.ts';
import type { Kernel } from '../../model/kernel.ts';
import { branchTarget } from '../../model/text/space.ts';
import { NOP5, siteAddress, symbolAt } from '../../model/text/text.ts';
import { apply } from '../../model/step.ts';
import { slotCount } from '../../model/trampoline/signature.ts';
import { functionNamed } from '../../model/trampoline/traced-function.ts';
import type { Word } from '../../model/x86/word.ts';
import { fromBigInt, fromNumber, toHex } from '../../model/x86/word.ts';
import { profileNamed } from '../../model/core/profile.ts';
import type { Lab } from './lab.ts';
import type { RecordedEvent } from './record.ts';

/** What the recorder looks at after an operation, for one function. */
export interface Observed {
  readonly entry: string;
  readonly jmp: boolean;
  readonly rax: string;
  readonly events: readonly RecordedEvent[];
  /** What went wrong with the call itself. */
  readonly broken: string | undefined;
}

/** The value that the recorder puts into each argument word. */
function argumentValue(i: number): Word {
  const value = (0x0101010101010101n * BigInt(0x90 + i)) ^ (0x7700n * BigInt(i));
  return fromBigInt(BigInt.asIntN(64, value));
}

/** The words of the recorder's call, and where they are. */
interface Words {
  readonly slots: readonly string[];
  readonly registers: readonly Word[];
  readonly stack: readonly Word[];
}

const ZERO6 = Array.from({ length: 6 }, () => fromNumber(0));

function wordsFor(k: Kernel, fn: string): Words {
  const { args } = functionNamed(k.functions, fn)!.signature;
  const registers: Word[] = [];
  const stack: Word[] = [];
  const slots: Word[] = [];
  for (const { size } of args) {
    const words = Math.ceil(size / 8);
    const inMemory = words > 2 || registers.length + words > 6;
    for (let j = 0; j < words; j++) {
      const value = fn === 'rec' ? fromNumber(2) : argumentValue(slots.length);
      slots.push(value);
      (inMemory ? stack : registers).push(value);
    }
  }
  return {
    slots: slots.map(toHex),
    registers: [...registers, ...ZERO6].slice(0, 6),
    stack,
  };
}

/** Looks at a function as the recorder does: where its entry leads, and what a call shows. */
export function observe(lab: Lab, fn: string): Observed {
  const { k } = lab;
  const site = k.text.sites[fn]!;
  const words = wordsFor(k, fn);
  const { call } = apply(k, { do: 'call', fn, registers: words.registers, stack: words.stack });
  const run = call!;
  const problems = [
    run.fault,
    run.calleeSaved.length > 0 ? `${run.calleeSaved.join(', ')} not preserved` : undefined,
    run.stackBalanced ? undefined : 'the stack is not balanced',
    run.callerStackIntact ? undefined : "the caller's stack is changed",
  ];
  return {
    entry: site === NOP5 ? 'nop' : symbolAt(k, branchTarget(site, siteAddress(k, fn))),
    jmp: site.startsWith('e9'),
    rax: run.rax,
    events: run.events.map((event) => spell(lab, fn, words, event)),
    broken: problems.find((problem) => problem !== undefined),
  };
}

const ARGUMENT_REGISTERS = 6;

/** An event as the recorder writes it. */
function spell(lab: Lab, called: string, words: Words, event: CallEvent): RecordedEvent {
  const { k } = lab;
  const fn = event.fn !== called && event.kind !== 'replacement' ? { fn: event.fn } : {};
  const own = functionNamed(k.functions, event.fn);
  const most = own === undefined ? ARGUMENT_REGISTERS : Math.min(ARGUMENT_REGISTERS, slotCount(own.signature));
  const raw = event.args?.slice(0, most) ?? [];
  const registers = words.registers.map(toHex);
  const seen = event.args === undefined || event.args.length === 0 ? {} : { a: sameAs(raw, registers) };
  const i = Number(event.who.split(' ')[2] ?? 0);
  const index = i > 0 ? { i } : {};
  switch (event.kind) {
    case 'body':
      return {
        h: 'body',
        ...fn,
        ...(event.args!.length > 0 ? { a: sameAs(event.args!, words.slots) } : {}),
        ret: event.ret!,
      };
    case 'replacement':
      return { h: 'repl' };
    case 'direct':
      return {
        h: 'direct',
        t: 'abc'[Number(event.who.slice(-1)) - 1]!,
        ...fn,
        ...seen,
        retip: event.returnsTo === 'replacement' ? 'repl' : `fn+${k.text.siteOffset + 5}`,
      };
    case 'ftrace':
      return { h: 'ftrace', k: ['plain', 'regs', 'ipmod'][i]!, ...fn, ...seen };
    case 'graph entry':
      return { h: 'fg_entry', ...fn };
    case 'graph exit':
      return { h: 'fg_exit', ...fn, ...returned(k, event) };
    case 'kprobe':
      return { h: 'kprobe', ...(own === undefined ? {} : index), ...fn, ...seen };
    case 'kprobe post':
      return { h: 'kprobe_post', ...index, ...fn };
    case 'kretprobe entry':
      return { h: 'kretprobe_entry', ...index, ...fn };
    case 'kretprobe':
      return { h: 'kretprobe', ...index, ...fn, ret: event.ret! };
    case 'fprobe entry':
      return { h: 'fprobe_entry', ...index, ...fn };
    case 'fprobe exit':
      return { h: 'fprobe_exit', ...index, ...fn, ret: event.ret! };
    default:
      return spellProgram(lab, called, words, event);
  }
}

/** Only newer kernels give a graph exit handler the registers. */
function returned(k: Kernel, { ret }: CallEvent): { ret?: string } {
  return profileNamed(k.profile).fprobe === 'fgraph' && ret !== undefined && ret !== '0x0' ? { ret } : {};
}

function sameAs(args: readonly string[], given: readonly string[]): string | string[] {
  return args.length <= given.length && args.every((value, i) => value === given[i]) ? `=${args.length}` : [...args];
}

/** What a program wrote down: as many words as it was compiled for, its return value, cookie and function. */
function spellProgram(lab: Lab, called: string, words: Words, event: CallEvent): RecordedEvent {
  const { k } = lab;
  const slot = lab.programSlots.get(Number(event.who.slice(5)))!;
  const { kind, flags, fn } = lab.programs.get(slot)!;
  const probe = kind === 'kpm' || kind === 'krpm' || kind === 'kses';
  const multi = kind.endsWith('m') && !probe;
  const { signature } = functionNamed(k.functions, fn)!;
  const helper = multi || flags.includes('h');
  const compiled = Math.min(slotCount(signature), helper ? 12 : 15);
  const count = probe || multi ? 6 : compiled;
  const args = Array.from({ length: count }, (_, i) => event.args?.[i] ?? '0x0');
  const a = sameAs(args, words.slots);
  const cut = Array.isArray(a) && probe ? a.slice(0, Math.min(6, slotCount(functionNamed(k.functions, event.fn)!.signature))) : a;
  const ret = retOf(kind, helper, signature.ret.size > 0, event);
  return {
    h: 'bpf',
    id: slot,
    ...(kind === 'krpm' || kind === 'kses' ? {} : { a: cut }),
    ...(ret === undefined || ret === '0x0' ? {} : { ret }),
    ...(flags.includes('c') && event.cookie !== undefined && event.cookie !== '0x0'
      ? { cookie: event.cookie }
      : {}),
    ...(flags.includes('i') ? { ip: event.fn === called ? 'fn+0' : `security_lab_${event.fn}+0x0` } : {}),
  };
}

function retOf(kind: string, helper: boolean, returns: boolean, { ret }: CallEvent): string | undefined {
  if (kind === 'krpm') return ret;
  if (helper && (kind === 'fexit' || kind === 'fexitm' || kind === 'fmod')) return ret;
  if ((kind === 'fexit' || kind === 'fmod' || kind === 'fses') && returns) return ret;
  return undefined;
}
