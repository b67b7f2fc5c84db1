#!/usr/bin/python3
"""Checks a certificate of torus-sm against the tables of a fabric, and against nothing else.

usage: verify-certificate.py CERTIFICATE [DIRECTORY] [ROLE=FILE ...]
The caller chooses the files: those with usual names in DIRECTORY (else beside the certificate), or given by their role: links, tables,
sl2vl, sls, groups; network for a network of routes. The certificate must name the same roles, with the digests of these files.
A certificate gives a rank to every channel: a VL of a cable between switches in one direction. This program walks the path of every
packet, hop by hop, as the forwarding, SL2VL and multicast tables say, and is content if every packet arrives, every channel has a
rank, and ranks rise along every path. How they were found is of no interest. Exit codes: 0 a proof, 1 no proof, 2 unusable files.
"""
import csv
import hashlib
import json
import os
import re
import sys
from collections import defaultdict

SIDE = re.compile(r"\{\s*(CA|SW|R\w+)(?:-SM)?\s.*?NodeGUID:(\w+)\s+PortGUID:(\w+)\s.*?\{.*?\}\s+LID:(\w+)\s+PN:(\w+)\s*\}")
HEAD = re.compile(r"(?:guid |Switch |Adapter |Router )0x([0-9a-fA-F]+)")
DROP, IDENTITY = 15, list(range(16))                  # VL15 discards; without a row, an SL has the VL of its number
USUAL = {"links": "opensm-subnet.lst subnet.lst osm-subnet.lst ibdiagnet2.db_csv ibdiagnet2.lst",
         "tables": "opensm-lfts.dump opensm.fdbs osm.fdbs fdbs ibdiagnet2.fdbs", "sl2vl": "opensm-sl2vl.dump slvl ibdiagnet2.slvl",
         "sls": "opensm-path-sl.dump psl", "groups": "opensm.mcfdbs osm.mcfdbs mcfdbs ibdiagnet2.mcfdbs"}
NoProof = type("NoProof", (Exception,), {})


def within(number, most, what):
    if not 0 <= number <= most:
        raise ValueError("%s is %d, and 0 to %d is possible" % (what, number, most))
    return number


def entries(lines):
    """The words of lines that begin with a digit, with the GUID of the section that they are in and whether it is a switch's."""
    head = of_switch = None
    for line in lines:
        if line[:1].isdigit():
            yield head, of_switch, line.replace(":", " ").split()
        elif HEAD.search(line):
            head, of_switch = int(HEAD.search(line).group(1), 16), not line.startswith(("Channel", "Router"))


class Fabric:
    def __init__(self):
        self.switches, self.peer = set(), {}          # node GUIDs; (node GUID, port) -> the same of the other end
        self.end, self.owner = {}, {}                 # (node GUID, port) of an end port -> port GUID; LID -> end port
        self.lft = defaultdict(dict)                  # switch -> LID -> port
        self.rows, self.sls = {}, {}                  # (switch, in, out) -> VL by SL; (node or port GUID, LID) -> SL
        self.groups, self.routes, self.listed = defaultdict(dict), [], False    # MLID -> switch -> ports; whether SLs are given

    def add(self, is_switch, node, port, guid, lid, lmc=0):
        self.switches.update([node] if is_switch else [])
        within(lid + (1 << within(lmc, 7, "an LMC")) - 1, 0xbfff, "a LID")
        self.end[end := (node, 0 if is_switch else port)] = node if is_switch else guid
        for each in range(lid, lid + (1 << lmc)) if lid else ():
            self.once(self.owner, each, end)

    def once(self, table, key, value):                # else the paths to one of two owners of a LID would not be checked
        if table.setdefault(key, value) != value:
            raise ValueError("%s belongs to %s and to %s" % (key, table[key], value))

    def cable(self, one, port, other, far):
        self.once(self.peer, (one, port), (other, far))
        self.once(self.peer, (other, far), (one, port))

    def read_links(self, lines, lmc):
        if lines[0].startswith("{"):
            for sides in map(SIDE.findall, filter(None, lines)):
                for kind, node, guid, lid, port in sides:
                    self.add(kind == "SW", *(int(number, 16) for number in (node, port, guid, lid)))
                self.cable(*(int(side[i], 16) for side in sides for i in (1, 4)))
        for name, body in re.findall(r"START_(NODES|PORTS|LINKS)\n(.*?)END_", "\n".join(lines), re.S):
            for row in csv.DictReader(body.splitlines()):
                row = {key.strip().upper(): int(cell, 16 if "x" in cell else 10) for key, cell in row.items()
                       if re.fullmatch(r"0x[0-9a-fA-F]+|\d+", cell)}
                if name == "NODES":
                    self.switches.update([row["NODEGUID"]] if row["NODETYPE"] == 2 else [])
                elif name == "PORTS":
                    node, lid, lmc = row["NODEGUID"], row.get("LID", 0), row.get("LMC", 0)
                    self.add(node in self.switches, node, row["PORTNUM"], row["PORTGUID"], lid, 0 if node in self.switches else lmc)
                else:
                    self.cable(*(row[key] for key in ("NODEGUID1", "PORTNUM1", "NODEGUID2", "PORTNUM2")))
        within(lmc, 7, "the LMC")
        for lid, end in sorted(self.owner.items()):   # the given LMC, if the further LIDs belong to no other port
            more = range(lid, lid + (1 << lmc))
            if lid % (1 << lmc) == 0 and all(self.owner.get(each, end) == end for each in more):
                self.owner.update((each, end) for each in more)

    def read_tables(self, lines, _):
        by_guid = {guid: end for end, guid in self.end.items()}
        for switch, _, words in entries(lines):
            if words[0].startswith("0x") and words[1] not in ("UNREACHABLE", "255") and int(words[0], 16) < 0xc000:
                self.lft[switch][int(words[0], 16)] = int(words[1])
                end = by_guid.get(int(words[words.index("portguid") + 1], 16)) if "portguid" in words else None
                self.once(self.owner, int(words[0], 16), end) if end else None

    def read_sl2vl(self, lines, _):
        for head, of_switch, words in entries(lines):
            if words[0].startswith("0x"):             # a byte has the VLs of two SLs
                self.rows[int(words[0], 16), int(words[1]), int(words[2])] = [within(int(vl, 16), 15, "a VL") for word in words[3:] for vl in word[2:]]
            elif of_switch:
                self.rows[(head, *map(int, words[:2]))] = [within(int(vl), 15, "a VL") for vl in words[2:]]

    def read_sls(self, lines, _):
        self.listed = True
        for head, _, words in entries(lines):
            source, lid = (int(words[0], 16), int(words[1])) if len(words) == 3 else (head, int(words[0], 16))
            self.sls[source, lid] = within(int(words[-1]), 15, "an SL")

    def read_groups(self, lines, _):
        for switch, _, words in entries(lines):
            self.groups[int(words[0], 16)].setdefault(switch, set()).update(int(port, 16) for port in words[1:])

    def read_network(self, lines, _):
        self.routes = json.loads("\n".join(lines))["routes"]


class Verifier:
    def __init__(self, fabric, covers, ranks, assumed):
        self.f, self.covers, self.ranks = fabric, covers, ranks
        given = {key: [within(int(word), 15, key) for word in words] for key, words in assumed.items() if key != "lmc"}
        self.host_sl = given["sl"][0] if "sl" in given else None if fabric.listed else 0
        self.switch_sl = given["switch-sl"][0] if "switch-sl" in given else None if fabric.listed else self.host_sl
        self.group_sls, self.paths, self.hops = given.get("group-sls", [0]), 0, 0
        if not self.group_sls:
            raise ValueError("group-sls without an SL: no group would be checked")

    def sl(self, end, lid):
        default = self.switch_sl if 0 in (end[1], self.f.owner[lid][1]) else self.host_sl
        return self.f.sls.get((self.f.end[end], lid), self.f.sls.get((end[0], lid), default))

    def door(self, end):                              # the switch and port by which packets of an end port come in
        at = end if end[1] == 0 else self.f.peer.get(end)
        return at if at and at[0] in self.f.switches else (None, 0)

    def hop(self, switch, come, out, sl):             # the VL, and the switch and port at the other end, if there is one
        to = self.f.peer.get((switch, out)) if out else None
        return self.f.rows.get((switch, come, out), IDENTITY)[sl], to if to and to[0] in self.f.switches else None

    def rank(self, channel, before):
        self.hops += 1
        if not self.ranks.get(channel, -1) > before:
            raise NoProof("channel %s has rank %s after %s" % (channel, self.ranks.get(channel), before))
        return self.ranks[channel]

    def unicast(self):
        for lid, target in self.f.owner.items():
            rest = {}                                 # (switch, port in), SL -> rank of the first channel from there on
            for end in self.f.end if self.door(target)[0] else ():
                covered = "switches" in self.covers or end[1] != 0 and target[1] != 0
                sl = self.sl(end, lid) if covered and end != target and self.door(end)[0] else None
                if sl is not None:
                    self.paths += 1
                    self.walk(lid, self.door(target), self.door(end), sl, rest)

    def walk(self, lid, target, at, sl, rest):        # where a path meets another one of its SL, it goes on as that did
        trail, before = [], -1
        while (at, sl) not in rest:
            out = self.f.lft[at[0]].get(lid)
            vl, to = self.hop(*at, out, sl)
            if vl == DROP or len(trail) > len(self.f.switches) or not to and (at[0], out) != target:
                raise NoProof("packets to LID %d with SL %d are lost at %x" % (lid, sl, at[0]))
            if (at[0], out) == target:
                rest[at, sl] = 1 << 60                # it is delivered, and needs no channel any more
                break
            trail.append((at, self.rank((at[0], out, vl), before)))
            at, before = to, trail[-1][1]
        if rest[at, sl] <= before:
            raise NoProof("rank %d after %d on a path to LID %d with SL %d" % (rest[at, sl], before, lid, sl))
        rest.update(((where, sl), first) for where, first in trail)

    def multicast(self):                              # from all end ports at switches with an entry, out of all its ports but that of entry
        for ports, sl in ((ports, sl) for ports in self.f.groups.values() for sl in self.group_sls):
            seen, todo = set(), [(self.door(end), -1) for end in self.f.end if self.door(end)[0] in ports]
            while todo:
                (switch, come), before = todo.pop()
                for out in ports.get(switch, set()) - {come}:
                    vl, to = self.hop(switch, come, out, sl)
                    if to and vl != DROP:
                        following = [(to, self.rank((switch, out, vl), before))]
                        todo += following if (switch, out, vl) not in seen else []
                        seen.add((switch, out, vl))


def chosen(certificate, arguments):                   # role -> file, by what the caller says and what is there
    directories = [each for each in arguments if "=" not in each] or [os.path.dirname(certificate)]
    files = {role: os.path.join(directories[0], name) for role, names in USUAL.items() for name in reversed(names.split())
             if os.path.exists(os.path.join(directories[0], name))}
    given = dict(each.split("=", 1) for each in arguments if "=" in each)
    return given if "network" in given else {**files, **given}


def main(certificate, *arguments):
    fabric, ranks, words = Fabric(), {}, defaultdict(list)
    lines = open(certificate, encoding="latin-1").read().splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("channels "))
    for line in lines[:head + 1]:
        words[line.split()[0]].append(line.split()[1:])
    if lines[0] != "torus-sm certificate 1" or lines[-1] != "end" or len(lines) - head - 2 != int(words["channels"][0][0]):
        raise ValueError("%s is no whole certificate" % certificate)
    covers, assumed, files = words["covers"][0], {key: values for key, *values in words["assume"]}, chosen(certificate, arguments)
    digests = {role: digest for role, _, digest in words["file"]}
    if covers != ["routes"] and (covers[0] != "hosts" or not {*covers} <= {"hosts", "switches", "groups"}):
        raise ValueError("it covers %s, which is nothing known" % " ".join(covers))
    if digests.keys() != files.keys() or not {*files} >= ({"network"} if covers == ["routes"] else {"links", "tables"}):
        raise ValueError("it is about %s, and the files that are here are %s" % (sorted(digests), sorted(files) or "none"))
    for role, name in sorted(files.items(), key=lambda each: [*USUAL, "network"].index(each[0])):
        with open(name, "rb") as file:
            content = file.read()
        if hashlib.sha256(content).hexdigest() != digests[role]:
            raise ValueError("%s is not the file that the certificate is about" % name)
        getattr(fabric, "read_" + role)(content.decode("latin-1").splitlines(), int(assumed.get("lmc", ["0"])[0]))
    for line in lines[head + 1:-1]:
        channel, _, rank = line.rpartition(" ")
        guid, *more = channel.split()
        ranks[channel if covers == ["routes"] else (int(guid, 16), *map(int, more))] = int(rank)
    verifier = Verifier(fabric, covers, ranks, assumed)
    for route in fabric.routes:
        for before, channel in zip([None] + route, route):
            verifier.rank(channel, ranks.get(before, -1))
    verifier.unicast()
    verifier.multicast() if "groups" in covers else None
    if not verifier.paths and not fabric.routes:
        raise ValueError("there is no path to prove anything of")
    for role, name in files.items():
        print("%s: %s" % (role, name))
    for key, values in assumed.items():
        print("assumed: %s %s" % (key, " ".join(values)))
    print("a proof: %d paths, %d hops, %d channels: %s" % (verifier.paths, verifier.hops, len(ranks), " ".join(covers)))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except NoProof as wrong:
        sys.exit("NO PROOF: %s" % wrong)
    except (AttributeError, LookupError, OSError, StopIteration, TypeError, ValueError) as bad:
        print("cannot check: %s: %s" % (type(bad).__name__, bad), file=sys.stderr)
        sys.exit(2)
