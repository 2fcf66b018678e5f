import type { Kernel } from '../../model/kernel.ts';

/** A copy of a kernel that shares nothing with it that can change. */
export function copyKernel(k: Kernel): Kernel {
  return copy(k) as Kernel;
}

function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list = new Array<unknown>(value.length);
    for (let i = 0; i < value.length; i++) list[i] = copy(value[i]);
    return list;
  }
  const object: Record<string, unknown> = {};
  for (const key in value) object[key] = copy((value as Record<string, unknown>)[key]);
  return object;
}
