/** What an instruction of a linked program does. */
export const DO = {
  STEP: 0,
  REFUSE: 1,
  FINISH: 2,
  LOCK: 3,
  TRYLOCK: 4,
  UNLOCK: 5,
  BRANCH: 6,
  JUMP: 7,
  LOOP: 8,
  NEXT: 9,
  CALL: 10,
  ROLLBACK: 11,
  REFAIL: 12,
  WAIT: 13,
  RETURN: 14,
  INDIRECT: 15,
} as const;

/** One of these numbers. */
export type Do = (typeof DO)[keyof typeof DO];
