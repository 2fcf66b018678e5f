/** Where a worker starts: from the sources it needs a compiler; compiled it needs nothing. */
export const EXPLORE_WORKER = new URL(
  import.meta.filename.endsWith('.ts') ? './from-sources.mjs' : './explore-worker.js',
  import.meta.url,
);
