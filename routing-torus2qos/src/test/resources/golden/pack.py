#!/usr/bin/env python3
"""Packs what the reference SM did on a fabric into the compact form that README.md describes.

    pack.py RECORDING TARGET

RECORDING holds fabric.topo, torus-2QoS.conf and, if the fabric was routed, lft.tsv.gz, paths.tsv.gz and ports.tsv.gz,
and, if all hosts were joined to a multicast group then, mcfdbs (as ibdiagnet writes it, here read from the switches).
"""
import gzip
import os
import sys

MLID = "0xC000"


def rows(path):
    with gzip.open(path, "rt") as table:
        return [line.rstrip("\n").split("\t") for line in table if not line.startswith("#")]


def write(path, data):
    with open(path, "wb") as file:
        file.write(gzip.compress(data, 9, mtime=0))


def main(source, target):
    os.makedirs(target, exist_ok=True)
    with open(os.path.join(source, "fabric.topo"), "rb") as topology:
        write(os.path.join(target, "fabric.topo.gz"), topology.read())
    with open(os.path.join(source, "torus-2QoS.conf"), "rb") as conf:
        text = conf.read()
    with open(os.path.join(target, "torus-2QoS.conf"), "wb") as conf:
        conf.write(text)
    if not os.path.exists(os.path.join(source, "lft.tsv.gz")):
        return
    # a LID and LMC for every end port: port 0 of switches, ports of channel adapters
    lids = {}
    guid_of_port = {}
    for row in rows(os.path.join(source, "ports.tsv.gz")):
        guid, port, kind, lid, lmc = int(row[0], 16), int(row[1]), row[2], int(row[3]), int(row[4])
        if lid and (kind != "SW" or port == 0) and (kind == "CA" or port == 0):
            lids[(guid, port)] = (lid, lmc)
    top = max(lid + (1 << lmc) - 1 for lid, lmc in lids.values())
    text = "".join(f"{guid:x} {port} {lid} {lmc}\n" for (guid, port), (lid, lmc) in sorted(lids.items()))
    write(os.path.join(target, "lids.gz"), text.encode())
    # forwarding tables: one row of top + 1 bytes for each switch, in ascending order of GUIDs
    tables = {guid: bytearray(b"\xff" * (top + 1)) for guid, port in lids if port == 0}
    for guid, lid, port in rows(os.path.join(source, "lft.tsv.gz")):
        tables.setdefault(int(guid, 16), bytearray(b"\xff" * (top + 1)))[int(lid)] = int(port)
    write(os.path.join(target, "lft.gz"), b"".join(bytes(tables[guid]) for guid in sorted(tables)))
    # path SLs: top + 1 rows of top + 1 bytes, 0xff where no path was asked for
    sls = bytearray(b"\xff" * (top + 1) ** 2)
    for row in rows(os.path.join(source, "paths.tsv.gz")):
        sls[int(row[2]) * (top + 1) + int(row[3])] = int(row[4])
    write(os.path.join(target, "sl.gz"), bytes(sls))
    multicast(os.path.join(source, "mcfdbs"), sorted(tables), os.path.join(target, "mft.gz"))


def multicast(source, switches, target):
    """The entries of one MLID: 32 bytes for each switch in ascending order of GUIDs, bit n % 8 of byte n / 8 for port n."""
    if not os.path.exists(source):
        return
    masks = dict.fromkeys(switches, 0)
    with open(source, "r") as dump:
        for line in dump:
            words = line.split()
            if words[0] == "Switch":
                guid = int(words[1], 16)
            elif words[0] == MLID:
                masks[guid] = sum(1 << int(port, 16) for port in words[2:])
    write(target, b"".join(masks[guid].to_bytes(32, "little") for guid in switches))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
