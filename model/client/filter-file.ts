import type { OpsId } from '../core/ids.ts';
import { InputError } from '../core/input-error.ts';
import { ftraceRegexWrite } from '../ftrace/filter-file.ts';
import type { Which } from '../ftrace/filter-hash.ts';
import { isPattern } from '../ftrace/glob.ts';
import { FTRACE_OPS_FL_DIRECT, FTRACE_OPS_FL_IPMODIFY, GLOBAL_OPS, opsOf } from '../ftrace/ops.ts';
import type { KernelView } from '../kernel.ts';
import type { Service } from './client-call.ts';
import { servedBy } from './client-call.ts';
import type { SpelledLine } from './spelling.ts';

/*
 * A shell's write to set_ftrace_filter or set_ftrace_notrace: `>` truncates, `>>` does not, `!` removes. The files are
 * those of the tracing directory (`global_ops`), or of an instance: its function tracer is a client's ops, and its
 * graph tracer, since 6.11, a user of function graph.
 */

/** A write to one of the files. */
export interface FilterWrite<D extends string> {
  readonly do: D;
  /** `f1`, `f*`, `*1`; empty: the file is only truncated. */
  readonly glob: string;
  readonly remove: boolean;
  readonly truncate?: boolean;
  /** The ops that an instance traces with, or of its user of function graph (`gops#1.ops`); absent: `global_ops`. */
  readonly ops?: OpsId;
}

/** What a file needs to know of a write. */
type Written = Omit<FilterWrite<string>, 'do'>;

export function opsOfFile({ ops = GLOBAL_OPS }: Pick<Written, 'ops'>): OpsId {
  return ops;
}

export function servedByFile(which: Which): Service<Written & { readonly do: string }> {
  return servedBy(ftraceRegexWrite, ({ glob, remove, truncate = false, ...file }) => ({
    ops: opsOfFile(file),
    which,
    glob,
    remove,
    truncate,
  }));
}

/** An ops of another kind has no files. */
export function hasNoFile(k: KernelView, file: Written): boolean {
  return (opsOf(k, opsOfFile(file)).flags & (FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_DIRECT)) !== 0;
}

/** The same name is removed or added. A pattern or a truncation has no one call that undoes it. */
export function undoneWrite<A extends Written>(action: A): A[] {
  if (action.truncate === true || isPattern(action.glob)) return [];
  return [{ ...action, remove: !action.remove }];
}

export function printedWrite({ do: file, glob, remove, truncate, ops }: FilterWrite<string>): string {
  const place = ops === undefined ? file : `instances/${ops.replace('.ops', '')}/${file}`;
  return ['echo', `${remove ? '!' : ''}${glob}`, truncate === true ? '>' : '>>', place]
    .filter((word) => word !== '')
    .join(' ');
}

export function readWrite<D extends string>(file: D, { text }: SpelledLine): FilterWrite<D> | undefined {
  const [, written = '', arrow, instance, name] =
    /^echo (?:(\S+) )?(>>?) (?:instances\/([^/ ]+)\/)?(\w+)$/.exec(text) ?? [];
  if (name !== file) return undefined;
  const [, not, glob = ''] = /^(!?)([A-Za-z_*?][\w*?]*)$/.exec(written) ?? [];
  if (glob === '' && (written !== '' || arrow === '>>'))
    throw new InputError(`"${written}" is no function name, with * and ? for the rest of it`, written);
  return {
    do: file,
    glob,
    remove: not === '!',
    ...(arrow === '>' ? { truncate: true } : {}),
    ...(instance === undefined ? {} : { ops: instance.startsWith('gops#') ? `${instance}.ops` : instance }),
  };
}
