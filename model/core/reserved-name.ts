/** Names that every object of JavaScript has: `toString`, `__proto__`. Nothing in a kernel may be called so here. */
export const RESERVED_NAMES: readonly string[] = Object.getOwnPropertyNames(Object.prototype);

/** Whether a name from outside is one of them. */
export function isReservedName(name: string): boolean {
  return name in Object.prototype;
}
