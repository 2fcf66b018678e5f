import { InputError, locatedIn } from '../../../model/core/input-error.ts';

/*
 * The lines of debugfs' kprobes/list, as report_probe(), kernel/kprobes.c, prints them:
 *
 * ```text
 *   ffffffffc0207b84  k  vfs_read+0x4  my_module [DISABLED][FTRACE]
 * ```
 *
 * The address is of zeros for a user that may not see it; the offset is that from the symbol. Handlers are not there.
 */

/** A kprobe of the list. */
export interface ListedKprobe {
  readonly kind: 'kprobe' | 'kretprobe';
  readonly symbol: string;
  /** Bytes from the symbol. */
  readonly offset: number;
  /** The module that its function is in; empty: the kernel itself. */
  readonly module: string;
  /** It is served by ftrace, and so at the call site. */
  readonly isAtSite: boolean;
  readonly isDisabled: boolean;
  /** Its module has been unloaded. */
  readonly isGone: boolean;
}

const PROBE = /^[0-9a-f]+ +([kr]) +(\S+?)\+0x([0-9a-f]+) *((?:\[|\b).*)?$/;
/** A probe whose address has no symbol. */
const BARE = /^[0-9a-f]+ +[kr] +0x[0-9a-f]+ /;

/** Reads the file; an InputError names the line that is none of its. */
export function readKprobeList(text: string): readonly ListedKprobe[] {
  return text
    .split('\n')
    .flatMap((line, i) =>
      line === '' || BARE.test(line) ? [] : [locatedIn(line, i + 1, () => readProbe(line))],
    );
}

function readProbe(line: string): ListedKprobe {
  const [, kind, symbol, offset, rest = ''] = PROBE.exec(line) ?? [];
  if (symbol === undefined || offset === undefined)
    throw new InputError(`"${line}" is no line of kprobes/list`, line);
  return {
    kind: kind === 'r' ? 'kretprobe' : 'kprobe',
    symbol,
    offset: Number.parseInt(offset, 16),
    module: /^[^[\s]+/.exec(rest)?.[0] ?? '',
    isAtSite: rest.includes('[FTRACE]'),
    isDisabled: rest.includes('[DISABLED]'),
    isGone: rest.includes('[GONE]'),
  };
}
