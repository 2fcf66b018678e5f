/** Bundles that were built against a kernel's source, and loaded there. */
export const TRIED_BUNDLES: { readonly release: string; readonly shown: readonly string[] } = {
  release: '6.12.117',
  shown: [
    'fprobe-keeps-pointers-to-freed-filters',
    'ftrace-dies-of-a-record-without-users',
    'kprobe-is-disarmed-by-another-ops-and-warns',
    'kprobe-is-disarmed-by-another-ops',
    'kprobe-is-not-armed-after-a-wrong-count',
    'kprobe-memory-is-reused',
    'kprobe-of-another-ops-stays',
    'kretprobe-disarmed-by-another-ops-counts-misses',
    'kretprobe-disarmed-by-another-ops-reads-its-freed-pool',
    'ops-keeps-pointers-to-freed-filters',
    'patch-without-filter-is-registered',
    'patch-without-filter-is-unregistered',
    'site-of-another-kprobe-is-poked',
    'walk-follows-a-freed-filter',
  ],
};
