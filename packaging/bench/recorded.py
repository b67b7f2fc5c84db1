#!/usr/bin/env python3
"""Writes recorded tables of OpenSM 3.3.23 as ibdmchk and torus-sm prove read them: subnet.lst, fdbs, psl, mcfdbs, lmc.

usage: recorded.py torus DIRECTORY OUT        a directory of routing-torus2qos/src/test/resources/golden
       recorded.py engine FILE CASE OUT       a case of sm-core/src/test/resources/engines/*.txt.gz, its first state
       recorded.py cases FILE                 the names of the cases
SL2VL tables were not recorded: of engines they are those of eight VLs, of a torus what torus-sm dumps (opensm-sl2vl.dump).
"""
import gzip
import os
import re
import sys


class Fabric:
    def __init__(self):
        self.nodes, self.cables = {}, {}              # GUID -> (is a switch, ports, name); (GUID, port) -> the same of the other end
        self.ends, self.lmc = {}, 0                   # (GUID, port) -> (port GUID, base LID); the highest LMC
        self.lfts, self.sls, self.groups = {}, {}, {}  # GUID -> ports by LID; end -> SL by LID; GUID -> ports

    def side(self, guid, port):
        is_switch, ports, name = self.nodes[guid]
        port_guid, lid = self.ends.get((guid, 0 if is_switch else port), (guid, 0))
        return ("{ %s Ports:%02X SystemGUID:%016x NodeGUID:%016x PortGUID:%016x VenID:000000 DevID:0000 Rev:00000000 {%s} LID:%04X PN:%02X }"
                % ("SW" if is_switch else "CA", ports, guid, guid, port_guid, name, lid, port))

    def write(self, out):
        os.makedirs(out, exist_ok=True)
        files = {name: open(os.path.join(out, name), "w") for name in ("subnet.lst", "fdbs", "psl", "mcfdbs", "lmc")}
        for end, far in sorted(self.cables.items()):
            files["subnet.lst"].write("%s %s PHY=4x LOG=ACT SPD=10\n" % (self.side(*end), self.side(*far)))
        for guid, ports in sorted(self.lfts.items()):
            files["fdbs"].write("dump_ucast_routes: Switch 0x%016x\nLID    : Port : Hops : Optimal\n" % guid)
            for lid, port in enumerate(ports):
                if lid:
                    entry = "UNREACHABLE" if port == 255 else "%03d  : 00   : yes" % port
                    files["fdbs"].write("0x%04X : %s\n" % (lid, entry))
        for end, sls in sorted(self.sls.items()):
            files["psl"].write('Channel Adapter 0x%016x, base LID %d, "%s"\n' % (*self.ends[end], self.nodes[end[0]][2]))
            for lid, sl in enumerate(sls):
                if sl is not None:
                    files["psl"].write("0x%04x : %d\n" % (lid, sl))
        for guid, ports in sorted(self.groups.items()):
            files["mcfdbs"].write("Switch 0x%016x\nLID    : Out Port(s)\n0xC000 :%s\n" % (guid, "".join(" 0x%03X" % port for port in ports)))
        files["lmc"].write("%d\n" % self.lmc)
        for name, file in files.items():
            file.close()
            if not os.path.getsize(file.name):
                os.remove(file.name)


def torus(source):
    fabric, guid = Fabric(), None
    unpack = lambda name: gzip.open(os.path.join(source, name)).read()
    for line in unpack("fabric.topo.gz").decode().splitlines():
        node = re.match(r'(Switch|Ca)\s+(\d+)\s+"[SH]-([0-9a-f]+)"\s*# "(.*?)"', line)
        cable = re.match(r'\[(\d+)\]\S*\s+"[SH]-([0-9a-f]+)"\[(\d+)\]', line)
        if node:
            guid = int(node.group(3), 16)
            fabric.nodes[guid] = node.group(1) == "Switch", int(node.group(2)), node.group(4).replace(" ", "_")
        elif cable:
            fabric.cables[guid, int(cable.group(1))] = int(cable.group(2), 16), int(cable.group(3))
    lids = [line.split() for line in unpack("lids.gz").decode().splitlines()]
    for node, port, lid, lmc in lids:
        node, port, lid, lmc = int(node, 16), int(port), int(lid), int(lmc)
        fabric.ends[node, port] = node if fabric.nodes[node][0] else node + port, lid
        fabric.lmc = max(fabric.lmc, lmc)
    lft, sls = unpack("lft.gz"), unpack("sl.gz")
    switches = sorted(guid for guid, port in fabric.ends if port == 0)
    row = len(lft) // len(switches)
    for at, switch in enumerate(switches):
        fabric.lfts[switch] = lft[at * row:(at + 1) * row]
    for end, (_, lid) in fabric.ends.items():
        if end[1]:
            fabric.sls[end] = [None if sl == 255 else sl for sl in sls[lid * row:(lid + 1) * row]]
    if os.path.exists(os.path.join(source, "mft.gz")):
        masks = unpack("mft.gz")
        for at, switch in enumerate(switches):
            mask = int.from_bytes(masks[32 * at:32 * (at + 1)], "little")
            fabric.groups[switch] = [port for port in range(256) if mask >> port & 1]
    return fabric


def engine(source, case):
    fabric, order, is_case, state = Fabric(), [], False, ""
    for line in gzip.open(source, "rt"):
        words = line.split()
        if words and words[0] == "case":
            is_case, state = words[1] == case, ""
        elif is_case and words and words[0] == "state":
            state = words[1]
        elif is_case and state == "0" and words:
            if words[0] in "SH":
                guid = int(words[1], 16)
                order.append(guid)
                fabric.nodes[guid] = words[0] == "S", int(words[2]), "node-%d" % (len(order) - 1)
                for port, port_guid, lid, lmc in (end.split(":") for end in words[4:]):
                    fabric.ends[guid, int(port)] = int(port_guid, 16) if port_guid else guid, int(lid)
                    fabric.lmc = max(fabric.lmc, int(lmc))
            elif words[0] == "L":
                one, port, other, far = order[int(words[1])], int(words[2]), order[int(words[3])], int(words[4])
                fabric.cables[one, port], fabric.cables[other, far] = (other, far), (one, port)
            elif words[0] == "T":
                fabric.lfts[order[int(words[1])]] = [255] + [255 if entry == "-" else ord(entry) - 48 for entry in words[2]]
            elif words[0] == "P":
                for end in fabric.ends:
                    if end in fabric.cables and end[1] and fabric.cables[end][0] == order[int(words[1])]:
                        fabric.sls[end] = [None] + [None if sl == "-" else int(sl, 16) for sl in words[2]]
    return fabric


def main(kind, source, *rest):
    if kind == "cases":
        print("\n".join(line.split()[1] for line in gzip.open(source, "rt") if line.startswith("case ")))
    elif kind == "torus":
        torus(source).write(rest[0])
    else:
        fabric = engine(source, rest[0])
        fabric.write(rest[1])
        with open(os.path.join(rest[1], "slvl"), "w") as rows:
            for guid, (is_switch, ports, _) in sorted(fabric.nodes.items()):
                for way in range((ports + 1) * ports if is_switch else 0):
                    rows.write("0x%016x %d %d%s\n" % (guid, way // ports, way % ports + 1, 2 * " 0x01 0x23 0x45 0x67"))


if __name__ == "__main__":
    main(*sys.argv[1:])
