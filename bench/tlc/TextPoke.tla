------------------------------- MODULE TextPoke -------------------------------
(***************************************************************************)
(* Text poke and grace period, small: the model of ../spin/text-poke.pml,  *)
(* with the same states.  Readers call functions whose sites an updater    *)
(* leads to images and back, in batches; images that no site leads to any  *)
(* more are freed after a grace period.                                    *)
(*                                                                         *)
(*   java -cp tla2tools.jar tlc2.TLC -deadlock -config TextPoke.cfg TextPoke *)
(*                                                                         *)
(* What it keeps of the kernel:                                            *)
(*   text_poke_bp_batch(), arch/x86/kernel/alternative.c                   *)
(*   text_poke_int3_handler(), arch/x86/kernel/alternative.c               *)
(*   synchronize_rcu_tasks(), kernel/rcu/tasks.h                           *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS Readers, Sites

VARIABLES
  head, tail,  \* What the sites hold: all are changed in one batch.
  older,       \* What the first bytes were before the last write.
  target,      \* What the batch that is under way changes them to.
  published, allocated,
  holdouts,    \* Readers that the grace period still waits for.
  place,       \* Where each reader is.
  heads, tails, \* Readers and sites for which older bytes may still be fetched.
  pc           \* How far the updater has got.

vars == <<head, tail, older, target, published, allocated, holdouts, place, heads, tails, pc>>

Reader == 1..Readers
Site == 1..Sites
All == Reader \X Site

Outside == 0
Body(s) == s
Image(s) == Sites + s

Init ==
  /\ head = "nop" /\ tail = "nop" /\ older = "nop" /\ target = "nop"
  /\ published = FALSE /\ allocated = FALSE
  /\ holdouts = {}
  /\ place = [r \in Reader |-> Outside]
  /\ heads = {} /\ tails = {}
  /\ pc = 0

(* A reader executes the instruction that it has fetched, or that the      *)
(* handler of the int3 executes in its place.                              *)
Execute(r, s, instruction) ==
  IF instruction = "call"
  THEN /\ Assert(allocated, "a call of an image that was freed")
       /\ place' = [place EXCEPT ![r] = Image(s)]
  ELSE place' = [place EXCEPT ![r] = Body(s)]

Fetched(r, s, first) ==
  IF first = "int3"
  THEN /\ Assert(published, "an unhandled int3")
       /\ Execute(r, s, target)
  ELSE /\ Assert(<<r, s>> \notin tails /\ tail = first, "an instruction of two halves")
       /\ Execute(r, s, first)

Unread == UNCHANGED <<head, tail, older, target, published, allocated, holdouts, tails, pc>>

CallsNow(r, s) ==
  /\ place[r] = Outside
  /\ heads' = heads \ {<<r, s>>}
  /\ Fetched(r, s, head)
  /\ Unread

CallsOlder(r, s) ==
  /\ place[r] = Outside
  /\ <<r, s>> \in heads
  /\ Fetched(r, s, older)
  /\ UNCHANGED heads
  /\ Unread

Leaves(r) ==
  /\ place[r] # Outside
  /\ Assert(place[r] < Image(1) \/ allocated, "a task resumes in an image that was freed")
  /\ place' = [place EXCEPT ![r] = Outside]
  /\ holdouts' = holdouts \ {r}
  /\ UNCHANGED <<head, tail, older, target, published, allocated, heads, tails, pc>>

Sync ==
  /\ heads' = {} /\ tails' = {} /\ older' = "nop"
  /\ UNCHANGED <<head, tail, target, published>>

(* The steps of a batch, from its first to its last. *)
Poke(step, to) ==
  CASE step = 0 -> /\ published' = TRUE /\ target' = to
                   /\ UNCHANGED <<head, tail, older, heads, tails>>
    [] step = 1 -> /\ older' = head /\ heads' = All /\ head' = "int3"
                   /\ UNCHANGED <<tail, target, published, tails>>
    [] step = 3 -> /\ tails' = All /\ tail' = target
                   /\ UNCHANGED <<head, older, target, published, heads>>
    [] step = 5 -> /\ older' = head /\ heads' = All /\ head' = target
                   /\ UNCHANGED <<tail, target, published, tails>>
    [] step \in {2, 4, 6} -> Sync
    [] step = 7 -> /\ published' = FALSE /\ target' = "nop"
                   /\ UNCHANGED <<head, tail, older, heads, tails>>

Text == <<head, tail, older, target, published, heads, tails>>

Updates ==
  \/ /\ pc = 0 /\ ~allocated
     /\ allocated' = TRUE /\ pc' = 1
     /\ UNCHANGED Text /\ UNCHANGED <<holdouts, place>>
  \/ /\ pc \in 1..8
     /\ Poke(pc - 1, "call") /\ pc' = pc + 1
     /\ UNCHANGED <<allocated, holdouts, place>>
  \/ /\ pc \in 9..16
     /\ Poke(pc - 9, "nop") /\ pc' = pc + 1
     /\ UNCHANGED <<allocated, holdouts, place>>
  \/ /\ pc = 17
     /\ holdouts' = holdouts \cup {r \in Reader : place[r] # Outside}
     /\ pc' = 18
     /\ UNCHANGED Text /\ UNCHANGED <<allocated, place>>
  \/ /\ pc = 18 /\ holdouts = {}
     /\ allocated' = FALSE /\ pc' = 0
     /\ UNCHANGED Text /\ UNCHANGED <<holdouts, place>>

Next ==
  \/ Updates
  \/ \E r \in Reader : Leaves(r) \/ \E s \in Site : CallsNow(r, s) \/ CallsOlder(r, s)

Spec == Init /\ [][Next]_vars
===============================================================================
