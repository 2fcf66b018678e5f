#!/bin/bash
# A search as a Slurm array of sixteen tasks: sbatch slurm.sh. The result, when all have ended, with a breach or without:
#   sbatch --dependency=afterany:JOB --wrap='npx attachcheck merge shards'
# A task that was lost alone, the seventh: sbatch --array=7 slurm.sh
#SBATCH --job-name=attachcheck
#SBATCH --array=1-16
#SBATCH --cpus-per-task=1
#SBATCH --mem=2G
#SBATCH --time=08:00:00
set -eu
SEARCH=${SEARCH:-explore --random 3000}
OF=${OF:-16}
SHARDS=${SHARDS:-shards}
mkdir -p "$SHARDS"
shard=$SLURM_ARRAY_TASK_ID
# The words of the search are words of their own.
# shellcheck disable=SC2086
npx attachcheck $SEARCH --shard "$shard/$OF" --shard-file "$SHARDS/attachcheck-$shard-of-$OF.json"
