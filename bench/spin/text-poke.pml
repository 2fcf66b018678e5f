/*
 * Text poke and grace period, small: readers call functions whose sites an updater leads to images and back, in batches;
 * images that no site leads to any more are freed after a grace period. The same model as `../poke-kernel.ts`, which is
 * made of the routines that our kernel is made of: both have the same states and the same transitions.
 *
 *   spin -a -DREADERS=3 -DSITES=2 text-poke.pml && gcc -O2 -DNOREDUCE -DSAFETY -o pan pan.c && ./pan -m1000000
 *
 * What it keeps of the kernel:
 *   text_poke_bp_batch(), arch/x86/kernel/alternative.c: int3, sync, tails, sync, heads, sync
 *   text_poke_int3_handler(), arch/x86/kernel/alternative.c: who meets the int3 does what the new bytes will do
 *   synchronize_rcu_tasks(), kernel/rcu/tasks.h: waits for each task that is in the kernel's text when it begins
 *
 * A write is seen by a CPU when it serialises itself, or earlier: until then it may fetch what stood there before.
 */

#define NOP 0
#define INT3 1
#define CALL 2

#define OUTSIDE 0
#define BODY(s) (1 + s)
#define IMAGE(s) (1 + SITES + s)

#define BIT(n) (1 << (n))

/* All sites are changed in one batch: they hold the same. */
byte head, tail;
/* What the first bytes were before the last write. */
byte older;
/* What the batch that is under way changes them to. */
byte target;
bool published;
bool allocated;
/* Readers that the grace period still waits for, as a bit set. */
byte holdouts;

/* Where each reader is. */
byte at[READERS];
/* For which readers and sites a CPU may still fetch older first bytes, or other bytes, as bit sets. */
int heads, tails;

#define PLACE(r, s) BIT(r * SITES + s)
#define ALL (BIT(READERS * SITES) - 1)

/* Goes on with the instruction that a reader has fetched, or that the handler of the int3 executes in its place. */
inline execute(r, s, instruction) {
  if
  :: instruction == CALL -> assert(allocated); at[r] = IMAGE(s)
  :: else -> at[r] = BODY(s)
  fi
}

inline fetched(r, s, first) {
  if
  :: first == INT3 -> assert(published); execute(r, s, target)
  :: else -> assert(!(tails & PLACE(r, s)) && tail == first); execute(r, s, first)
  fi
}

#define CALLS(r, s) \
  :: d_step { at[r] == OUTSIDE -> heads = heads & ~PLACE(r, s); fetched(r, s, head) } \
  :: d_step { at[r] == OUTSIDE && (heads & PLACE(r, s)) -> fetched(r, s, older) }

#define LEAVES(r) \
  :: d_step { at[r] != OUTSIDE -> \
       assert(at[r] < IMAGE(0) || allocated); at[r] = OUTSIDE; holdouts = holdouts & ~BIT(r) }

active [READERS] proctype reader() {
  do
  CALLS(_pid, 0)
#if SITES > 1
  CALLS(_pid, 1)
#endif
#if SITES > 2
  CALLS(_pid, 2)
#endif
  LEAVES(_pid)
  od
}

inline sync() {
  d_step { heads = 0; tails = 0; older = NOP }
}

inline poke(to) {
  d_step { published = true; target = to };
  d_step { older = head; heads = ALL; head = INT3 };
  sync();
  d_step { tails = ALL; tail = target };
  sync();
  d_step { older = head; heads = ALL; head = target };
  sync();
  d_step { published = false; target = NOP }
}

inline waitForReaders(i) {
  do
  :: i < READERS ->
     if
     :: at[i] != OUTSIDE -> holdouts = holdouts | BIT(i)
     :: else
     fi;
     i++
  :: else -> break
  od;
  i = 0
}

active proctype updater() {
  byte i;
  do
  :: d_step { !allocated -> allocated = true };
     poke(CALL);
     poke(NOP);
     d_step { waitForReaders(i) };
     d_step { holdouts == 0 -> allocated = false }
  od
}
