(* Routes of any network, each a list of channels: the checker of their certificates, and the proof that it is right. *)
From Coq Require Import List Arith Lia Bool.
From TorusSM Require Import Network Fabric.
Import ListNotations.

Section Routes.

Variable int : Type.
Variables eqb ltb : int -> int -> bool.
Variable value : int -> nat.
Hypothesis eqb_spec : forall a b, eqb a b = true <-> a = b.
Hypothesis ltb_spec : forall a b, ltb a b = true <-> value a < value b.

Variable routes : list (list int).
Variable rank : int -> option int.
Variable top : int.

Fixpoint route_rises before r :=
  match r with
  | [] => true
  | c :: r => match rank c with None => false | Some x => rises _ ltb top before x && route_rises (Some x) r end
  end.

Definition check_routes := forallb (route_rises None) routes.

(* A packet carries the rest of its route. Any number of senders. *)
Inductive place := Sender (n : nat) | Channel (c : int).
Definition branches r (_ : place) : list (target place (list int) unit) :=
  match r with [] => [Exit tt] | c :: r => [Hop (Channel c) r] end.
Definition starts r b := In r routes /\ exists n, b = Sender n.

Definition same_place (a b : place) : {a = b} + {a <> b}.
Proof. decide equality; [apply Nat.eq_dec | apply (same_int _ _ eqb_spec)]. Defined.

Definition rank_before b := match b with Sender _ => None | Channel c => rank c end.
Definition rank_of b := match b with Sender _ => 0 | Channel c => match rank c with Some r => S (value r) | None => 0 end end.

Hypothesis accepted : check_routes = true.

Lemma travels_rises r b : travels starts branches r b -> route_rises (rank_before b) r = true.
Proof.
  unfold check_routes in accepted. rewrite forallb_forall in accepted.
  induction 1 as [r b [R [n ->]] | r b d r' _ IH B]; [exact (accepted r R) | ].
  destruct r as [ | c r]; destruct B as [B | []]; [discriminate | ]. injection B as <- <-.
  simpl in *. destruct (rank c); [apply andb_true_iff in IH; tauto | discriminate].
Qed.

Lemma ranks_rise r b d r' : travels starts branches r b -> In (Hop d r') (branches r b) ->
  rank_of b < rank_of d <= S (value top).
Proof.
  intros T B. apply travels_rises in T. destruct r as [ | c r]; destruct B as [B | []]; [discriminate | ].
  injection B as <- <-. simpl in T |- *. destruct (rank c) as [x | ]; [ | discriminate].
  apply andb_true_iff in T as [T _]. unfold rises in T. apply andb_true_iff in T as [T1 T2].
  apply negb_true_iff in T1. assert (~ value top < value x) by (rewrite <- ltb_spec, T1; discriminate).
  destruct b as [n | c']; simpl in *; [lia | ]. destruct (rank c'); [apply ltb_spec in T2 | ]; lia.
Qed.

Lemma one_way r b p : travels starts branches r b -> Some tt = Some p ->
  branches r b = [Exit p] \/ exists d r', branches r b = [Hop d r'] /\ Some tt = Some p.
Proof. intros _ P. injection P as <-. destruct r as [ | c r]; [left | right; exists (Channel c), r]; auto. Qed.

End Routes.
