(* A network of buffers with credits, and its packets: what waits, what moves, and why nothing waits for ever.
   Nothing here is about InfiniBand; Fabric.v says what the buffers and the ways of a fabric are. *)
From Coq Require Import List Arith Lia.
Import ListNotations.

Section Network.

(* Places for waiting packets, what a packet carries (its header), and ports where packets leave. *)
Variables buffer load port : Type.
Variable same_buffer : forall a b : buffer, {a = b} + {a <> b}.

(* Where a copy of a packet goes next: out of the network, or into a buffer. *)
Inductive target := Exit (p : port) | Hop (b : buffer) (k : load).

Variable starts : load -> buffer -> Prop.                 (* what end ports may send, and into which buffers *)
Variable branches : load -> buffer -> list target.        (* unicast: at most one; multicast: one for each copy *)
Variable capacity : buffer -> nat.                        (* in packets *)

(* ---- The model -------------------------------------------------------------------------------------------- *)

(* A packet in a buffer: its number, and the copies of it that are not sent yet. *)
Record copy := Copy { number : nat; carries : load; waits : list target }.

(* credit: packets that the sender of a buffer may still send. freed: free places that it has not heard of yet. *)
Record state := State { queue : buffer -> list copy; credit : buffer -> nat; freed : buffer -> nat; count : nat }.

Definition set {A} (f : buffer -> A) b x := fun b' => if same_buffer b b' then x else f b'.
Definition start := State (fun _ => []) capacity (fun _ => 0) 0.
Definition with_queue st b l := State (set (queue st) b l) (credit st) (freed st) (count st).
Definition put st b c :=
  State (set (queue st) b (queue st b ++ [c])) (set (credit st) b (credit st b - 1)) (freed st) (count st).
Definition fresh st := State (queue st) (credit st) (freed st) (S (count st)).

Definition ready st t := match t with Exit _ => True | Hop d _ => 0 < credit st d end.
Definition arrive st n t := match t with Exit _ => st | Hop d k => put st d (Copy n k (branches k d)) end.

Inductive event := Idle | Inject (k : load) (b : buffer) | Send (b : buffer) (i : nat) (t : target)
  | Free (b : buffer) (i : nat) | Return (b : buffer).

(* A copy may be sent from any place of a queue, in any order: a switch may overtake, but need not. *)
Inductive step (st : state) : event -> state -> Prop :=
| Idles : step st Idle st
| Injects k b : starts k b -> 0 < credit st b ->
    step st (Inject k b) (fresh (put st b (Copy (count st) k (branches k b))))
| Sends b l1 c l2 w1 t w2 : queue st b = l1 ++ c :: l2 -> waits c = w1 ++ t :: w2 -> ready st t ->
    step st (Send b (length l1) t)
      (arrive (with_queue st b (l1 ++ Copy (number c) (carries c) (w1 ++ w2) :: l2)) (number c) t)
| Frees b l1 c l2 : queue st b = l1 ++ c :: l2 -> waits c = [] ->
    step st (Free b (length l1))
      (State (set (queue st) b (l1 ++ l2)) (credit st) (set (freed st) b (S (freed st b))) (count st))
| Returns b : 0 < freed st b ->
    step st (Return b)
      (State (queue st) (set (credit st) b (S (credit st b))) (set (freed st) b (freed st b - 1)) (count st)).

Inductive reachable : state -> Prop :=
| At_start : reachable start
| By_step st e st' : reachable st -> step st e st' -> reachable st'.

(* ---- What the tables must satisfy: ranks rise along every way ---------------------------------------------- *)

Inductive travels : load -> buffer -> Prop :=
| From_start k b : starts k b -> travels k b
| By_hop k b d k' : travels k b -> In (Hop d k') (branches k b) -> travels k' d.

Variable rank : buffer -> nat.
Variable top : nat.
Hypothesis rises : forall k b d k', travels k b -> In (Hop d k') (branches k b) -> rank b < rank d <= top.
Hypothesis has_room : forall b, 0 < capacity b.

(* ---- Invariants --------------------------------------------------------------------------------------------- *)

Definition sound st := forall b,
  credit st b + freed st b + length (queue st b) = capacity b /\
  forall c, In c (queue st b) -> travels (carries c) b /\ incl (waits c) (branches (carries c) b).

Lemma set_same {A} (f : buffer -> A) b x : set f b x b = x.
Proof. unfold set. destruct (same_buffer b b); congruence. Qed.

Lemma set_other {A} (f : buffer -> A) b x b' : b <> b' -> set f b x b' = f b'.
Proof. unfold set. destruct (same_buffer b b'); congruence. Qed.

Lemma freeing st b i st' : step st (Free b i) st' -> exists c,
  nth_error (queue st b) i = Some c /\ waits c = [] /\ freed st' b = S (freed st b).
Proof.
  inversion 1 as [ | | | b0 l1 c l2 Q W | ]. subst. exists c. rewrite Q, nth_error_app2, Nat.sub_diag by lia.
  simpl. rewrite set_same. auto.
Qed.

Lemma sending st b i t st' : step st (Send b i t) st' -> exists l1 c l2 w1 w2,
  queue st b = l1 ++ c :: l2 /\ length l1 = i /\ waits c = w1 ++ t :: w2 /\
  st' = arrive (with_queue st b (l1 ++ Copy (number c) (carries c) (w1 ++ w2) :: l2)) (number c) t.
Proof. inversion 1 as [ | | b0 l1 c l2 w1 t0 w2 Q W R | | ]. subst. exists l1, c, l2, w1, w2. auto. Qed.

Lemma returning st b st' : step st (Return b) st' -> credit st' b = S (credit st b).
Proof. inversion 1. simpl. apply set_same. Qed.

Ltac cases b b' := destruct (same_buffer b b') as [<- | ]; [rewrite ?set_same in * | rewrite ?set_other in * by assumption].

Lemma put_sound st b c : sound st -> 0 < credit st b -> travels (carries c) b ->
  incl (waits c) (branches (carries c) b) -> sound (put st b c).
Proof.
  intros S C T I b'. specialize (S b'). destruct S as [S1 S2]. simpl. cases b b'; [ | auto].
  rewrite app_length. simpl. split; [lia | ].
  intros x X. apply in_app_or in X as [X | [<- | []]]; auto.
Qed.

Lemma step_sound st e st' : sound st -> step st e st' -> sound st'.
Proof.
  intros S H. destruct H as [ | k b K C | b l1 c l2 w1 t w2 Q W R | b l1 c l2 Q W | b F]; [auto | | | | ].
  - intro b'. apply (put_sound st b (Copy (count st) k (branches k b)) S C (From_start _ _ K) (incl_refl _)).
  - destruct (S b) as [S1 S2].
    assert (C : In c (queue st b)) by (rewrite Q; apply in_elt).
    destruct (S2 c C) as [T I]. rewrite W in I.
    assert (sound (with_queue st b (l1 ++ Copy (number c) (carries c) (w1 ++ w2) :: l2))) as S'.
    { intro b'. destruct (S b') as [S1' S2']. simpl. cases b b'; [ | auto].
      rewrite Q in S1. rewrite app_length in *. simpl in *. split; [lia | ].
      intros x X. apply in_app_or in X as [X | [<- | X]].
      - apply S2. rewrite Q. apply in_or_app. auto.
      - simpl. split; [assumption | ]. intros y Y. apply I. apply in_app_or in Y as [Y | Y]; apply in_or_app; simpl; auto.
      - apply S2. rewrite Q. apply in_or_app. simpl. auto. }
    destruct t as [p | d k]; [exact S' | ].
    apply put_sound; simpl in *; auto using incl_refl.
    apply (By_hop (carries c) b); [assumption | ]. apply I, in_elt.
  - intro b'. destruct (S b') as [S1 S2]. simpl. cases b b'; [ | auto].
    rewrite Q in *. rewrite app_length in *. simpl in *. split; [lia | ].
    intros x X. apply S2. apply in_app_or in X as [X | X]; apply in_or_app; simpl; auto.
  - intro b'. destruct (S b') as [S1 S2]. simpl. cases b b'; [ | auto]. split; [lia | auto].
Qed.

Lemma reachable_sound st : reachable st -> sound st.
Proof.
  induction 1 as [ | st e st' _ S H]; [ | exact (step_sound _ _ _ S H)].
  intro b. simpl. split; [lia | contradiction].
Qed.

Lemma wait_rises st b c d k : sound st -> In c (queue st b) -> In (Hop d k) (waits c) -> rank b < rank d <= top.
Proof. intros S C W. destruct (S b) as [_ S2], (S2 c C) as [T I]. exact (rises _ _ _ _ T (I _ W)). Qed.

(* ---- Theorem 1: no set of buffers in which each has a packet that waits for another one of the set ---------- *)

Theorem no_credit_loop st (blocked : buffer -> Prop) : reachable st ->
  (forall b, blocked b -> exists c d k, In c (queue st b) /\ In (Hop d k) (waits c) /\ blocked d) ->
  forall b, ~ blocked b.
Proof.
  intros R L. apply reachable_sound in R.
  enough (forall n b, top <= rank b + n -> ~ blocked b) as E by (intro b; apply (E top); lia).
  induction n as [ | n IH]; intros b N B; destruct (L b B) as (c & d & k & C & W & D);
    pose proof (wait_rises _ _ _ _ _ R C W); [lia | ].
  apply (IH d); [lia | assumption].
Qed.

(* ---- Theorem 2: if there is any packet, the first one of some buffer can move, or a credit can return ------- *)

Definition first_moves st := exists e st', step st e st' /\
  match e with Send _ i _ | Free _ i => i = 0 | Return _ => True | _ => False end.

Theorem never_stuck st b : reachable st -> queue st b <> [] -> first_moves st.
Proof.
  intros R. apply reachable_sound in R.
  enough (forall n b, top <= rank b + n -> queue st b <> [] -> first_moves st) as E by (apply (E top); lia).
  clear b. induction n as [ | n IH]; intros b N Q; destruct (queue st b) as [ | [n' k w] l] eqn:E; try congruence;
    (destruct w as [ | t w]; [exists (Free b 0); eexists; split; [apply (Frees _ _ [] _ _ E); reflexivity | reflexivity] | ]);
    assert (ready st t -> first_moves st) as M by
      (intro H; exists (Send b 0 t); eexists; split; [exact (Sends _ _ [] _ _ [] _ _ E eq_refl H) | reflexivity]);
    (destruct t as [p | d k']; [apply M; exact I | ]);
    assert (rank b < rank d <= top) as D by
      (apply (wait_rises st b (Copy n' k (Hop d k' :: w)) d k' R); [rewrite E | ]; left; reflexivity);
    [lia | ].
  destruct (Nat.eq_dec (credit st d) 0) as [C | C]; [ | apply M; simpl; lia].
  destruct (Nat.eq_dec (freed st d) 0) as [F | F].
  - apply (IH d); [lia | ]. destruct (R d) as [S _]. specialize (has_room d). intro X. rewrite X in S. simpl in S. lia.
  - exists (Return d). eexists. split; [constructor; lia | exact I].
Qed.

(* ---- Theorem 3: in a fair run, every copy is sent ------------------------------------------------------------ *)

Variable run : nat -> state.
Variable event_at : nat -> event.
Hypothesis run_starts : run 0 = start.
Hypothesis run_steps : forall n, step (run n) (event_at n) (run (S n)).

Definition at_place n b i c := nth_error (queue (run n) b) i = Some c.

(* The assumptions about devices. They are about the first packet of a buffer only. *)
(* VL arbitration starves none, and end ports accept: if the first packet waits for t, and t is ready again and again, it is sent. *)
Hypothesis fair_send : forall n b c t, at_place n b 0 c -> In t (waits c) ->
  (forall m, n <= m -> exists m', m <= m' /\ ready (run m') t) -> exists m, n <= m /\ event_at m = Send b 0 t.
(* The place of a packet whose copies are all sent becomes free, and a free place becomes a credit. *)
Hypothesis fair_free : forall n b c, at_place n b 0 c -> waits c = [] -> exists m, n <= m /\ event_at m = Free b 0.
Hypothesis fair_return : forall n b, 0 < freed (run n) b -> exists m, n <= m /\ event_at m = Return b.

Lemma run_sound n : sound (run n).
Proof.
  induction n as [ | n IH]; [rewrite run_starts; apply reachable_sound; constructor | exact (step_sound _ _ _ IH (run_steps n))].
Qed.

(* The same copy later: it has not moved back, and has sent some of what it waits for. *)
Definition later c c' := number c' = number c /\ carries c' = carries c /\ length (waits c') <= length (waits c).

(* From time n on, this copy is sent to t. *)
Definition sent n b c t :=
  exists m i c', n <= m /\ at_place m b i c' /\ later c c' /\ In t (waits c') /\ event_at m = Send b i t.

Lemma nth_app_old {A} (l l' : list A) i x : nth_error l i = Some x -> nth_error (l ++ l') i = Some x.
Proof. intro H. rewrite nth_error_app1; [assumption | ]. apply nth_error_Some. congruence. Qed.

(* One step of a copy: it is freed, or stays, at its place or further to the front, and sends what it no longer waits for. *)
Definition kept n b i c (q : list copy) := exists i' c', nth_error q i' = Some c' /\ i' <= i /\ later c c' /\
  (forall j, event_at n = Free b j -> j < i -> i' < i) /\ forall t, In t (waits c) -> In t (waits c') \/ event_at n = Send b i t.

Lemma same_place n b i c q : nth_error q i = Some c -> (forall j, event_at n = Free b j -> i < j) -> kept n b i c q.
Proof. intros Q E. exists i, c. unfold later. repeat split; auto. intros j J L. specialize (E j J). lia. Qed.

Lemma follow n b i c : at_place n b i c -> event_at n = Free b i \/ kept n b i c (queue (run (S n)) b).
Proof.
  unfold at_place. intro P. pose proof (run_steps n) as H. remember (event_at n) as e eqn:Ee.
  destruct H as [ | k b0 K C | b0 l1 c0 l2 w1 t w2 Q W R | b0 l1 c0 l2 Q W | b0 F].
  - right. apply same_place; [assumption | congruence].
  - right. apply same_place; [ | congruence]. simpl. cases b0 b; auto using nth_app_old.
  - right. remember (with_queue (run n) b0 _) as st1 eqn:E1.
    assert (kept n b i c (queue st1 b)) as (i' & c' & Q' & K).
    { rewrite E1. simpl. cases b0 b; [ | apply same_place; [assumption | congruence]].
      rewrite Q in P. destruct (Nat.lt_trichotomy i (length l1)) as [L | [L | L]].
      - apply same_place; [ | congruence]. rewrite nth_error_app1 in P |- * by assumption. assumption.
      - rewrite nth_error_app2, L, Nat.sub_diag in P by lia. injection P as <-.
        exists i, (Copy (number c0) (carries c0) (w1 ++ w2)). rewrite nth_error_app2, L, Nat.sub_diag, <- Ee, W by lia.
        unfold later. simpl. rewrite W, !app_length. simpl. repeat split; [lia | lia | discriminate | ].
        intros x X. apply in_app_or in X as [X | [<- | X]]; auto using in_or_app.
      - apply same_place; [ | congruence]. rewrite nth_error_app2 in P |- * by lia.
        destruct (i - length l1) eqn:E; [lia | exact P]. }
    exists i', c'. split; [ | exact K]. destruct t as [p | d k]; [exact Q' | ].
    simpl. cases d b; auto using nth_app_old.
  - simpl. cases b0 b; [ | right; apply same_place; [assumption | congruence]].
    rewrite Q in P. destruct (Nat.lt_trichotomy i (length l1)) as [L | [L | L]].
    + right. apply same_place; [ | intros j J; congruence]. rewrite nth_error_app1 in P |- * by assumption. assumption.
    + left. congruence.
    + right. exists (i - 1), c. rewrite nth_error_app2 in P |- * by lia.
      replace (i - length l1) with (S (i - 1 - length l1)) in P by lia.
      unfold later. repeat split; auto; lia.
  - right. apply same_place; [assumption | congruence].
Qed.

(* A packet that is freed waits for nothing. *)
Lemma freed_waits n b i c t : event_at n = Free b i -> at_place n b i c -> ~ In t (waits c).
Proof.
  unfold at_place. intros E P. pose proof (run_steps n) as H. rewrite E in H.
  apply freeing in H as (c' & P' & W & _). replace c with c' by congruence. rewrite W. auto.
Qed.

(* Many steps of a copy. *)
Lemma follow_to m n b i c : at_place n b i c ->
  (exists k j, n <= k < n + m /\ j <= i /\ event_at k = Free b j /\ forall t, In t (waits c) -> sent n b c t) \/
  exists j c', at_place (n + m) b j c' /\ j <= i /\ later c c' /\ forall t, In t (waits c) -> In t (waits c') \/ sent n b c t.
Proof.
  intro P. induction m as [ | m IH].
  - right. exists i, c. rewrite Nat.add_0_r. unfold later. repeat split; auto.
  - rewrite Nat.add_succ_r. destruct IH as [(k & j & K & F) | (j & c' & P' & J & L & W)]; [left; exists k, j; split; [lia | exact F] | ].
    destruct (follow _ _ _ _ P') as [F | (j2 & c2 & P2 & J2 & L2 & _ & W2)].
    + left. exists (n + m), j. repeat split; auto; try lia. intros t T. destruct (W t T) as [X | X]; [ | exact X].
      destruct (freed_waits _ _ _ _ t F P' X).
    + right. exists j2, c2. destruct L as (L3 & L4 & L5), L2 as (L6 & L7 & L8).
      repeat split; auto; try lia; try congruence.
      intros t T. destruct (W t T) as [X | X]; [ | auto]. destruct (W2 t X) as [Y | Y]; [auto | ].
      right. exists (n + m), j, c'. unfold later. repeat split; auto; lia.
Qed.

Definition again b := forall n, exists m, n <= m /\ 0 < credit (run m) b.

(* If credits of higher buffers return again and again, the first packet leaves. *)
Lemma first_freed b : (forall d, rank b < rank d <= top -> again d) ->
  forall w n c, length (waits c) <= w -> at_place n b 0 c -> exists m, n <= m /\ event_at m = Free b 0.
Proof.
  intro A. induction w as [ | w IH]; intros n c L P; destruct (waits c) as [ | t r] eqn:W;
    try (apply (fair_free n b c P W)); simpl in L; [lia | ].
  assert (T : In t (waits c)) by (rewrite W; left; reflexivity).
  destruct (fair_send n b c t P T) as (m & M & E).
  { intros m _. destruct t as [p | d k]; [exists m; simpl; auto | ].
    apply A. apply (wait_rises (run n) b c d k (run_sound n)); [apply (nth_error_In _ 0), P | exact T]. }
  destruct (follow_to (m - n) n b 0 c P) as [(k & j & K & J & F & _) | (j & c' & P' & J & (_ & _ & L') & _)];
    replace j with 0 in * by lia; [exists k; split; [lia | exact F] | ].
  replace (n + (m - n)) with m in P' by lia.
  assert (exists c2, at_place (S m) b 0 c2 /\ length (waits c2) < length (waits c')) as (c2 & P2 & L2).
  { unfold at_place in *. pose proof (run_steps m) as H. rewrite E in H.
    apply sending in H as (l1 & c0 & l2 & w1 & w2 & Q & Z & W0 & ->).
    destruct l1; [ | discriminate]. rewrite Q in P'. injection P' as <-.
    exists (Copy (number c0) (carries c0) (w1 ++ w2)). split; [ | simpl; rewrite W0, !app_length; simpl; lia].
    destruct t as [p | d k]; simpl; [ | cases d b]; rewrite ?set_same; reflexivity. }
  destruct (IH (S m) c2) as (m' & M' & F); [rewrite W in L'; simpl in L'; lia | exact P2 | ].
  exists m'. split; [lia | exact F].
Qed.

(* From the highest rank down, credits of every buffer return again and again. *)
Lemma credits_return : forall x b, top <= rank b + x -> again b.
Proof.
  induction x as [x IH] using lt_wf_ind. intros b X n.
  assert (A : forall d, rank b < rank d <= top -> again d) by (intros d D; apply (IH (top - rank d)); lia).
  assert (returned : forall k, n <= k -> 0 < freed (run k) b -> exists m, n <= m /\ 0 < credit (run m) b).
  { intros k K F. destruct (fair_return k b F) as (m & M & E). exists (S m). split; [lia | ].
    pose proof (run_steps m) as H. rewrite E in H. apply returning in H. lia. }
  destruct (Nat.eq_dec (credit (run n) b) 0) as [C | C]; [ | exists n; lia].
  destruct (Nat.eq_dec (freed (run n) b) 0) as [F | F]; [ | apply (returned n); lia].
  destruct (queue (run n) b) as [ | c l] eqn:Q.
  { destruct (run_sound n b) as [S _]. specialize (has_room b). rewrite Q in S. simpl in S. lia. }
  destruct (first_freed b A (length (waits c)) n c) as (m & M & E); [lia | unfold at_place; rewrite Q; reflexivity | ].
  apply (returned (S m)); [lia | ].
  pose proof (run_steps m) as H. rewrite E in H. apply freeing in H as (_ & _ & _ & H). lia.
Qed.

(* A packet at its sender waits for a credit of its first buffer only: there is one again and again. *)
Theorem senders_get_credits b n : exists m, n <= m /\ 0 < credit (run m) b.
Proof. apply (credits_return top). lia. Qed.

(* Every packet in every buffer leaves it, and each of its copies is sent before. *)
Theorem every_copy_is_sent i : forall n b c, at_place n b i c ->
  (exists m j, n <= m /\ j <= i /\ event_at m = Free b j) /\ forall t, In t (waits c) -> sent n b c t.
Proof.
  induction i as [i IH] using lt_wf_ind. intros n b c P.
  assert (exists f, at_place n b 0 f) as [f Pf].
  { unfold at_place in *. destruct (queue (run n) b) as [ | f l]; [destruct i; discriminate | exists f; reflexivity]. }
  destruct (first_freed b (fun d _ => credits_return top d ltac:(lia)) (length (waits f)) n f) as (m & M & E); [lia | exact Pf | ].
  destruct (follow_to (m - n) n b i c P) as [(k & j & K & J & F & W) | (j & c' & P' & J & (L1 & L2 & L3) & W)].
  { split; [exists k, j; repeat split; auto; lia | exact W]. }
  replace (n + (m - n)) with m in P' by lia.
  destruct j as [ | j].
  { split; [exists m, 0; repeat split; auto; lia | ].
    intros t T. destruct (W t T) as [X | X]; [destruct (freed_waits _ _ _ _ t E P' X) | exact X]. }
  (* the first packet is freed, and this one is nearer to the front *)
  destruct (follow _ _ _ _ P') as [F | (j2 & c2 & P2 & _ & (L4 & L5 & L6) & D & W2)]; [congruence | ].
  specialize (D 0 E). destruct (IH j2 ltac:(lia) (S m) b c2 P2) as [(k & j3 & K & J3 & F) S2].
  split; [exists k, j3; repeat split; auto; lia | ].
  intros t T. destruct (W t T) as [X | X]; [ | exact X]. destruct (W2 t X) as [Y | Y].
  - destruct (S2 t Y) as (k2 & i2 & c3 & K2 & P3 & (L7 & L8 & L9) & I3 & E3).
    exists k2, i2, c3. unfold later. repeat split; auto; try lia; congruence.
  - exists m, (S j), c'. unfold later. repeat split; auto; lia.
Qed.

(* ---- Theorem 4: a packet with one way arrives ----------------------------------------------------------------- *)

(* The port where a packet must arrive, if it has one way, and never an end before that port. *)
Variable goal : load -> option port.
Hypothesis one_way : forall k b p, travels k b -> goal k = Some p ->
  branches k b = [Exit p] \/ exists d k', branches k b = [Hop d k'] /\ goal k' = Some p.

Definition arrives n number_of_packet p := exists m b i c, n <= m /\ at_place m b i c /\ number c = number_of_packet /\ event_at m = Send b i (Exit p).

Lemma arrives_from : forall x n b i c p, top <= rank b + x -> at_place n b i c -> goal (carries c) = Some p ->
  waits c = branches (carries c) b -> arrives n (number c) p.
Proof.
  induction x as [x IH] using lt_wf_ind. intros n b i c p X P G W.
  destruct (run_sound n b) as [_ S]. destruct (S c (nth_error_In _ _ P)) as [T _].
  assert (sends : forall t, branches (carries c) b = [t] -> sent n b c t).
  { intros t B. apply (every_copy_is_sent i n b c P). rewrite W, B. left. reflexivity. }
  destruct (one_way _ _ _ T G) as [B | (d & k & B & G')].
  - destruct (sends _ B) as (m & j & c' & M & P' & (L & _) & _ & E). exists m, b, j, c'. auto.
  - destruct (sends _ B) as (m & j & c' & M & P' & (L & _) & _ & E).
    assert (R : rank b < rank d <= top) by (apply (rises (carries c) b d k T); rewrite B; left; reflexivity).
    assert (P2 : at_place (Datatypes.S m) d (length (queue (run (Datatypes.S m)) d) - 1) (Copy (number c) k (branches k d))).
    { unfold at_place in *. pose proof (run_steps m) as H. rewrite E in H.
      apply sending in H as (l1 & c0 & l2 & w1 & w2 & Q & <- & _ & ->).
      rewrite Q, nth_error_app2, Nat.sub_diag in P' by lia. injection P' as <-. rewrite <- L.
      unfold arrive, put. cbn [queue]. rewrite set_same, app_length, nth_error_app2 by (simpl; lia).
      simpl. rewrite Nat.add_sub, Nat.sub_diag. reflexivity. }
    destruct (IH (top - rank d) ltac:(lia) (Datatypes.S m) d _ _ p ltac:(lia) P2 G' eq_refl) as (m2 & b2 & i2 & c2 & M2 & A).
    exists m2, b2, i2, c2. split; [lia | exact A].
Qed.

Theorem packets_arrive n k b p : event_at n = Inject k b -> goal k = Some p -> arrives n (count (run n)) p.
Proof.
  intros E G. pose proof (run_steps n) as H. rewrite E in H. inversion H as [ | k0 b0 K C [E1 E2] E3 | | | ]. subst k0 b0.
  destruct (arrives_from top (S n) b (length (queue (run n) b)) (Copy (count (run n)) k (branches k b)) p)
    as (m & b2 & i2 & c2 & M & A); [lia | | exact G | reflexivity | exists m, b2, i2, c2; split; [lia | exact A]].
  unfold at_place. rewrite <- E3. simpl. rewrite set_same, nth_error_app2, Nat.sub_diag by lia. reflexivity.
Qed.

End Network.

Arguments Exit {buffer load port}.
Arguments Hop {buffer load port}.
Arguments queue {buffer load port}.
Arguments credit {buffer load port}.
Arguments freed {buffer load port}.
Arguments count {buffer load port}.
Arguments waits {buffer load port}.
Arguments Inject {buffer load port}.
Arguments Send {buffer load port}.
Arguments Free {buffer load port}.
Arguments Return {buffer load port}.
Arguments start {buffer load port}.
Arguments step {buffer load port}.
Arguments reachable {buffer load port}.
Arguments travels {buffer load port}.
Arguments at_place {buffer load port}.
Arguments ready {buffer load port}.
Arguments sent {buffer load port}.
Arguments arrives {buffer load port}.
Arguments first_moves {buffer load port}.
Arguments no_credit_loop {buffer load port}.
Arguments never_stuck {buffer load port}.
Arguments every_copy_is_sent {buffer load port}.
Arguments packets_arrive {buffer load port}.
Arguments senders_get_credits {buffer load port}.
