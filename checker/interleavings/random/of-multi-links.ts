import type { Action } from '../../../model/action.ts';
import type { Kind } from '../../../model/trampoline/program.ts';

/** Tracing programs are few then, so that most links find theirs. */
const PROGS = 2;
/** Those with greater numbers are none: they are for kprobe.multi, or extensions. */
const TRACING_MOST = 5;

const few = (prog: number) => (prog <= TRACING_MOST ? 1 + (prog % PROGS) : prog);

/**
 * An action with a multi link in the place of a single one: a tracing program of a kind that multi links take is loaded
 * for many functions, and a link without targets has all of these. Others stay.
 */
export function ofMultiLinks(action: Action, kinds: readonly Kind[], targets: readonly string[]): Action {
  switch (action.do) {
    case 'BPF_PROG_LOAD': {
      const { program, probe } = action;
      if (probe !== '' || !kinds.includes(program.kind)) return action;
      return { ...action, target: '', program: { ...program, id: few(program.id), multi: true } };
    }
    case 'BPF_RAW_TRACEPOINT_OPEN':
    case 'BPF_LINK_CREATE': {
      const { link, prog } = action;
      const own = action.do === 'BPF_LINK_CREATE' && action.targets.length > 0 ? action.targets : targets;
      return { do: 'BPF_LINK_CREATE', link, prog: few(prog), targets: own };
    }
    case 'close(prog)':
      return { ...action, prog: few(action.prog) };
    default:
      return action;
  }
}
