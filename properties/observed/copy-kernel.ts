import type { Kernel, KernelView } from '../../model/kernel.ts';

/** A deep copy of a kernel, as far as it can change. */
export function copyKernel(k: KernelView): Kernel {
  return copyObject(k as never) as never;
}

/** A deep copy of a part of a kernel. */
export function copyPart(part: unknown): unknown {
  return typeof part === 'object' && part !== null ? copy(part) : part;
}

/** A spread copies an object in one go; on Node 20 with shapes of its own, later with those of the original. */
function copyObject(object: Record<string, unknown>): Record<string, unknown> {
  const copied = { ...object };
  for (const key in copied) {
    const value = copied[key];
    if (typeof value === 'object' && value !== null) copied[key] = copy(value);
  }
  return copied;
}

function copy(value: object): object {
  if (!Array.isArray(value)) return copyObject(value as Record<string, unknown>);
  const list: unknown[] = value.slice();
  for (let i = 0; i < list.length; i++) {
    const item = list[i];
    if (typeof item !== 'object' || item === null) continue;
    list[i] = copy(item);
  }
  return list;
}
