(* The hypotheses have models: natural numbers are machine numbers, a line of three switches is accepted, a ring is not. *)
From Coq Require Import List Arith Bool.
From TorusSM Require Import Network Fabric Theorems.
Import ListNotations.

(* Switches 0 .. n - 1, each with end port 0 behind port 0 and LID 0 .. n - 1; port 1 leads to port 2 of the next switch. *)
Definition neighbour n up s p : option (nat * nat) :=
  if (p =? 1) && up s then Some ((s + 1) mod n, 2)
  else if (p =? 2) && up ((s + n - 1) mod n) then Some ((s + n - 1) mod n, 1) else None.
Definition ring n up := Tables nat (neighbour n up)
  (fun lid s => Some (if lid =? s then 0 else if up (n - 1) || (s <? lid) then 1 else 2))
  (fun _ _ => []) (fun _ _ _ _ => 0) (seq 0 n) (fun e => Some (e, 0)) (seq 0 n) (fun lid => Some (lid, 0)) (fun _ _ => Some 0) [] [0].

Definition by_switch s p (v : nat) := Some (if p =? 1 then s else 9 - s).
Definition checked n up := check nat Nat.eqb Nat.ltb (ring n up) 15 by_switch 9 9 (fun _ _ => Leaf nat).

Theorem a_line_is_accepted : checked 3 (fun s => s <? 2) = Proof nat.
Proof. reflexivity. Qed.

Theorem a_line_is_free_of_deadlock : free_of_deadlock (same_buffer nat Nat.eqb Nat.eqb_eq)
  (starts nat (ring 3 (fun s => s <? 2))) (branches nat Nat.eqb (ring 3 (fun s => s <? 2)) 15) (goal nat (ring 3 (fun s => s <? 2))).
Proof.
  refine (accepted_fabric_is_free_of_deadlock nat Nat.eqb Nat.ltb (fun n => n) Nat.eqb_eq Nat.ltb_lt _ _ _ _ _ _ a_line_is_accepted).
Qed.

(* In one direction around a ring, these ranks are refused. *)
Theorem a_ring_is_refused : exists e lid, checked 3 (fun _ => true) = NoPath nat e lid.
Proof. do 2 eexists. reflexivity. Qed.
