#!/bin/bash
# A search on all CPUs of one machine, in sixteen parts. The result is that of merge: a shard with a breach ends with 1.
set -eu
SEARCH=${SEARCH:-explore --random 3000}
OF=${OF:-16}
SHARDS=${SHARDS:-shards}
mkdir -p "$SHARDS"
# shellcheck disable=SC2086
seq "$OF" | xargs -P "$(nproc)" -I{} npx attachcheck $SEARCH --shard "{}/$OF" \
  --shard-file "$SHARDS/attachcheck-{}-of-$OF.json" || true
npx attachcheck merge "$SHARDS"
