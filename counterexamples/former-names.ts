/*
 * Laws and planted bugs that have been renamed. Traces that were saved under a former name are read until 0.2.0; a
 * former name on the command line is refused with the present one.
 */

/** The release that no longer reads them. */
export const FORMER_NAMES_END = '0.2.0';

/** Each former name, and the present one. */
export const FORMER_NAMES: ReadonlyMap<string, string> = new Map([
  ['trampoline/calls-are-accounted', 'trampoline/call-depth-is-accounted'],
  ['trampoline/branches-land', 'trampoline/branches-have-valid-targets'],
  ['trampoline/returns-through-the-thunk', 'trampoline/returns-use-the-return-thunk'],
  ['trampoline/enter-and-exit-pair', 'trampoline/enter-and-exit-are-paired'],
  ['trampoline/program-runs-if-entered', 'trampoline/program-runs-iff-entered'],
  ['trampoline/session-cookie-is-its-own', 'trampoline/session-cookies-are-separate'],
  ['trampoline/original-runs-once', 'trampoline/original-runs-exactly-once'],
  ['trampoline/tail-call-counter-survives', 'trampoline/tail-call-counter-is-preserved'],
  ['trampoline/returns-to-the-right-place', 'trampoline/returns-to-the-right-address'],
  ['trampoline/callee-saved-registers-survive', 'trampoline/callee-saved-registers-are-preserved'],
  ['trampoline/only-moves-arguments', 'trampoline/arguments-are-only-copied'],
  ['trampoline/runs-to-its-return', 'trampoline/image-returns-without-a-fault'],
  ['ftrace/ftrace-stays-alive', 'ftrace/no-ftrace-bug'],
  ['ftrace/operations-do-not-crash', 'ftrace/operations-neither-oops-nor-hang'],
  ['ftrace/dead-is-absorbing', 'ftrace/dead-ftrace-stays-dead'],
  ['ftrace/filters-do-not-become-everything', 'ftrace/empty-filter-does-not-trace-everything'],
  ['ftrace/detaching-needs-no-memory', 'ftrace/detach-needs-no-memory'],
  ['ftrace/refused-calls-leave-no-trace', 'ftrace/failed-calls-have-no-effect'],
  ['ftrace/objects-are-attached-once', 'ftrace/no-double-registration'],
  ['ftrace/only-what-changes-is-poked', 'ftrace/only-changed-sites-are-poked'],
  ['ftrace/detaching-everything-returns-to-boot', 'ftrace/detaching-everything-restores-boot-state'],
  ['ftrace/calls-return', 'ftrace/traced-calls-return'],
  ['ftrace/callers-registers-and-stack-survive', 'ftrace/caller-registers-and-stack-are-preserved'],
  ['ftrace/returns-come-back-in-reverse-order', 'ftrace/return-hooks-run-in-reverse-order'],
  ['ftrace/nothing-is-left-of-a-call', 'ftrace/calls-leave-nothing-behind'],
  ['ftrace/replaced-returns-are-known', 'ftrace/replaced-return-addresses-are-recoverable'],
  ['ftrace/nobody-is-called-while-tracing-is-off', 'ftrace/no-callbacks-while-tracing-is-off'],
  ['ftrace/what-was-promised-is-what-runs', 'ftrace/body-or-replacement-runs-once'],
  ['ftrace/direct-calls-go-on-in-the-function', 'ftrace/direct-trampoline-runs-exactly-once'],
  ['ftrace/every-probe-fires-once', 'ftrace/probes-fire-exactly-once'],
  ['ftrace/misses-are-counted', 'ftrace/missed-returns-are-counted'],
  ['ftrace/exits-follow-accepted-entries', 'ftrace/exits-match-accepted-entries'],
  ['ftrace/stages-of-a-call-keep-their-order', 'ftrace/callbacks-run-in-stage-order'],
  ['ftrace/everybody-sees-the-callers-arguments', 'ftrace/callbacks-see-the-callers-arguments'],
  ['ftrace/exits-see-the-return-value', 'ftrace/exit-handlers-see-the-return-value'],
  ['ftrace/exits-find-the-data-of-their-entry', 'ftrace/entry-data-reaches-its-exit'],
  ['ftrace/programs-know-their-cookie-and-function', 'ftrace/programs-get-their-cookie-and-function-ip'],
  ['ftrace/count-is-the-number-of-ops', 'ftrace/record-counts-match-ops'],
  ['ftrace/record-flags-follow-from-the-ops', 'ftrace/record-flags-match-ops'],
  ['ftrace/sites-follow-from-the-ops', 'ftrace/call-sites-match-ops'],
  ['ftrace/sites-hold-what-is-in-effect', 'ftrace/call-sites-match-records'],
  ['ftrace/inner-calls-lead-to-a-safe-handler', 'ftrace/shared-entry-calls-a-safe-handler'],
  ['ftrace/private-trampolines-call-their-ops', 'ftrace/ops-trampolines-call-their-ops'],
  ['ftrace/direct-table-is-the-union-of-filters', 'ftrace/direct-functions-match-direct-ops'],
  ['ftrace/nobody-leads-to-a-retired-image', 'ftrace/no-pointer-to-a-retired-image'],
  ['ftrace/designs-agree-with-themselves', 'ftrace/multi-link-bookkeeping-is-consistent'],
  ['ftrace/counters-are-the-number-of-users', 'ftrace/user-counts-match-users'],
  ['trampoline/programs-and-image-agree', 'trampoline/image-matches-attached-programs'],
  ['trampoline/extensions-are-alone', 'trampoline/extensions-exclude-programs'],
  ['trampoline/references-are-counted', 'trampoline/reference-counts-are-exact'],
  ['trampoline/targets-stay-loaded', 'trampoline/target-modules-stay-loaded'],
  ['tracepoint/what-a-hit-reads-stays', 'tracepoint/hits-read-no-freed-memory'],
  ['tracepoint/hits-reach-each-probe', 'tracepoint/hits-call-each-probe-once'],
  ['tracepoint/probes-see-what-was-passed', 'tracepoint/probes-get-the-arguments-of-the-hit'],
  ['task/breakpoints-are-known', 'task/no-unhandled-breakpoint'],
  ['task/no-code-is-written-over', 'task/no-overwrite-of-running-code'],
  ['task/nobody-uses-what-clients-freed', 'task/no-handler-after-unregister'],
  ['task/tables-stay-while-they-are-read', 'task/no-lookup-in-a-freed-table'],
  ['task/module-text-stays-while-it-is-used', 'task/module-text-stays-while-in-use'],
  ['task/who-uses-an-object-holds-it', 'task/no-use-after-free'],
  ['task/callers-find-their-registers', 'task/caller-registers-are-preserved'],
  ['task/callers-get-an-owed-value', 'task/return-value-is-old-or-new'],
  ['task/one-body-of-a-program-per-CPU', 'task/no-recursion-on-one-cpu'],
  ['task/programs-are-left', 'task/program-active-counts-return-to-zero'],
  ['task/objects-are-initialised-once', 'task/no-double-initialisation'],
  ['task/entered-images-are-left', 'task/image-references-are-returned'],
  ['task/retired-images-are-freed', 'task/no-leaked-image'],
  ['task/well-behaved-clients-raise-no-warning', 'task/no-warn-and-no-oops'],
  ['task/newest-direct-calls-wait-for-no-tasks', 'task/hash-updates-do-not-wait-for-rcu-tasks'],
  ['task/nobody-waits-in-a-circle', 'task/no-deadlock'],
  ['task/everybody-finishes', 'task/everything-terminates'],
  ['task/refused-for-now-is-not-for-ever', 'task/eagain-is-temporary'],
  ['abi/each-word-has-its-place', 'abi/argument-locations-are-disjoint'],
  ['abi/one-image-for-each-function', 'abi/one-image-serves-each-function'],
  ['abi/more-functions-need-no-fewer', 'abi/image-count-is-monotonic'],
  ['abi/order-does-not-matter', 'abi/sharing-ignores-order'],
  ['abi/prefixes-need-no-more', 'abi/prefix-sharing-needs-no-more-images'],
  ['session-not-told-that-it-returns', 'session-return-flag-not-set'],
  ['skip-nop-behind-enter', 'skip-nop-after-enter'],
  ['dead-ftrace-takes-clients', 'dead-ftrace-accepts-clients'],
  ['fprobe-cannot-leave-without-memory', 'fprobe-unregister-needs-memory'],
  ['oldest-hook-is-told-first', 'oldest-return-hook-runs-first'],
  ['everybody-is-told-of-returns', 'exit-handlers-ignore-the-frame-bitmap'],
  ['live-patch-is-passed-by', 'live-patch-is-bypassed'],
  ['missed-program-is-not-left', 'skipped-program-stays-active'],
  ['recursion-is-not-noticed', 'recursion-is-not-detected'],
  ['trampoline-of-another', 'handler-gets-the-wrong-ops'],
  ['kprobe-has-the-filter-to-itself', 'kprobe-replaces-the-shared-filter'],
  ['image-is-not-left', 'tramp-exit-is-not-called'],
  ['image-is-never-left', 'entered-image-is-never-exited'],
  ['registers-are-not-asked-for-by-a-new-module', 'new-module-records-lack-regs'],
  ['half-of-the-page-is-written-over', 'live-image-half-is-overwritten'],
  ['no-tasks-before-a-program-goes', 'no-rcu-tasks-before-program-free'],
  ['no-tasks-before-the-kill', 'no-rcu-tasks-before-the-kill'],
  ['no-tasks-after-the-counter', 'no-rcu-tasks-after-the-counter'],
  ['no-tasks-for-the-preempted', 'no-rcu-tasks-for-the-preempted'],
  ['no-trace-for-sleepers', 'no-rcu-tasks-trace-for-sleepers'],
  ['trace-for-the-counter', 'rcu-tasks-trace-for-the-counter'],
  ['adding-waits-for-tasks', 'hash-add-waits-for-rcu-tasks'],
  ['one-handler-for-many', 'shared-entry-skips-the-list'],
  ['prefixes-are-kept-apart-by-what-is-returned', 'prefixes-split-by-return-type'],
  ['first-probe-comes-without-a-wait', 'first-probe-is-added-without-a-wait'],
  ['last-probe-but-one-leaves-without-a-wait', 'second-last-probe-is-removed-without-a-wait'],
  ['entry-goes-before-the-text', 'direct-entry-is-removed-before-the-text'],
  ['kprobe-leaves-the-filter-first', 'kprobe-is-removed-from-the-filter-first'],
  ['stack-source-one-word-low', 'stack-source-is-one-word-too-low'],
  ['direct-entry-is-left', 'direct-entry-is-leaked'],
]);

/** The present name of an entry that may have been renamed. */
export function currentName(name: string): string {
  return FORMER_NAMES.get(name) ?? name;
}

/** The fields of a header that may have a former name, and what they name. */
const NAMING: Readonly<Record<string, string>> = { law: 'law', planted: 'planted bug' };
const NAMED = new RegExp(`^(${Object.keys(NAMING).join('|')}) +(\\S+)$`, 'gm');

/** The value of a header's field, with the present name of a law or a planted bug. */
export function currentValue(field: string, value: string): string {
  return Object.hasOwn(NAMING, field) ? currentName(value) : value;
}

/** For each former name in a header, what it is called now. */
export function renamedIn(text: string): string[] {
  return [...text.matchAll(NAMED)].flatMap(([, field = '', name = '']) => {
    const current = FORMER_NAMES.get(name);
    return current === undefined
      ? []
      : [
          `the ${NAMING[field]} ${name} is now called ${current}; former names are read until ${FORMER_NAMES_END}`,
        ];
  });
}
