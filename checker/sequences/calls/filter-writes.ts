import fc from 'fast-check';
import type { FilterWrite } from '../../../model/client/filter-file.ts';
import { opsOfFile } from '../../../model/client/filter-file.ts';
import type { OpsId } from '../../../model/core/ids.ts';
import { rarely } from '../draw/weighed.ts';

/** One function is added to a file of the tracing directory, or removed. Patterns and instances are not drawn. */
export function writes<D extends string>(file: D, ip: fc.Arbitrary<string>): fc.Arbitrary<FilterWrite<D>> {
  return fc
    .record({ do: fc.constant(file), ip, remove: rarely })
    .map(({ ip: glob, remove }) => ({ do: file, glob, remove }));
}

/** The ops whose file it is. */
export function fileOf(ops: OpsId | undefined): OpsId {
  return opsOfFile(ops === undefined ? {} : { ops });
}
