import type { Crash } from '../../../model/core/crash.ts';
import { unreachable } from '../../../model/core/unreachable.ts';
import type { TaskFinding } from '../../../properties/finding/task-finding.ts';
import type { FreedThing } from './cause.ts';

/** The used and freed object of a finding; undefined: it has none. */
export function freedIn(finding: TaskFinding): FreedThing | undefined {
  if (finding.is !== 'crashes') return undefined;
  return freedBy(finding.crash);
}

/** Of a crash; a table, long on purpose. */
function freedBy(crash: Crash): FreedThing | undefined {
  switch (crash.is) {
    case 'use after free':
    case 'read of freed data':
      return crash.object;
    case 'fault':
      return crash.place.in === 'free page' ? { is: 'page', page: crash.place.page } : undefined;
    case 'ops without func':
    case 'fprobe without exit handler':
    case 'fgraph_stub for a link':
    case 'fgraph_stub without hash':
    case 'node without fprobe':
    case 'target without BTF':
    case 'function without metadata':
    case 'trampoline without image':
    case 'reused kprobe':
    case 'reused fprobe':
    case 'no trampoline':
    case 'ops without filter hash':
    case 'run context of an event':
    case 'lost return':
    case 'probe without event':
    case 'kretprobe without pool':
    case 'shadow stack overflows':
    case 'torn instruction':
    case 'bad address':
    case 'endless':
    case 'lost stack':
    case 'written over':
    case 'deadlock':
    case 'direct_ops without filter':
    case 'hash without memory':
    case 'unknown int3':
    case 'retired batch':
    case 'exception':
      return undefined;
    default:
      return unreachable(crash);
  }
}
