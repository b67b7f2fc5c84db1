(* The fabric of docs/developer/proof.md as a network, the checker of certificates, and the proof that it is right.
   The checker is extracted to OCaml as it is written here; reader.ml gives it the tables. *)
From Coq Require Import List Arith Lia Bool.
From TorusSM Require Import Network.
Import ListNotations.

Section Fabric.

(* Numbers of the machine: they are only compared, never computed with. *)
Variable int : Type.
Variables eqb ltb : int -> int -> bool.
Variable value : int -> nat.
Hypothesis eqb_spec : forall a b, eqb a b = true <-> a = b.
Hypothesis ltb_spec : forall a b, ltb a b = true <-> value a < value b.

Definition place := (int * int)%type.                      (* a switch and one of its ports *)

Record fabric := Tables {
  far : int -> int -> option place;                        (* switch, port: the switch at the other end, and its port *)
  lft : int -> int -> option int;                          (* LID, switch: port *)
  mft : int -> int -> list int;                            (* MLID, switch: ports *)
  sl2vl : int -> int -> int -> int -> int;                 (* switch, input port, output port, SL: VL *)
  ends : list int;                                         (* end ports *)
  door : int -> option place;                              (* where packets of an end port enter *)
  lids : list int;
  owner : int -> option place;                             (* LID: where packets to its end port leave *)
  path_sl : int -> int -> option int;                      (* end port, LID: the SL, if the certificate is about these packets *)
  groups : list int;                                       (* MLIDs *)
  group_sls : list int }.

Variable f : fabric.
Variable vl15 : int.

(* ---- The fabric as a network ---------------------------------------------------------------------------------- *)

(* Input buffers of a VL. Link s p v: behind the cable that leaves switch s by port p. Entry s p v: of switch s itself, behind an
   end port. *)
Inductive buffer := Entry (s p v : int) | Link (s p v : int).
Inductive load := Unicast (lid sl : int) | Multicast (mlid sl : int).

Definition place_of b := match b with Entry s p _ => Some (s, p) | Link s p _ => far f s p end.

(* VL15 discards. A packet that leaves by a port without a switch behind it is taken by the end port there, or lost. *)
Definition send k sl s come out : list (target buffer load place) :=
  let v := sl2vl f s come out sl in
  if eqb v vl15 then [] else match far f s out with Some _ => [Hop (Link s out v) k] | None => [Exit (s, out)] end.

Definition branches k b :=
  match place_of b with
  | None => []
  | Some (s, come) =>
    match k with
    | Unicast lid sl => match lft f lid s with None => [] | Some out => send k sl s come out end
    | Multicast mlid sl => flat_map (fun out => if eqb out come then [] else send k sl s come out) (mft f mlid s)
    end
  end.

(* An end port may use any VL on its own cable. Any end port may send to any group. *)
Definition starts k b := exists e s p v, In e (ends f) /\ door f e = Some (s, p) /\ b = Entry s p v /\
  match k with
  | Unicast lid sl => In lid (lids f) /\ owner f lid <> None /\ path_sl f e lid = Some sl
  | Multicast mlid sl => In mlid (groups f) /\ In sl (group_sls f)
  end.

Definition goal k := match k with Unicast lid _ => owner f lid | Multicast _ _ => None end.

Definition same_int (a b : int) : {a = b} + {a <> b}.
Proof. destruct (eqb a b) eqn:E; [left; apply eqb_spec, E | right; intro H; apply eqb_spec in H; congruence]. Defined.

Definition same_buffer (a b : buffer) : {a = b} + {a <> b}.
Proof. decide equality; apply same_int. Defined.

(* ---- The checker ---------------------------------------------------------------------------------------------- *)

Variable rank : int -> int -> int -> option int.           (* switch, port, VL *)
Variable top : int.

Inductive verdict := Proof | NoPath (e lid : int) | NoTree (mlid sl : int).

Definition rises (before : option int) r := negb (ltb top r) && match before with None => true | Some b => ltb b r end.

(* Whether a packet that enters switch s by port come arrives, along rising ranks. Longer paths than fuel are refused. *)
Fixpoint walk fuel lid sl goal_s goal_p s come before : bool :=
  match fuel with
  | O => false
  | S fuel =>
    match lft f lid s with
    | None => false
    | Some out =>
      let v := sl2vl f s come out sl in
      if eqb v vl15 then false else
      match far f s out with
      | None => eqb s goal_s && eqb out goal_p
      | Some (s', come') =>
        match rank s out v with
        | None => false
        | Some r => if rises before r then walk fuel lid sl goal_s goal_p s' come' (Some r) else false
        end
      end
    end
  end.

Fixpoint all {A} (test : A -> verdict) l :=
  match l with [] => Proof | x :: r => match test x with Proof => all test r | bad => bad end end.

Definition check_lid fuel lid :=
  match owner f lid with
  | None => Proof
  | Some (gs, gp) => all (fun e =>
      match path_sl f e lid with
      | None => Proof
      | Some sl => match door f e with
        | None => Proof
        | Some (s, p) => if walk fuel lid sl gs gp s p None then Proof else NoPath e lid
        end
      end) (ends f)
  end.

(* The channels that a group uses are claimed by the reader, as a search tree. Any tree does: what is found in it is in it. *)
Inductive tree := Leaf | Node (left : tree) (s p v : int) (right : tree).

Fixpoint mem t s p v :=
  match t with
  | Leaf => false
  | Node l s' p' v' r =>
    if eqb s s' && eqb p p' && eqb v v' then true
    else if ltb s s' || eqb s s' && (ltb p p' || eqb p p' && ltb v v') then mem l s p v else mem r s p v
  end.

Fixpoint every (test : int -> int -> int -> bool) t :=
  match t with Leaf => true | Node l s p v r => every test l && test s p v && every test r end.

Definition rank_before b := match b with Entry _ _ _ => None | Link s p v => rank s p v end.

Definition tree_step claims k b := forallb (fun t =>
  match t with
  | Hop (Link s p v) _ => mem claims s p v && match rank s p v with None => false | Some r => rises (rank_before b) r end
  | _ => true
  end) (branches k b).

Definition check_group (claims : int -> int -> tree) mlid sl :=
  let claims := claims mlid sl in
  if forallb (fun e => match door f e with None => true | Some (s, p) => tree_step claims (Multicast mlid sl) (Entry s p vl15) end) (ends f)
    && every (fun s p v => tree_step claims (Multicast mlid sl) (Link s p v)) claims
  then Proof else NoTree mlid sl.

Definition check fuel claims :=
  match all (check_lid fuel) (lids f) with
  | Proof => all (fun mlid => all (check_group claims mlid) (group_sls f)) (groups f)
  | bad => bad
  end.

(* ---- It is right: what it accepts has rising ranks ------------------------------------------------------------- *)

Definition rank_of b := match b with Entry _ _ _ => 0 | Link s p v => match rank s p v with Some r => S (value r) | None => 0 end end.

Lemma rises_spec b r s p v : rises (rank_before b) r = true -> rank s p v = Some r -> rank_of b < rank_of (Link s p v) <= S (value top).
Proof.
  unfold rises. intros H R. simpl. rewrite R. apply andb_true_iff in H as [H1 H2].
  apply negb_true_iff in H1. assert (~ value top < value r) by (rewrite <- ltb_spec, H1; discriminate).
  destruct b as [ | s' p' v']; simpl in *; [lia | ]. destruct (rank s' p' v'); [apply ltb_spec in H2 | ]; lia.
Qed.

Lemma all_spec {A} (test : A -> verdict) l x : all test l = Proof -> In x l -> test x = Proof.
Proof.
  induction l as [ | y l IH]; simpl; [contradiction | ].
  destruct (test y) eqn:E; try discriminate. intros H [<- | X]; auto.
Qed.

Lemma mem_spec test t s p v : mem t s p v = true -> every test t = true -> test s p v = true.
Proof.
  induction t as [ | l IHl s' p' v' r IHr]; simpl; [discriminate | ].
  intros M E. apply andb_true_iff in E as [E E3]. apply andb_true_iff in E as [E1 E2].
  destruct (eqb s s' && eqb p p' && eqb v v') eqn:Q.
  - apply andb_true_iff in Q as [Q Q3]. apply andb_true_iff in Q as [Q1 Q2]. apply eqb_spec in Q1, Q2, Q3. congruence.
  - destruct (ltb s s' || _); auto.
Qed.

Lemma in_send k sl s come out t : In t (send k sl s come out) ->
  t = Exit (s, out) \/ exists v, t = Hop (Link s out v) k /\ far f s out <> None.
Proof.
  unfold send. destruct (eqb _ vl15); [contradiction | ].
  destruct (far f s out) eqn:F; intros [<- | []]; [right | left]; [eexists; split; [reflexivity | congruence] | reflexivity].
Qed.

Variable fuel : nat.
Variable claims : int -> int -> tree.
Hypothesis accepted : check fuel claims = Proof.

Lemma accepted_lid lid : In lid (lids f) -> check_lid fuel lid = Proof.
Proof. unfold check in accepted. destruct (all (check_lid fuel) (lids f)) eqn:E; try discriminate. apply (all_spec _ _ _ E). Qed.

Lemma accepted_group mlid sl : In mlid (groups f) -> In sl (group_sls f) -> check_group claims mlid sl = Proof.
Proof.
  unfold check in accepted. destruct (all (check_lid fuel) (lids f)); try discriminate.
  intros G S. apply (all_spec _ _ _ (all_spec _ _ _ accepted G) S).
Qed.

(* What holds of each packet in each buffer that it comes to. *)
Definition good k b :=
  match k with
  | Unicast lid sl => exists n gs gp s come, owner f lid = Some (gs, gp) /\ place_of b = Some (s, come) /\
      walk n lid sl gs gp s come (rank_before b) = true
  | Multicast mlid sl => tree_step (claims mlid sl) k b = true /\
      every (fun s p v => tree_step (claims mlid sl) k (Link s p v)) (claims mlid sl) = true
  end.

Lemma starts_good k b : starts k b -> good k b.
Proof.
  intros (e & s & p & v & E & D & -> & K). destruct k as [lid sl | mlid sl]; simpl.
  - destruct K as (L & O & P). pose proof (accepted_lid lid L) as C. unfold check_lid in C. simpl.
    destruct (owner f lid) as [[gs gp] | ]; [ | congruence].
    apply (all_spec _ _ e) in C; [ | exact E]. cbv beta in C. rewrite P, D in C.
    destruct (walk fuel lid sl gs gp s p None) eqn:W; [ | discriminate]. exists fuel, gs, gp, s, p. auto.
  - destruct K as (G & S). pose proof (accepted_group mlid sl G S) as C. unfold check_group in C.
    destruct (forallb _ (ends f)) eqn:F; [ | discriminate]. destruct (every _ _) eqn:V; [ | discriminate].
    rewrite forallb_forall in F. specialize (F e E). cbv beta in F. rewrite D in F. auto.
Qed.

Lemma good_unicast lid sl b : good (Unicast lid sl) b -> exists gs gp, owner f lid = Some (gs, gp) /\
  (branches (Unicast lid sl) b = [Exit (gs, gp)] \/
   exists d, branches (Unicast lid sl) b = [Hop d (Unicast lid sl)] /\ rank_of b < rank_of d <= S (value top) /\ good (Unicast lid sl) d).
Proof.
  intros (n & gs & gp & s & come & O & P & W). exists gs, gp. split; [exact O | ].
  destruct n as [ | n]; [discriminate | ]. simpl in W. unfold branches. rewrite P.
  destruct (lft f lid s) as [out | ]; [ | discriminate]. unfold send.
  destruct (eqb _ vl15); [discriminate | ].
  destruct (far f s out) as [[s' come'] | ] eqn:F.
  - right. destruct (rank s out _) as [r | ] eqn:R; [ | discriminate].
    destruct (rises (rank_before b) r) eqn:X; [ | discriminate].
    eexists. split; [reflexivity | ]. split; [exact (rises_spec _ _ _ _ _ X R) | ].
    simpl. exists n, gs, gp, s', come'. rewrite R. auto.
  - left. apply andb_true_iff in W as [W1 W2]. apply eqb_spec in W1, W2. congruence.
Qed.

Lemma good_hop k b d k' : good k b -> In (Hop d k') (branches k b) -> good k' d /\ rank_of b < rank_of d <= S (value top).
Proof.
  intros G B. destruct k as [lid sl | mlid sl].
  - destruct (good_unicast _ _ _ G) as (gs & gp & _ & [E | (d' & E & R & G')]); rewrite E in B; destruct B as [B | []];
      [discriminate | ]. injection B as <- <-. auto.
  - destruct G as [G V]. pose proof G as T. unfold tree_step in T. rewrite forallb_forall in T. specialize (T _ B).
    assert (k' = Multicast mlid sl /\ exists s p v, d = Link s p v) as [-> (s & p & v & ->)].
    { unfold branches in B. destruct (place_of b) as [[s come] | ]; [ | contradiction].
      apply in_flat_map in B as (out & _ & B). destruct (eqb out come); [contradiction | ].
      apply in_send in B as [B | (v & B & _)]; [discriminate | ]. injection B as -> ->. eauto. }
    apply andb_true_iff in T as [M R]. destruct (rank s p v) as [r | ] eqn:K; [ | discriminate].
    split; [ | exact (rises_spec _ _ _ _ _ R K)]. split; [ | exact V].
    exact (mem_spec _ _ _ _ _ M V).
Qed.

Lemma travels_good k b : travels starts branches k b -> good k b.
Proof. induction 1 as [k b S | k b d k' _ G B]; [exact (starts_good _ _ S) | apply (good_hop _ _ _ _ G B)]. Qed.

Lemma ranks_rise k b d k' : travels starts branches k b -> In (Hop d k') (branches k b) ->
  rank_of b < rank_of d <= S (value top).
Proof. intros T B. apply (good_hop k b d k' (travels_good _ _ T) B). Qed.

Lemma one_way k b p : travels starts branches k b -> goal k = Some p ->
  branches k b = [Exit p] \/ exists d k', branches k b = [Hop d k'] /\ goal k' = Some p.
Proof.
  intros T G. destruct k as [lid sl | ]; [ | discriminate].
  destruct (good_unicast _ _ _ (travels_good _ _ T)) as (gs & gp & O & [B | (d & B & _)]); simpl in G; rewrite O in G;
    injection G as <-; [left; exact B | right; exists d, (Unicast lid sl); split; [exact B | exact O]].
Qed.

End Fabric.
