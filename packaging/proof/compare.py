#!/usr/bin/python3
"""Compares three checkers of certificates on random small fabrics: packaging/proof/target/verify-certificate, verify-certificate.py, and
FabricProof.check of torus-sm (by CheckLoop of the tests, if its class path is given). Most certificates or tables are changed in one
place. Prints counts of verdicts, and the seed of every case on which they differ. A campaign may continue from any seed.
"""
import argparse
import collections
import contextlib
import hashlib
import importlib.util
import io
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
PROVED = os.path.join(HERE, "target", "verify-certificate")
FILES = {"links": "subnet.lst", "tables": "fdbs", "sl2vl": "slvl", "sls": "psl", "groups": "mcfdbs"}
BATCH, REPORT = 200, 10000                                # cases for each checker at a time; cases between two reports


class Fabric:
    """A connected graph of switches with hosts, and tables that are mostly shortest paths."""

    def __init__(self, rng):
        self.rng, n = rng, rng.choice([2, 2, 2, 3, 3, 3, 4, 4, 5, 6])
        self.cables, self.free = {}, [1] * n              # (switch, port) -> the other end; next free port
        for s in range(1, n):
            self.connect(s, rng.randrange(s))
        for _ in range(rng.randint(0, n)):
            self.connect(*rng.sample(range(n), 2))
        self.ends = [(s, 0) for s in range(n)]            # by LID - 1: switch and port of entry
        for s in range(n):
            for _ in range(rng.choice([0, 1, 1, 2])):
                self.ends.append((s, self.free[s]))
                self.free[s] += 1
        self.n, wild = n, rng.choice([0, 0, 0.02, 0.1])
        self.far = [self.distances(s) for s in range(n)]
        self.lft = {(s, lid): self.toward(s, lid, wild) for s in range(n) for lid in range(1, len(self.ends) + 1)}
        vls, odd, lost = rng.randint(1, 3), rng.choice([0, 0.1, 1]), rng.choice([0, 0, 0, 0.01])
        self.rows = {(s, i, o): [15 if rng.random() < lost else rng.randrange(vls) if rng.random() < odd else sl % vls for sl in range(16)]
                     for s in range(n) for i in range(self.free[s]) for o in range(self.free[s])}
        sls = rng.randint(1, 3)
        self.sls = {(e, lid): rng.randrange(sls) for e in range(len(self.ends)) for lid in range(1, len(self.ends) + 1) if rng.random() < 0.98}
        self.group = self.tree(rng.choice([0, 0, 0.1])) if rng.random() < 0.5 else {}

    def connect(self, a, b):
        self.cables[a, self.free[a]], self.cables[b, self.free[b]] = (b, self.free[b]), (a, self.free[a])
        self.free[a] += 1
        self.free[b] += 1

    def distances(self, to):
        far, todo = {to: 0}, [to]
        for s in todo:
            for (a, _), (b, _) in self.cables.items():
                if a == s and b not in far:
                    far[b] = far[s] + 1
                    todo.append(b)
        return far

    def toward(self, s, lid, wild):
        to, port = self.ends[lid - 1]
        if self.rng.random() < wild:
            return self.rng.choice(list(range(self.free[s])) + [255])
        far = self.far[to]
        return port if s == to else self.rng.choice([p for (a, p), (b, _) in self.cables.items() if a == s and far[b] < far[s]])

    def tree(self, wild):
        ports, seen = collections.defaultdict(set), {0}
        for s, p in self.ends:
            ports[s].update([p] if p else [])
        for (a, p), (b, q) in sorted(self.cables.items(), key=lambda _: self.rng.random()):
            if self.rng.random() < wild:
                ports[a].add(p)
        todo = [0]
        for s in todo:
            for (a, p), (b, q) in self.cables.items():
                if a == s and b not in seen:
                    seen.add(b)
                    todo.append(b)
                    ports[a].add(p)
                    ports[b].add(q)
        return ports

    def name(self, at):                                   # a side of a line of the links
        s, p = at
        e = self.ends.index(at) if at in self.ends and p else None
        kind, guid, lid, port = ("SW", 16 + s, s + 1, p) if e is None else ("CA", 1024 + e, e + 1, 1)
        return "{ %s Ports:%02X SystemGUID:%016x NodeGUID:%016x PortGUID:%016x VenID:000000 DevID:0000 Rev:00000000 {n%d} LID:%04X PN:%02X } " % (
            kind, 36, guid, guid, guid + (4096 if kind == "CA" else 0), guid, lid, port)

    def side(self, s, p):
        return "{ SW Ports:24 SystemGUID:%016x NodeGUID:%016x PortGUID:%016x VenID:000000 DevID:0000 Rev:00000000 {n} LID:%04X PN:%02X } " % (
            16 + s, 16 + s, 16 + s, s + 1, p)

    def words(self, lid, with_guids):                     # behind an entry: nothing of interest, or the end port, rarely a wrong one
        if not with_guids or self.rng.random() < 0.1:
            return "00   : yes"
        e = lid - 1 if self.rng.random() < 0.99 else self.rng.randrange(len(self.ends))
        return "(Channel Adapter portguid 0x%x: 'n')" % (1024 + e if self.ends[e][1] else 16 + self.ends[e][0])

    def files(self, with_groups):
        with_guids = self.rng.random() < 0.5
        tail = "PHY=4x LOG=ACT SPD=10\n"
        texts = {"links": "".join(self.side(*a) + self.side(*b) + tail for a, b in self.cables.items())
                 + "".join(self.side(*at) + self.name(at) + tail for at in self.ends if at[1])}
        tables, rows, sls = [], [], []
        for s in range(self.n):
            tables.append("osm_ucast_mgr_dump_ucast_routes: Switch 0x%016x\n" % (16 + s))
            for lid in range(1, len(self.ends) + 1):
                out = self.lft[s, lid]
                tables.append("0x%04x : %s\n" % (lid, "UNREACHABLE" if out == 255 else "%03d  : %s" % (out, self.words(lid, with_guids))))
        for (s, i, o), vls in self.rows.items():
            rows.append("0x%016x %d %d %s\n" % (16 + s, i, o, " ".join("0x%x%x" % pair for pair in zip(vls[::2], vls[1::2]))))
        for (e, lid), sl in self.sls.items():
            sls.append("0x%016x %d %d\n" % (1024 + e if self.ends[e][1] else 16 + self.ends[e][0], lid, sl))
        texts.update(tables="".join(tables), sl2vl="".join(rows), sls="".join(sls))
        if with_groups:
            texts["groups"] = "".join("Switch 0x%016x\n0xc000 : %s\n" % (16 + s, " ".join("0x%03x" % p for p in sorted(ports)))
                                      for s, ports in sorted(self.group.items()))
        return texts

    def has_path(self, covers):                           # whether a certificate is about any packet to a LID
        return any(e != lid - 1 and ("switches" in covers or self.ends[e][1] and self.ends[lid - 1][1]) for e, lid in self.sls)

    def waits(self, covers):                              # channel -> those that its packets may wait for
        after = collections.defaultdict(set)

        def hop(before, s, i, o, sl):
            vl = self.rows[s, i, o][sl] if (s, i, o) in self.rows else sl
            if vl == 15 or (s, o) not in self.cables:
                return None
            after[s, o, vl]
            if before:
                after[before].add((s, o, vl))
            return s, o, vl
        for (e, lid), sl in self.sls.items():
            if "switches" in covers or self.ends[e][1] and self.ends[lid - 1][1]:
                (s, i), before = self.ends[e], None
                for _ in range(self.n + 1):
                    before = None if self.lft[s, lid] == 255 or e == lid - 1 else hop(before, s, i, self.lft[s, lid], sl)
                    if not before:
                        break
                    s, i = self.cables[before[:2]]
        if "groups" in covers:
            todo, seen = [(at, None) for at in self.ends], set()
            while todo:
                (s, i), before = todo.pop()
                if ((s, i), before) not in seen:
                    seen.add(((s, i), before))
                    todo += [(self.cables[c[:2]], c) for o in self.group.get(s, ()) if o != i for c in [hop(before, s, i, o, 0)] if c]
        return after


def ranks_of(after):                                      # rising where there is no cycle
    ranks, done = {}, set()

    def visit(c):
        if c not in done:
            done.add(c)
            ranks[c] = 1 + max([visit(d) for d in after[c]], default=0)
        return ranks.get(c, 0)
    for c in list(after):
        visit(c)
    top = max(ranks.values(), default=0)
    return {c: top - rank for c, rank in ranks.items()}


def change(fabric, ranks, rng):
    kind = rng.choice(["none", "rank", "channel", "entry", "row", "sl"])
    if kind in ("rank", "channel") and ranks:
        c = rng.choice(sorted(ranks))
        ranks.pop(c) if kind == "channel" else ranks.update({c: rng.randint(0, max(ranks.values()) + 1)})
    elif kind == "entry":
        fabric.lft[rng.choice(sorted(fabric.lft))] = rng.choice([0, 1, 2, 3, 255])
    elif kind == "row":
        fabric.rows[rng.choice(sorted(fabric.rows))] = [rng.randrange(3) for _ in range(16)]
    elif kind == "sl" and fabric.sls:
        fabric.sls[rng.choice(sorted(fabric.sls))] = rng.randrange(3)
    return kind


def write(at, fabric, ranks, covers):
    lines = ["torus-sm certificate 1", "made-by compare", "covers " + " ".join(covers)]
    for role, text in fabric.files("groups" in covers).items():
        with open(os.path.join(at, FILES[role]), "w") as file:
            file.write(text)
        lines.append("file %s %s %s" % (role, FILES[role], hashlib.sha256(text.encode()).hexdigest()))
    lines += ["channels %d" % len(ranks)] + ["0x%016x %d %d %d" % (16 + s, o, vl, rank) for (s, o, vl), rank in sorted(ranks.items())] + ["end"]
    with open(os.path.join(at, "certificate"), "w") as file:
        file.write("\n".join(lines) + "\n")


def load_python():
    spec = importlib.util.spec_from_file_location("verifier", os.path.join(HERE, "..", "verify-certificate.py"))
    verifier = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(verifier)

    def verdict(certificate):
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                verifier.main(certificate)
            return 0
        except verifier.NoProof:
            return 1
        except (AttributeError, LookupError, OSError, StopIteration, TypeError, ValueError):
            return 2
    return verdict


class Program:
    """A checker as one process, which answers each line with a verdict."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def ask(self, lines):
        self.process.stdin.write("\n".join(lines) + "\n")
        self.process.stdin.flush()

    def verdicts(self, count):
        return [int(self.process.stdout.readline()) for _ in range(count)]


def make(seed, at):                                       # writes the files of a case; returns the kind of its change, and if there is a path
    rng = random.Random("compare/%d" % seed)
    fabric = Fabric(rng)
    covers = ["hosts"] + (["switches"] if rng.random() < 0.5 else []) + (["groups"] if fabric.group else [])
    ranks = ranks_of(fabric.waits(covers))
    kind = change(fabric, ranks, rng)
    os.mkdir(at)
    write(at, fabric, ranks, covers)
    return kind, fabric.has_path(covers)


def compare(seeds, checkers, counts):                     # returns the number of cases on which the checkers differ
    python, proved, java = checkers
    differ, top = 0, tempfile.mkdtemp(prefix="compare-", dir="/dev/shm")
    places = [os.path.join(top, str(seed)) for seed in seeds]
    made = [make(seed, at) for seed, at in zip(seeds, places)]
    certificates = [os.path.join(at, "certificate") for at in places]
    proved.ask(certificates)
    if java:
        java.ask(places)
    said = zip(map(python, certificates), proved.verdicts(len(places)), java.verdicts(len(places)) if java else [None] * len(places))
    for seed, (kind, has_path), verdicts in zip(seeds, made, said):
        counts[kind, verdicts[1]] += 1
        accepts_nothing = not has_path and verdicts[1:] == (2, 0)                      # torus-sm accepts ranks for no path at all
        if verdicts[0] != verdicts[1] or java and verdicts[1] != verdicts[2] and not accepts_nothing:
            differ += 1
            print("seed %d: %s: Python, Coq, torus-sm say %s" % (seed, kind, verdicts), flush=True)
    shutil.rmtree(top)
    return differ


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--from", type=int, default=0, metavar="SEED", dest="first")
    options.add_argument("--cases", type=int, default=2000)
    options.add_argument("--classpath", help="classes of the daemon and its tests, for the third checker")
    options.add_argument("--keep", metavar="DIRECTORY", help="writes the files of the first case here, and judges none")
    given = options.parse_args()
    if given.keep:
        return print(make(given.first, given.keep)[0])
    sys.dont_write_bytecode = True
    java = Program("java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", given.classpath, "io.torussm.daemon.proof.CheckLoop") \
        if given.classpath else None
    checkers, counts, differ, end = (load_python(), Program(PROVED, "--each"), java), collections.Counter(), 0, given.first + given.cases
    for seed in range(given.first, end, BATCH):
        differ += compare(range(seed, min(seed + BATCH, end)), checkers, counts)
        if (seed + BATCH) // REPORT > seed // REPORT:
            print("until seed %d: %d judged differently" % (seed + BATCH - 1, differ), flush=True)
    for program in filter(None, checkers[1:]):
        program.process.communicate()
    for (kind, verdict), count in sorted(counts.items()):
        print("%-8s %-8s %7d" % (kind, ["proof", "no proof", "unusable"][verdict], count))
    print("seeds %d to %d: %d of them judged differently" % (given.first, end - 1, differ))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
