import type { OpsId } from '../../../model/core/ids.ts';

/** The object whose life an ops belongs to: that of a user of function graph is part of it. */
export function ownerOfOps({ ops }: { readonly ops: OpsId }): string {
  return ops.replace(/\.ops$/, '');
}

/** An ops as an object that clients share. */
export function opsObject({ ops }: { readonly ops: OpsId }): readonly string[] {
  return [`ops ${ops}`];
}
