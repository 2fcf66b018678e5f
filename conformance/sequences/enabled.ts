import type { CodeName, FunctionName } from '../../model/core/ids.ts';
import { entry } from '../../model/core/present.ts';
import { ftraceIsJmp, ftraceJmpGet } from '../../model/ftrace/jmp.ts';
import {
  FTRACE_FL_DIRECT,
  FTRACE_FL_ENABLED,
  FTRACE_FL_IPMODIFY,
  FTRACE_FL_REGS,
  FTRACE_FL_TRAMP_EN,
  has,
} from '../../model/ftrace/record.ts';
import { modelTarget, recordedTarget } from './entry.ts';
import type { Lab } from './lab.ts';

/*
 * A function's line in tracefs' enabled_functions: the number of ops that trace it, the flags R(EGS), I(PMODIFY),
 * D(IRECT), whether the entry calls an ops's own trampoline, and its direct call. In one wording for both sides: `2
 * ops, R D, direct jmp a BPF trampoline`. The flag M is omitted: it only records former use.
 */

/** `[lab] (1) R D tramp: ftrace_regs_caller+0x0/0x58 (call_direct_funcs+0x0/0x20) direct-->lab_tramp_a+0x0/0x40 [lab]`. */
export const ENABLED_LINE =
  /^\[lab\] \((?<count>[0-9]+)\)(?<flags>(?: [RIDM])*) (?<own>tramp: )?.*?(?:direct(?<jmp>\(jmp\))?-->(?<direct>\S+).*)?$/;

const NO_LINE = 'not listed';

/** The line of a record. */
export function recordedLine(line: string | undefined): string {
  if (line === undefined) return NO_LINE;
  const { count, flags, own, jmp, direct } = ENABLED_LINE.exec(line)!.groups!;
  return spell({
    count: Number(count),
    flags: flags!.trim().replace(/ ?M$/, ''),
    own: own !== undefined,
    direct: direct === undefined ? '' : `${jmp === undefined ? '' : 'jmp '}${recordedTarget(direct)}`,
  });
}

/** t_show(), kernel/trace/ftrace.c: the line of the model. A dead ftrace lists nothing. */
export function modelLine({ k }: Pick<Lab, 'k'>, fn: FunctionName): string {
  const { disabled, records, directFunctions } = k.ftrace;
  const rec = entry(records, fn);
  if (disabled || !has(rec, FTRACE_FL_ENABLED)) return NO_LINE;
  const flags = FLAGS.filter(([bit]) => has(rec, bit)).map(([, letter]) => letter);
  const addr = directFunctions[fn] ?? '';
  return spell({
    count: rec.count,
    flags: flags.join(' '),
    own: has(rec, FTRACE_FL_TRAMP_EN),
    direct:
      !has(rec, FTRACE_FL_DIRECT) || addr === '' ? '' : `${jmpOf(addr)}${modelTarget(ftraceJmpGet(addr))}`,
  });
}

const FLAGS = [
  [FTRACE_FL_REGS, 'R'],
  [FTRACE_FL_IPMODIFY, 'I'],
  [FTRACE_FL_DIRECT, 'D'],
] as const;

function jmpOf(addr: CodeName): string {
  return ftraceIsJmp(addr) ? 'jmp ' : '';
}

interface Line {
  readonly count: number;
  readonly flags: string;
  readonly own: boolean;
  readonly direct: string;
}

function spell({ count, flags, own, direct }: Line): string {
  const parts = [
    `${count} ops`,
    ...(flags === '' ? [] : [flags]),
    ...(own ? ['tramp'] : []),
    ...(direct === '' ? [] : [`direct ${direct}`]),
  ];
  return parts.join(', ');
}
