import type { AttachBreach } from '../../checker/sequences/played.ts';
import type { Errno } from '../../model/core/errno.ts';
import type { EventKind } from '../../model/core/event.ts';

/** What a module sees of a breach, and what it has to see. */
export type Check =
  /** The last call returns one of these. */
  | { readonly is: 'answer'; readonly allowed: readonly (Errno | 0)[] }
  /** How often a client is called in the last call of a function. */
  | { readonly is: 'seen'; readonly who: string; readonly times: number }
  /** Two clients, or two handlers of one, are called equally often. */
  | { readonly is: 'seen alike'; readonly who: readonly [string, string] }
  /** What the last call of a function counts as missed. */
  | { readonly is: 'missed'; readonly who: string; readonly times: number }
  /** No call makes the kernel warn. */
  | { readonly is: 'no warning' }
  /** The call site of a function is as it was before the first call. */
  | { readonly is: 'site as before'; readonly fn: string }
  /** A client that got 0 is called. */
  | { readonly is: 'called at all'; readonly who: string; readonly fn: string }
  /** The kernel is still there. */
  | { readonly is: 'survives' };

/** The checks that show a breach; none: a module does not see it. */
export function checksOf({ finding, moment }: AttachBreach): readonly Check[] {
  switch (finding.is) {
    case 'hits-differ':
      return [{ is: 'seen', who: seenAs(finding.who, finding.kind), times: finding.expected }];
    case 'exit-without-entry':
      return [{ is: 'seen alike', who: [`${finding.who} entry`, seenAs(finding.who, finding.kind)] }];
    case 'seen-while-tracing-is-off':
      return [{ is: 'seen', who: finding.who, times: 0 }];
    case 'direct-call-differs':
      return [{ is: 'seen', who: finding.who, times: 1 }];
    case 'counted-misses-differ':
      return [{ is: 'missed', who: finding.who, times: finding.expected }];
    case 'client-is-not-served':
      return [{ is: 'called at all', who: finding.who, fn: finding.ip }];
    case 'errno-differs':
      return [{ is: 'answer', allowed: finding.allowed }];
    case 'object-is-accepted':
      return [{ is: 'answer', allowed: ['EINVAL', 'EBUSY', 'ENOENT'] }];
    case 'call-warns':
    case 'ftrace-is-dead':
      return [{ is: 'no warning' }];
    case 'operation-dies':
    case 'call-does-not-return':
      return [{ is: 'survives' }];
    case 'traced-without-a-client':
      return [{ is: 'site as before', fn: finding.ip }];
    case 'leftovers':
      return finding.what.flatMap((left) =>
        left.is === 'call site' ? [{ is: 'site as before', fn: left.of } as const] : [],
      );
    case 'counter-differs':
    case 'pokes-differ':
      return moment.outcome.warnings.length > 0 ? [{ is: 'no warning' }] : [];
    default:
      return [];
  }
}

/** The name of a handler: an object may have several. */
function seenAs(who: string, kind: EventKind): string {
  switch (kind) {
    case 'kprobe post':
      return `${who} post`;
    case 'kretprobe entry':
    case 'fprobe entry':
      return `${who} entry`;
    case 'fprobe exit':
      return `${who} exit`;
    default:
      return who;
  }
}
