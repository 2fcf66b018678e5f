/**
 * Makes an optional field absent. A facade of a kernel has its fields from its class, where `delete` does not find them: there
 * the field becomes null, which reads like one that is absent.
 */
export function forget<T extends object>(owner: T, field: keyof T & string): void {
  if (Object.hasOwn(owner, field)) delete owner[field];
  else if (field in owner) owner[field] = null as never;
}
