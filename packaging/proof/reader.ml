(* Reads a certificate and the files of a fabric, and gives them to the checker that Coq extracted. Nothing here is proved: files must
   be read as packaging/verify-certificate.py reads them. Usage, answers and exit codes are those of that program as well. *)
open Checker

let fail text = failwith text
let check_that good text = if not good then fail text

(* ---- Text ---- *)

let is_space c = match c with ' ' | '\t' .. '\r' | '\x1c' .. '\x1f' | '\x85' | '\xa0' -> true | _ -> false
let is_digit c = '0' <= c && c <= '9'
let is_word c = is_digit c || c = '_' || ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z')
let starts prefix text = String.length text >= String.length prefix && String.sub text 0 (String.length prefix) = prefix

let nibble c = match c with
  | '0' .. '9' -> Char.code c - 48 | 'a' .. 'f' -> Char.code c - 87 | 'A' .. 'F' -> Char.code c - 55 | _ -> fail "not a number"

(* A number of at most 15 digits, decimal or hexadecimal; whole words only. *)
let number base text =
  let from = if base = 16 && (starts "0x" text || starts "0X" text) then 2 else 0 in
  check_that (from < String.length text && String.length text - from <= 15) ("not a number: " ^ text);
  let result = ref 0 in
  for i = from to String.length text - 1 do
    let digit = nibble text.[i] in
    check_that (digit < base) ("not a number: " ^ text);
    result := !result * base + digit
  done;
  !result
let decimal = number 10
let hex = number 16
let within most what n = check_that (0 <= n && n <= most) (Printf.sprintf "%s is %d, and 0 to %d is possible" what n most); n
let port = within 254 "a port"
let lane = within 15 "a VL or SL"

let numbered table key = match Hashtbl.find_opt table key with
  | Some id -> id
  | None -> let id = Hashtbl.length table in Hashtbl.add table key id; id

(* GUIDs have 64 bits, which no int has: each has a number of its own, as each channel of a network has. *)
let guids : (string, int) Hashtbl.t = Hashtbl.create 256
let channels : (string, int) Hashtbl.t = Hashtbl.create 256
let guid text =
  let text = if starts "0x" text || starts "0X" text then String.sub text 2 (String.length text - 2) else text in
  check_that (text <> "") "an empty GUID";
  let from = ref 0 in
  String.iter (fun c -> ignore (nibble c)) text;
  while !from < String.length text - 1 && text.[!from] = '0' do incr from done;
  numbered guids (String.lowercase_ascii (String.sub text !from (String.length text - !from)))

(* The ends of each line of a text. *)
let each_range text action =
  let from = ref 0 and length = String.length text in
  while !from < length do
    let stop = ref !from in
    while !stop < length && (match text.[!stop] with '\n' .. '\r' | '\x1c' .. '\x1e' | '\x85' -> false | _ -> true) do incr stop done;
    action !from !stop;
    from := if !stop + 1 < length && text.[!stop] = '\r' && text.[!stop + 1] = '\n' then !stop + 2 else !stop + 1
  done
let each_line text action = each_range text (fun from stop -> action (String.sub text from (stop - from)))
let lines text = let all = ref [] in each_line text (fun line -> all := line :: !all); List.rev !all

(* The words of a line; with colons, a colon is a space. *)
let words ?(colons = false) line =
  let is_gap c = is_space c || (colons && c = ':') in
  let rec back stop found =
    if stop = 0 then found
    else if is_gap line.[stop - 1] then back (stop - 1) found
    else begin
      let from = ref (stop - 1) in
      while !from > 0 && not (is_gap line.[!from - 1]) do decr from done;
      back !from (String.sub line !from (stop - !from) :: found)
    end in
  back (String.length line) []

let find_from text from part =
  let n = String.length part in
  let rec same i j = j = n || (text.[i + j] = part.[j] && same i (j + 1)) in
  let rec at i = if i + n > String.length text then -1 else if same i 0 then i else at (i + 1) in
  at from

(* ---- The fabric ---- *)

type point = int * int                                     (* node, port *)
let switches : (int, unit) Hashtbl.t = Hashtbl.create 256
let peer : (point, point) Hashtbl.t = Hashtbl.create 256
let end_guid : (point, int) Hashtbl.t = Hashtbl.create 256
let owners : (int, point) Hashtbl.t = Hashtbl.create 256
let lfts : (int, Bytes.t) Hashtbl.t = Hashtbl.create 256  (* switch: port by LID, 255 for none *)
let rows : (int * int * int, int array) Hashtbl.t = Hashtbl.create 256
let sls : (int, Bytes.t) Hashtbl.t = Hashtbl.create 256  (* node or port: SL by LID, 255 for none *)
let listed = ref false
let trees : (int, (int, int list) Hashtbl.t) Hashtbl.t = Hashtbl.create 64
let routes : int list list ref = ref []

let latest = ref (lfts, -1, Bytes.empty)                    (* most bytes are for the key of the line before *)
let set_byte table key lid value =
  let old = match !latest with
    | same, id, bytes when same == table && id = key -> bytes
    | _ -> Option.value (Hashtbl.find_opt table key) ~default:Bytes.empty in
  let bytes = if lid < Bytes.length old then old else begin
      let longer = Bytes.make (min 65536 (max 1024 (2 * (lid + 1)))) '\xff' in
      Bytes.blit old 0 longer 0 (Bytes.length old);
      Hashtbl.replace table key longer;
      longer
    end in
  latest := (table, key, bytes);
  Bytes.unsafe_set bytes lid (Char.chr value)
let byte table key lid = match Hashtbl.find_opt table key with
  | Some bytes when lid < Bytes.length bytes -> Char.code (Bytes.get bytes lid)
  | _ -> 255

(* Two owners of a LID, or two cables of a port, are refused: the paths to one of them would not be checked. *)
let once table what key value = match Hashtbl.find_opt table key with
  | None -> Hashtbl.add table key value
  | Some other -> check_that (other = value) (what ^ " belongs to two ports")
let own lid at = once owners "a LID" lid at

let add is_switch node number id lid lmc =
  if is_switch then Hashtbl.replace switches node ();
  let last = within 0xbfff "a LID" (lid + (1 lsl within 7 "an LMC" lmc) - 1) in
  let at = (node, if is_switch then 0 else port number) in
  Hashtbl.replace end_guid at (if is_switch then node else id);
  if lid <> 0 then for each = lid to last do own each at done

let cable one other =
  once peer "a port" one other;
  once peer "a port" other one

(* { CA Ports:01 SystemGUID:.. NodeGUID:.. PortGUID:.. .. {description} LID:0001 PN:01 } *)
let rec sides line from =
  match String.index_from_opt line from '{' with
  | None -> []
  | Some start ->
    let pos = ref (start + 1) in
    let spaces least = let begun = !pos in
      while !pos < String.length line && is_space line.[!pos] do incr pos done; check_that (!pos - begun >= least) "no space" in
    let word () = let begun = !pos in
      while !pos < String.length line && is_word line.[!pos] do incr pos done;
      check_that (!pos > begun) "no word"; String.sub line begun (!pos - begun) in
    let expect text = check_that (find_from line !pos text = !pos) text; pos := !pos + String.length text in
    let skip_to text = let at = find_from line !pos text in check_that (at >= 0) text; pos := at + String.length text in
    let rec tail () =
      let close = find_from line !pos "}" in
      check_that (close >= 0) "no end";
      pos := close + 1;
      match spaces 1; expect "LID:"; let lid = word () in spaces 1; expect "PN:"; let number = word () in spaces 0; expect "}"; (lid, number) with
      | found -> found
      | exception Failure _ -> pos := close + 1; tail () in
    match spaces 0; let kind = word () in skip_to "NodeGUID:"; let node = word () in spaces 1; expect "PortGUID:"; let id = word () in
      skip_to "{"; let lid, number = tail () in (kind, guid node, guid id, hex lid, port (hex number)) with
    | side -> side :: sides line !pos
    | exception Failure _ -> sides line (start + 1)

let cells line =
  let rec field from =
    if from < String.length line && line.[from] = '"' then begin
      let close = String.index_from line (from + 1) '"' in
      rest (close + 1)
    end else begin
      let stop = Option.value (String.index_from_opt line from ',') ~default:(String.length line) in
      String.sub line from (stop - from) :: (if stop < String.length line then field (stop + 1) else [])
    end
  and rest from =                                          (* behind a quoted cell, whose content is of no interest *)
    if from >= String.length line then [""]
    else if line.[from] = ',' then "" :: field (from + 1)
    else rest (String.index_from line (from + 1) '"' + 1) in
  field 0

let read_csv text =
  let section = ref "" and header = ref [] in
  let row line =
    let cells = cells line in
    check_that (List.length cells = List.length !header) "a row with other columns";
    let cell name = List.assoc name (List.combine !header cells) in
    let value name = let text = cell name in number (if String.contains text 'x' then 16 else 10) text in
    let value_or_0 name = if List.mem name !header && cell name <> "" then value name else 0 in
    match !section with
    | "START_NODES" -> if value "NODETYPE" = 2 then Hashtbl.replace switches (guid (cell "NODEGUID")) ()
    | "START_PORTS" ->
      let node = guid (cell "NODEGUID") in
      let is_switch = Hashtbl.mem switches node in
      add is_switch node (value "PORTNUM") (guid (cell "PORTGUID")) (value_or_0 "LID") (if is_switch then 0 else value_or_0 "LMC")
    | _ ->
      cable (guid (cell "NODEGUID1"), port (value "PORTNUM1")) (guid (cell "NODEGUID2"), port (value "PORTNUM2")) in
  each_line text (fun line ->
      if starts "START_" line then (section := line; header := [])
      else if starts "END_" line then section := ""
      else if line <> "" && List.mem !section ["START_NODES"; "START_PORTS"; "START_LINKS"] then
        if !header = [] then header := List.map (fun name -> String.uppercase_ascii (String.trim name)) (String.split_on_char ',' line)
        else row line)

let read_links text lmc =
  check_that (text <> "") "an empty file";
  if text.[0] = '{' then
    each_line text (fun line ->
        if line <> "" then match sides line 0 with
          | [kind1, node1, guid1, lid1, port1; kind2, node2, guid2, lid2, port2] ->
            add (kind1 = "SW" || kind1 = "SW-SM") node1 port1 guid1 lid1 0;
            add (kind2 = "SW" || kind2 = "SW-SM") node2 port2 guid2 lid2 0;
            cable (node1, port1) (node2, port2)
          | _ -> fail "a line of the links has not two sides");
  read_csv text;
  let size = 1 lsl within 7 "the LMC" lmc in
  let known = List.sort compare (Hashtbl.fold (fun lid at all -> (lid, at) :: all) owners []) in
  List.iter (fun (lid, at) ->
      let more = List.init size (fun i -> lid + i) in
      if lid mod size = 0 && List.for_all (fun each -> match Hashtbl.find_opt owners each with Some other -> other = at | None -> true) more
      then List.iter (fun each -> Hashtbl.replace owners each at) more) known

(* Most lines of large files are "0x0001 : 003" and perhaps words: calls found with both numbers, the end of the second, and the first "p"
   behind it, or the end of the line. *)
let is_pair text from stop found =
  let at = ref (from + 2) and lid = ref 0 and value = ref 0 in
  let more condition = !at < stop && condition text.[!at] in
  if stop - from < 3 || text.[from] <> '0' || text.[from + 1] <> 'x' then false
  else begin
    while more (fun c -> is_digit c || ('a' <= c && c <= 'f')) do lid := !lid * 16 + nibble text.[!at]; incr at done;
    let gap = !at in
    while more (fun c -> c = ' ' || c = ':') do incr at done;
    let digits = !at in
    while more is_digit do value := !value * 10 + nibble text.[!at]; incr at done;
    let is_pair = gap > from + 2 && gap < from + 8 && digits > gap && !at > digits && !at < digits + 6 in
    let last = !at in
    while more (fun c -> c <> 'p') do incr at done;
    is_pair && (last = stop || text.[last] = ' ') && found !lid !value last !at
  end

(* Calls action with lines that begin with a digit and are not taken as a pair, and the section: (GUID, whether it is a switch's). *)
let entries ?(pair = fun _ _ _ _ _ _ -> false) text action =
  let head = ref None in
  each_range text (fun from stop ->
      if from < stop && not (is_digit text.[from] && is_pair text from stop (pair !head stop)) then
        let line = String.sub text from (stop - from) in
        if is_digit line.[0] then action !head line
        else
          let found = List.filter_map (fun mark ->
              let at = find_from line 0 mark in
              let stop = ref (at + String.length mark) in
              while at >= 0 && !stop < String.length line && (match line.[!stop] with '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> true | _ -> false)
              do incr stop done;
              let from = at + String.length mark in
              if at >= 0 && !stop > from then Some (at, String.sub line from (!stop - from)) else None)
              ["guid 0x"; "Switch 0x"; "Adapter 0x"; "Router 0x"] in
          match List.sort compare found with
          | (_, id) :: _ -> head := Some (guid id, not (starts "Channel" line || starts "Router" line))
          | [] -> ())

let read_tables text =
  let by_guid = Hashtbl.create 256 in
  Hashtbl.iter (fun at id -> Hashtbl.replace by_guid id at) end_guid;
  (* The words of a LID are the same in the table of each switch: they are read once, and again where they differ. *)
  let known = Array.make 0xc000 "" and pending = ref (-1, 0, 0) in
  let is_known lid last stop =
    let words = known.(lid) in
    let rec same i = i = stop - last || (words.[i] = text.[last + i] && same (i + 1)) in
    String.length words = stop - last && same 0 in
  let pair head stop lid out last p = match head with
    | Some (switch, _) when lid < 0xc000 && out < 255 && (p = stop || is_known lid last stop) -> set_byte lfts switch lid out; true
    | _ -> pending := (lid, last, stop); false in
  entries ~pair text (fun head line ->
      let same, last, stop = !pending in
      pending := (-1, 0, 0);
      match words ~colons:true line with
      | lid :: out :: rest when starts "0x" lid ->
        if out <> "UNREACHABLE" && out <> "255" && hex lid < 0xc000 then begin
          (match head with Some (switch, _) -> set_byte lfts switch (hex lid) (port (decimal out)) | None -> ());
          let rec owner = function
            | "portguid" :: id :: _ -> Option.iter (own (hex lid)) (Hashtbl.find_opt by_guid (guid id))
            | ["portguid"] -> fail "no GUID"
            | _ :: rest -> owner rest
            | [] -> () in
          if rest <> [] && String.contains line 'p' then begin
            owner rest;
            known.(hex lid) <- if same = hex lid then String.sub text last (stop - last) else ""
          end
        end
      | word :: _ -> check_that (not (starts "0x" word)) "no port"
      | [] -> ())

let read_sl2vl text =
  entries text (fun head line ->
      match words ~colons:true line, head with
      | switch :: come :: out :: vls, _ when starts "0x" switch ->
        let digits = List.concat_map (fun word -> List.map nibble (List.of_seq (Seq.filter_map (fun (i, c) -> if i < 2 then None else Some c)
            (String.to_seqi word)))) vls in
        Hashtbl.replace rows (guid switch, decimal come, decimal out) (Array.of_list digits)
      | come :: out :: vls, Some (switch, true) when not (starts "0x" come) ->
        Hashtbl.replace rows (switch, decimal come, decimal out) (Array.of_list (List.map (fun vl -> lane (decimal vl)) vls))
      | word :: _, Some (_, true) -> fail ("no row of VLs: " ^ word)
      | word :: _, _ -> check_that (not (starts "0x" word)) "no row of VLs"
      | [], _ -> ())

let read_sls text =
  listed := true;
  let pair head stop lid sl last _ = match head with
    | Some (id, _) when last = stop && lid < 0x10000 && sl < 16 -> set_byte sls id lid sl; true
    | _ -> false in
  entries ~pair text (fun head line ->
      let all = words ~colons:true line in
      let sl = lane (decimal (List.nth all (List.length all - 1))) in
      match all, head with
      | [source; lid; _], _ -> let lid = decimal lid in let id = guid source in if lid < 0x10000 then set_byte sls id lid sl
      | lid :: _, Some (id, _) -> let lid = hex lid in if lid < 0x10000 then set_byte sls id lid sl
      | lid :: _, None -> ignore (hex lid)
      | [], _ -> fail "an empty line")

let read_groups text =
  entries text (fun head line ->
      match words ~colons:true line with
      | mlid :: ports ->
        let mlid = hex mlid and ports = List.map (fun word -> port (hex word)) ports in
        if not (Hashtbl.mem trees mlid) then Hashtbl.add trees mlid (Hashtbl.create 64);
        let tree = Hashtbl.find trees mlid in
        Option.iter (fun (switch, _) ->
            let old = Option.value (Hashtbl.find_opt tree switch) ~default:[] in
            Hashtbl.replace tree switch (List.sort_uniq compare (ports @ old))) head
      | [] -> ())

(* JSON, as far as routes need it: other values are skipped. *)
type json = Text of string | List of json list | Object of (string * json) list | Other
let json text =
  let pos = ref 0 in
  let peek () = while !pos < String.length text && is_space text.[!pos] do incr pos done; text.[!pos] in
  let take c = check_that (peek () = c) "not JSON"; incr pos in
  let rec str () =
    take '"';
    let into = Buffer.create 32 in
    while text.[!pos] <> '"' do
      if text.[!pos] <> '\\' then Buffer.add_char into text.[!pos]
      else begin
        incr pos;
        match text.[!pos] with
        | 'u' -> Buffer.add_char into (Char.chr (hex (String.sub text (!pos + 1) 4))); pos := !pos + 4
        | 'n' -> Buffer.add_char into '\n' | 't' -> Buffer.add_char into '\t' | 'r' -> Buffer.add_char into '\r'
        | 'b' -> Buffer.add_char into '\b' | 'f' -> Buffer.add_char into '\x0c'
        | '"' | '\\' | '/' as c -> Buffer.add_char into c
        | _ -> fail "not JSON"
      end;
      incr pos
    done;
    incr pos;
    Buffer.contents into
  and list : 'a. char -> (unit -> 'a) -> 'a list = fun close item ->
    incr pos;
    if peek () = close then (incr pos; [])
    else begin
      let found = ref [item ()] in
      while peek () = ',' do incr pos; found := item () :: !found done;
      take close;
      List.rev !found
    end
  and value () = match peek () with
    | '"' -> Text (str ())
    | '[' -> List (list ']' value)
    | '{' -> Object (list '}' (fun () -> let key = (ignore (peek ()); str ()) in take ':'; (key, value ())))
    | _ ->
      let from = !pos in
      while !pos < String.length text && (is_word text.[!pos] || String.contains "+-." text.[!pos]) do incr pos done;
      check_that (!pos > from) "not JSON";
      Other in
  let found = value () in
  check_that (String.for_all is_space (String.sub text !pos (String.length text - !pos))) "not JSON";
  found

let read_network text = match json text with
  | Object members ->
    let rec last = function [] -> fail "no routes" | (name, value) :: rest -> if name = "routes" then value else last rest in
    let name = function Text name -> numbered channels name | _ -> fail "a channel without a name" in
    (match last (List.rev members) with
     | List all -> routes := List.map (function List route -> List.map name route | _ -> fail "no route") all
     | _ -> fail "no routes")
  | _ -> fail "no routes"

(* ---- Tables as the checker wants them: lookups in arrays, prepared before ---- *)

let rec balanced all from stop =
  if from >= stop then Leaf
  else let middle = (from + stop) / 2 in
    let s, p, v = all.(middle) in
    Node (balanced all from middle, s, p, v, balanced all (middle + 1) stop)

let nat n = let rec up n at = if n = 0 then at else up (n - 1) (S at) in up n O

let prove covers assumed (ranks : (int * int * int, int) Hashtbl.t) =
  let covers what = List.mem what covers in
  let given = List.filter_map (fun (key, all) -> if key = "lmc" then None else Some (key, List.map (fun word -> lane (decimal word)) all)) assumed in
  check_that (List.assoc_opt "group-sls" given <> Some []) "group-sls without an SL: no group would be checked";
  let first key default = match List.assoc_opt key given with Some (sl :: _) -> sl | Some [] -> fail key | None -> default in
  let host_sl = first "sl" (if !listed then 255 else 0) in
  let switch_sl = first "switch-sl" (if !listed then 255 else host_sl) in
  let ids = Array.of_seq (Hashtbl.to_seq_keys switches) in
  let index = Hashtbl.create 256 in
  Array.iteri (fun i id -> Hashtbl.replace index id i) ids;
  let n = Array.length ids in
  let width = 1 + Hashtbl.fold (fun (_, out) _ most -> max out most) peer (Hashtbl.fold (fun (_, come, out) _ most ->
      max (port come) (max (port out) most)) rows 0) in
  let small = Array.init 256 (fun i -> Some i) in
  let far = Array.make (n * width) None and rank = Array.make (n * width * 16) None in
  let vls = Bytes.init (n * width * width * 16) (fun i -> Char.chr (i land 15)) in    (* without a row, an SL has the VL of its number *)
  Hashtbl.iter (fun (node, out) (other, come) ->
      match Hashtbl.find_opt index node, Hashtbl.find_opt index other with
      | Some s, Some s' when out <> 0 -> far.(s * width + out) <- Some (s', come)
      | _ -> ()) peer;
  Hashtbl.iter (fun (node, out, vl) value ->
      match Hashtbl.find_opt index node with
      | Some s when out < width && vl < 16 -> rank.((s * width + out) * 16 + vl) <- Some value
      | _ -> ()) ranks;
  Hashtbl.iter (fun (node, come, out) row ->
      Option.iter (fun s ->
          for sl = 0 to 15 do
            Bytes.set vls (((s * width + come) * width + out) * 16 + sl) (if sl < Array.length row then Char.chr row.(sl) else '\xff')
          done) (Hashtbl.find_opt index node)) rows;
  let door at = match (if snd at = 0 then Some at else Hashtbl.find_opt peer at) with
    | Some (node, come) -> Option.map (fun s -> (s, come)) (Hashtbl.find_opt index node)
    | None -> None in
  let ends = Array.of_seq (Hashtbl.to_seq_keys end_guid) in
  let doors = Array.map door ends in
  let end_index = Hashtbl.create 256 in
  Array.iteri (fun i at -> Hashtbl.replace end_index at i) ends;
  let top_lid = Hashtbl.fold (fun lid _ top -> max lid top) owners 0 in
  let owner = Array.make (top_lid + 1) (-1) in
  Hashtbl.iter (fun lid at -> owner.(lid) <- Hashtbl.find end_index at) owners;
  let column = Array.make (top_lid + 1) Bytes.empty in
  let table = Array.map (fun id -> Option.value (Hashtbl.find_opt lfts id) ~default:Bytes.empty) ids in
  let lids = List.sort compare (List.of_seq (Hashtbl.to_seq_keys owners)) in
  List.iter (fun lid -> column.(lid) <- Bytes.init n (fun s -> if lid < Bytes.length table.(s) then Bytes.get table.(s) lid else '\xff')) lids;
  let listed_of id = Option.value (Hashtbl.find_opt sls id) ~default:Bytes.empty in
  let of_end = Array.map (fun at -> listed_of (Hashtbl.find end_guid at)) ends and of_node = Array.map (fun (node, _) -> listed_of node) ends in
  let look bytes lid = if lid < Bytes.length bytes then Char.code (Bytes.get bytes lid) else 255 in
  let is_port0 = Array.map (fun (_, number) -> number = 0) ends and enters = Array.map Option.is_some doors in
  let paths = ref 0 and covers_switches = covers "switches" in
  let path_sl e lid =
    let target = owner.(lid) in
    let with_switch = is_port0.(e) || is_port0.(target) in
    if e = target || not enters.(e) || (with_switch && not covers_switches) then None
    else begin
      let sl = look of_end.(e) lid in
      let sl = if sl <> 255 then sl else look of_node.(e) lid in
      let sl = if sl <> 255 then sl else if with_switch then switch_sl else host_sl in
      if sl = 255 then None else (incr paths; small.(sl))
    end in
  let sl2vl s come out sl =
    if come >= width || out >= width then sl
    else match Bytes.get vls (((s * width + come) * width + out) * 16 + sl) with
      | '\xff' -> fail "a row of SL2VL is too short"
      | vl -> Char.code vl in
  let far s out = if out < width then far.(s * width + out) else None in
  let lft lid s = match Bytes.get column.(lid) s with '\xff' -> None | out -> small.(Char.code out) in
  let mft mlid s = Option.value (Hashtbl.find_opt (Hashtbl.find trees mlid) ids.(s)) ~default:[] in
  let fabric = { far; lft; mft; sl2vl; ends = List.init (Array.length ends) Fun.id;
                 door = (fun e -> doors.(e)); lids; owner = (fun lid -> doors.(owner.(lid))); path_sl;
                 groups = if covers "groups" then List.of_seq (Hashtbl.to_seq_keys trees) else [];
                 group_sls = Option.value (List.assoc_opt "group-sls" given) ~default:[0] } in
  let claims mlid sl =
    let seen = Hashtbl.create 256 in
    let rec enter s come =
      List.iter (fun out ->
          let vl = sl2vl s come out sl in
          match far s out with
          | Some (s', come') when out <> come && vl <> 15 && not (Hashtbl.mem seen (s, out, vl)) -> Hashtbl.add seen (s, out, vl) (); enter s' come'
          | _ -> ()) (mft mlid s) in
    Array.iter (function Some (s, come) -> enter s come | None -> ()) doors;
    let all = Array.of_seq (Hashtbl.to_seq_keys seen) in
    Array.sort compare all;
    balanced all 0 (Array.length all) in
  let eqb (a : int) b = a = b and ltb (a : int) b = a < b in
  let verdict = check eqb ltb fabric 15 (fun s out vl -> rank.((s * width + out) * 16 + vl)) max_int (nat (n + 1)) claims in
  let name e = let node, at = ends.(e) in
    Printf.sprintf "%s port %d" (Hashtbl.fold (fun text id found -> if id = node then text else found) guids "?") at in
  match verdict with
  | Proof -> check_that (!paths > 0) "there is no path to prove anything of"; Ok !paths
  | NoPath (e, lid) -> Error (Printf.sprintf "packets from %s to LID %d: not all ranks rise, or they are lost" (name e) lid)
  | NoTree (mlid, sl) -> Error (Printf.sprintf "packets to MLID 0x%04x with SL %d: not all ranks rise" mlid sl)

let prove_routes (ranks : (int, int) Hashtbl.t) =
  check_that (!routes <> []) "there is no path to prove anything of";
  if check_routes (fun (a : int) b -> a < b) !routes (Hashtbl.find_opt ranks) max_int then Ok (List.length !routes)
  else Error "not all ranks rise along a route"

(* ---- The certificate ---- *)

let usual = [
  "links", ["opensm-subnet.lst"; "subnet.lst"; "osm-subnet.lst"; "ibdiagnet2.db_csv"; "ibdiagnet2.lst"];
  "tables", ["opensm-lfts.dump"; "opensm.fdbs"; "osm.fdbs"; "fdbs"; "ibdiagnet2.fdbs"];
  "sl2vl", ["opensm-sl2vl.dump"; "slvl"; "ibdiagnet2.slvl"];
  "sls", ["opensm-path-sl.dump"; "psl"];
  "groups", ["opensm.mcfdbs"; "osm.mcfdbs"; "mcfdbs"; "ibdiagnet2.mcfdbs"] ]

let order = List.map fst usual @ ["network"]

let chosen certificate arguments =
  let given, directories = List.partition (fun each -> String.contains each '=') arguments in
  let given = List.map (fun each -> let at = String.index each '=' in
    (String.sub each 0 at, String.sub each (at + 1) (String.length each - at - 1))) given in
  let directory = match directories with first :: _ -> first | [] -> Filename.dirname certificate in
  let found = List.filter_map (fun (role, names) ->
    Option.map (fun file -> (role, file)) (List.find_opt Sys.file_exists (List.map (Filename.concat directory) names))) usual in
  let last = List.fold_left (fun all (role, file) -> (role, file) :: List.remove_assoc role all) in
  if List.mem_assoc "network" given then last [] given else last found given

let content name =
  let file = open_in_bin name in
  let text = really_input_string file (in_channel_length file) in
  close_in file;
  text

let digest text =
  let from, into = Unix.open_process_args "/usr/bin/sha256sum" [| "sha256sum" |] in
  output_string into text;
  close_out into;
  let said = input_line from in
  check_that (Unix.close_process (from, into) = Unix.WEXITED 0) "sha256sum failed";
  String.sub said 0 64

let compares_digests = ref true
let main certificate arguments =
  let all = Array.of_list (lines (content certificate)) in
  let head = match List.find_opt (fun i -> starts "channels " all.(i)) (List.init (Array.length all) Fun.id) with
    | Some head -> head | None -> fail "no channels" in
  let said = List.init (head + 1) (fun i -> match words all.(i) with key :: rest -> (key, rest) | [] -> fail "an empty line") in
  let each key = List.filter_map (fun (other, rest) -> if other = key then Some rest else None) said in
  let count = match each "channels" with (word :: _) :: _ -> decimal word | _ -> fail "no number of channels" in
  check_that (all.(0) = "torus-sm certificate 1" && all.(Array.length all - 1) = "end" && Array.length all - head - 2 = count)
    (certificate ^ " is no whole certificate");
  let covers = match each "covers" with (_ :: _ as covers) :: _ -> covers | _ -> fail "it covers nothing" in
  let assumed = List.fold_left (fun all entry -> match entry with key :: rest -> (key, rest) :: List.remove_assoc key all | [] -> fail "no key")
      [] (each "assume") in
  let digests = List.map (function [role; _; digest] -> (role, digest) | _ -> fail "a line of a file has not three words") (each "file") in
  let files = chosen certificate arguments in
  let of_routes = covers = ["routes"] in
  check_that (of_routes || (List.hd covers = "hosts" && List.for_all (fun each -> List.mem each ["hosts"; "switches"; "groups"]) covers))
    ("it covers " ^ String.concat " " covers ^ ", which is nothing known");
  let roles table = List.sort_uniq compare (List.map fst table) in
  check_that (roles digests = roles files && List.for_all (fun role -> List.mem_assoc role files) (if of_routes then ["network"] else ["links"; "tables"])
              && (of_routes = (roles files = ["network"])))
    (Printf.sprintf "it is about %s, and the files that are here are %s" (String.concat " " (roles digests)) (String.concat " " (roles files)));
  let lmc = match List.assoc_opt "lmc" assumed with Some (word :: _) -> decimal word | Some [] -> fail "no LMC" | None -> 0 in
  List.iter (fun role ->
      match List.assoc_opt role files with
      | None -> ()
      | Some name ->
        let text = content name in
        let expected = snd (List.find (fun (other, _) -> other = role) (List.rev digests)) in
        check_that (not !compares_digests || digest text = expected) (name ^ " is not the file that the certificate is about");
        match role with
        | "links" -> read_links text lmc | "tables" -> read_tables text | "sl2vl" -> read_sl2vl text
        | "sls" -> read_sls text | "groups" -> read_groups text | _ -> read_network text) order;
  let rank word = if starts "-" word then (ignore (decimal (String.sub word 1 (String.length word - 1))); None) else Some (decimal word) in
  let named = Hashtbl.create 256 and ranks = Hashtbl.create 256 in
  for i = head + 1 to Array.length all - 2 do
    let line = all.(i) in
    let at = String.rindex line ' ' in
    let channel = String.sub line 0 at and value = rank (String.sub line (at + 1) (String.length line - at - 1)) in
    let set table key = match value with Some value -> Hashtbl.replace table key value | None -> Hashtbl.remove table key in
    if of_routes then set named (numbered channels channel)
    else match words channel with
      | [node; out; vl] -> set ranks (guid node, decimal out, decimal vl)
      | node :: more -> ignore (guid node); List.iter (fun word -> ignore (decimal word)) more
      | [] -> fail "no channel"
  done;
  match if of_routes then prove_routes named else prove covers assumed ranks with
  | Error text -> prerr_endline ("NO PROOF: " ^ text); exit 1
  | Ok paths ->
    List.iter (fun role -> Option.iter (Printf.printf "%s: %s\n" role) (List.assoc_opt role files)) order;
    List.iter (fun (key, values) -> Printf.printf "assumed: %s %s\n" key (String.concat " " values)) (List.rev assumed);
    Printf.printf "a proof: %d paths, %d channels: %s\n" paths count (String.concat " " covers)

let run certificate arguments =
  try main certificate arguments with
  | bad -> prerr_endline ("cannot check: " ^ (match bad with Failure text -> text | bad -> Printexc.to_string bad)); exit 2

(* For compare.py: a certificate from each line, with the files beside it, in a process of its own. Prints its exit code. Digests are not
   compared, since sha256sum takes ten times as long as all else. *)
let run_each () =
  compares_digests := false;
  let answers = Unix.out_channel_of_descr (Unix.dup Unix.stdout) and nothing = Unix.openfile "/dev/null" [Unix.O_WRONLY] 0 in
  Unix.dup2 nothing Unix.stdout;
  Unix.dup2 nothing Unix.stderr;
  try
    while true do
      let certificate = input_line stdin in
      match Unix.fork () with
      | 0 -> run certificate []; exit 0
      | child ->
        let code = match snd (Unix.waitpid [] child) with Unix.WEXITED code -> string_of_int code | _ -> "killed" in
        Printf.fprintf answers "%s\n%!" code
    done
  with End_of_file -> ()

let () =
  match Array.to_list Sys.argv with
  | [_; "--each"] -> run_each ()
  | _ :: certificate :: arguments -> run certificate arguments
  | _ -> prerr_endline "usage: verify-certificate CERTIFICATE [DIRECTORY] [ROLE=FILE ...]"; exit 2
