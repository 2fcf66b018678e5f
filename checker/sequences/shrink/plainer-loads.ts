import type { Action, ActionOf } from '../../../model/client/all.ts';
import { fromNumber, ZERO } from '../../../model/x86/word.ts';
import { usualReads } from './load-effort.ts';

/**
 * A program that does less, or is of a plainer kind: a tracing program instead of one of BPF LSM, and one that is for
 * no cgroup.
 */
export function plainerLoads(action: ActionOf<'BPF_PROG_LOAD'>): Action[] {
  const { btf, ...ofKernel } = action;
  const { program } = action;
  const { cgroup, ...uncontained } = program;
  const { lsm, ...tracing } = uncontained;
  const kinds = (['fentry', 'fexit', 'fmod_ret'] as const).slice(
    0,
    ['fentry', 'fexit', 'fmod_ret', 'fsession'].indexOf(program.kind) + (lsm === true ? 1 : 0),
  );
  return [
    ...(btf === undefined ? [] : [ofKernel]),
    { ...action, returns: ZERO },
    ...plainerReads(action),
    ...[ZERO, fromNumber(0x1)].map((cookie) => ({ ...action, program: { ...program, cookie } })),
    { ...action, program: { ...program, getFuncIp: false } },
    { ...action, program: { ...program, sleepable: false } },
    ...(cgroup === true ? [{ ...action, program: uncontained, returns: ZERO }] : []),
    ...kinds.map((kind) => ({ ...action, program: { ...tracing, kind } })),
    ...(action.probe === '' || action.probe === 'entry'
      ? []
      : [{ ...action, probe: 'entry' as const, returns: ZERO }]),
  ];
}

/** Read as usual; or one argument less, an earlier one, or the return value not, of a first function. */
function plainerReads(action: ActionOf<'BPF_PROG_LOAD'>): Action[] {
  const { accesses, ...program } = action.program;
  const usual = { ...program, reads: usualReads(action) };
  if (accesses === undefined) return [{ ...action, program: usual }];
  const fewer = accesses.map((n) => ({ ...program, accesses: accesses.filter((other) => other !== n) }));
  const earlier = accesses
    .filter((n) => n > 0 && !accesses.includes(n - 1))
    .map((n) => ({ ...program, accesses: accesses.map((other) => (other === n ? n - 1 : other)) }));
  const noReturn = { ...program, accesses, reads: 'direct' as const };
  return [
    { ...action, program: usual, target: '' },
    ...[...fewer, ...earlier, noReturn].map((plainer) => ({ ...action, program: plainer })),
  ];
}
