import type { KnownAttach } from './attach.ts';
import { KNOWN_ANSWERS } from './attach-answers.ts';
import { KNOWN_BEHIND_FAILURES } from './attach-behind-failures.ts';
import { KNOWN_BY_ADDRESS } from './attach-by-address.ts';
import { KNOWN_ATTACH_CALLS } from './attach-calls.ts';
import { KNOWN_OF_DEAD_FTRACE } from './attach-dead.ts';
import { KNOWN_OF_DESIGNS } from './attach-designs.ts';
import { KNOWN_OF_DIRECT_FILTERS } from './attach-direct-filter.ts';
import { KNOWN_ERRNOS } from './attach-errnos.ts';
import { KNOWN_FILTER_FILES } from './attach-filter-files.ts';
import { KNOWN_FIRINGS } from './attach-firings.ts';
import { KNOWN_FREED_MEMORY, KNOWN_WITHOUT_FILTER } from './attach-freed-memory.ts';
import { KNOWN_LEFTOVERS } from './attach-leftovers.ts';
import { KNOWN_LIFETIMES } from './attach-lifetimes.ts';
import { KNOWN_NOTRACE } from './attach-notrace.ts';
import { KNOWN_ORDER } from './attach-order.ts';
import { KNOWN_PERF_EVENTS } from './attach-perf-events.ts';
import { KNOWN_RECORDS } from './attach-records.ts';
import { KNOWN_REFUSALS } from './attach-refusals.ts';
import { KNOWN_ROLLBACKS } from './attach-rollbacks.ts';
import { KNOWN_SECOND_FUNCTION } from './attach-second-function.ts';
import { KNOWN_SHIMS } from './attach-shims.ts';
import { KNOWN_TARGETS } from './attach-targets.ts';
import { KNOWN_TRACED_ON } from './attach-traced-on.ts';
import { KNOWN_WARNINGS } from './attach-warnings.ts';
import { KNOWN_OF_BATCH } from './designs/batch.ts';
import { KNOWN_FREED_OPS } from './designs/freed-ops.ts';
import { KNOWN_OF_FUNCTION_GRAPH } from './designs/function-graph.ts';
import { KNOWN_OF_GENERIC } from './designs/generic.ts';
import { KNOWN_GLOBAL } from './designs/global.ts';
import { KNOWN_MIXING } from './designs/mixing.ts';
import { KNOWN_MIXING_FAILURES } from './designs/mixing-failures.ts';
import { KNOWN_MIXING_PARTS } from './designs/mixing-parts.ts';
import { KNOWN_MULTI_IDS } from './designs/multi-ids.ts';
import { KNOWN_PROGRAM_SETS } from './designs/program-sets.ts';

/** The breaches of laws on sequences that real kernels show: reported by name, never hidden. */
export const KNOWN_ATTACH: readonly KnownAttach[] = [
  ...KNOWN_FIRINGS,
  ...KNOWN_NOTRACE,
  ...KNOWN_FILTER_FILES,
  ...KNOWN_RECORDS,
  ...KNOWN_REFUSALS,
  ...KNOWN_ROLLBACKS,
  ...KNOWN_OF_DEAD_FTRACE,
  ...KNOWN_LIFETIMES,
  ...KNOWN_SECOND_FUNCTION,
  ...KNOWN_OF_DIRECT_FILTERS,
  ...KNOWN_LEFTOVERS,
  ...KNOWN_TRACED_ON,
  ...KNOWN_BY_ADDRESS,
  ...KNOWN_ATTACH_CALLS,
  ...KNOWN_BEHIND_FAILURES,
  ...KNOWN_TARGETS,
  ...KNOWN_SHIMS,
  ...KNOWN_ORDER,
  ...KNOWN_ANSWERS,
  ...KNOWN_ERRNOS,
  ...KNOWN_FREED_MEMORY,
  ...KNOWN_WITHOUT_FILTER,
  ...KNOWN_PERF_EVENTS,
  ...KNOWN_WARNINGS,
  ...KNOWN_OF_DESIGNS,
  ...KNOWN_GLOBAL,
  ...KNOWN_OF_BATCH,
  ...KNOWN_OF_GENERIC,
  ...KNOWN_FREED_OPS,
  ...KNOWN_OF_FUNCTION_GRAPH,
  ...KNOWN_MIXING,
  ...KNOWN_MIXING_FAILURES,
  ...KNOWN_MIXING_PARTS,
  ...KNOWN_MULTI_IDS,
  ...KNOWN_PROGRAM_SETS,
];
