(* What is proved, in full: everything that these statements use is in Network.v and Fabric.v, before their proofs. *)
From Coq Require Import List Arith Bool.
From TorusSM Require Import Network Fabric Routes.
Import ListNotations.

(* A run of a network in which devices do what proof.md assumes of them. *)
Record fair_run {buffer load port} (same : forall a b : buffer, {a = b} + {a <> b}) starts branches capacity
    (run : nat -> state buffer load port) event_at := {
  begins : run 0 = Network.start capacity;
  steps : forall n, step same starts branches (run n) (event_at n) (run (S n));
  arbitration_starves_none : forall n b c t, at_place run n b 0 c -> In t (waits c) ->
    (forall m, n <= m -> exists m', m <= m' /\ ready (run m') t) -> exists m, n <= m /\ event_at m = Send b 0 t;
  places_become_free : forall n b c, at_place run n b 0 c -> waits c = [] -> exists m, n <= m /\ event_at m = Free b 0;
  credits_return : forall n b, 0 < freed (run n) b -> exists m, n <= m /\ event_at m = Return b }.

(* What follows for a network with rising ranks. *)
Record free_of_deadlock {buffer load port} (same : forall a b : buffer, {a = b} + {a <> b})
    (starts : load -> buffer -> Prop) branches (goal : load -> option port) := {
  (* There is no set of buffers in each of which a packet waits for room in another one of the set. *)
  no_loop : forall capacity st (blocked : buffer -> Prop), reachable same starts branches capacity st ->
    (forall b, blocked b -> exists c d k, In c (queue st b) /\ In (Hop d k) (waits c) /\ blocked d) ->
    forall b, ~ blocked b;
  (* As long as there is a packet, the first packet of some buffer moves, or a credit returns: no new packet is needed for it. *)
  not_stuck : forall capacity, (forall b, 0 < capacity b) ->
    forall st b, reachable same starts branches capacity st -> queue st b <> [] ->
    first_moves same starts branches st;
  (* In a fair run, each packet in each buffer is sent wherever it goes, multicast too, and leaves. *)
  all_move : forall capacity, (forall b, 0 < capacity b) ->
    forall run event_at, fair_run same starts branches capacity run event_at ->
    forall i n b c, at_place run n b i c ->
    (exists m j, n <= m /\ j <= i /\ event_at m = Free b j) /\
    forall t, In t (waits c) -> sent run event_at n b c t;
  (* A packet with a goal arrives there. *)
  all_arrive : forall capacity, (forall b, 0 < capacity b) ->
    forall run event_at, fair_run same starts branches capacity run event_at ->
    forall n k b p, event_at n = Inject k b -> goal k = Some p ->
    arrives run event_at n (count (run n)) p;
  (* A sender that waits for its first buffer is given a credit again and again. *)
  all_enter : forall capacity, (forall b, 0 < capacity b) ->
    forall run event_at, fair_run same starts branches capacity run event_at ->
    forall b n, exists m, n <= m /\ 0 < credit (run m) b }.

Lemma rising_ranks_suffice {buffer load port : Type} (same : forall a b : buffer, {a = b} + {a <> b})
    (starts : load -> buffer -> Prop) (branches : load -> buffer -> list (target buffer load port)) goal (rank : buffer -> nat) top :
  (forall k b d k', travels starts branches k b -> In (Hop d k') (branches k b) -> rank b < rank d <= top) ->
  (forall k b p, travels starts branches k b -> goal k = Some p ->
    branches k b = [Exit p] \/ exists d k', branches k b = [Hop d k'] /\ goal k' = Some p) ->
  free_of_deadlock same starts branches goal.
Proof.
  intros R G. split; [exact (fun capacity => no_credit_loop same starts branches capacity rank top R) | | | | ]; intros capacity P.
  - exact (never_stuck same starts branches capacity rank top R P).
  - intros run event_at [A B C D E]. exact (every_copy_is_sent same starts branches capacity rank top R P run event_at A B C D E).
  - intros run event_at [A B C D E]. exact (packets_arrive same starts branches capacity rank top R P run event_at A B C D E goal G).
  - intros run event_at [A B C D E]. exact (senders_get_credits same starts branches capacity rank top R P run event_at A B C D E).
Qed.

(* If the checker accepts, packets of the fabric never wait for each other for ever; unicast packets arrive at the owner of their LID. *)
Theorem accepted_fabric_is_free_of_deadlock int eqb ltb (value : int -> nat)
  (equal : forall a b, eqb a b = true <-> a = b) (less : forall a b, ltb a b = true <-> value a < value b) f vl15 rank top fuel claims :
  check int eqb ltb f vl15 rank top fuel claims = Proof int ->
  free_of_deadlock (Fabric.same_buffer int eqb equal) (Fabric.starts int f) (Fabric.branches int eqb f vl15) (Fabric.goal int f).
Proof.
  intro A. apply (rising_ranks_suffice _ _ _ _ (Fabric.rank_of int value rank) (S (value top))).
  - exact (Fabric.ranks_rise int eqb ltb value equal less f vl15 rank top fuel claims A).
  - exact (Fabric.one_way int eqb ltb value equal less f vl15 rank top fuel claims A).
Qed.

(* The same of routes of any network. *)
Theorem accepted_routes_are_free_of_deadlock int eqb ltb (value : int -> nat)
  (equal : forall a b, eqb a b = true <-> a = b) (less : forall a b, ltb a b = true <-> value a < value b) routes rank top :
  check_routes int ltb routes rank top = true ->
  free_of_deadlock (Routes.same_place int eqb equal) (Routes.starts int routes) (Routes.branches int) (fun _ => Some tt).
Proof.
  intro A. apply (rising_ranks_suffice _ _ _ _ (Routes.rank_of int value rank) (S (value top))).
  - exact (Routes.ranks_rise int ltb value less routes rank top A).
  - exact (Routes.one_way int routes).
Qed.
