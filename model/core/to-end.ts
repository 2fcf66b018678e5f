/** The result of steps that nothing stops: each is answered with `false`. */
export function toEnd<T>(steps: Generator<unknown, T, boolean>): T {
  for (;;) {
    const { done, value } = steps.next(false);
    if (done === true) return value;
  }
}
