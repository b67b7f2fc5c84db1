package io.torussm.daemon;

import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.multicast.MulticastGroup;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sim.FaultPlan;
import io.torussm.sim.SimFabric;
import io.torussm.sim.SimTransport;
import io.torussm.sim.Topology;
import io.torussm.sim.TorusSpec;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.testing.MortalLoop;
import io.torussm.transport.Loop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A whole SM on an embedded torus in virtual time, and all that can happen to it, drawn from a seed: gusts of faults with
 * loss on the wires, and lulls in which nothing more happens. {@link FabricJudge} looks at the devices at every moment of
 * rest and at many others. Everything is replayed by its seed.
 */
final class Storm {
    /** From the end of faults to the moment when all is as it should be; docs/sweeps.md states it. */
    static final long BOUND_NS = TimeUnit.SECONDS.toNanos(30);

    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Two light sweeps, and the longest pause of the damper. */
    private static final long REFUSAL_STANDS_NS = TimeUnit.SECONDS.toNanos(25);

    /** What is left to do shows in two light sweeps. */
    private static final long REST_NS = TimeUnit.SECONDS.toNanos(21);

    private static final long STILL_NS = TimeUnit.SECONDS.toNanos(12);
    private static final String SM_HOST = "host-0-0-0-0";
    private static final int GROUPS = 3;
    /** Of an SL of torus-2QoS. */
    private static final int UPPER_LEVEL = 8;

    private static final String WHOLE_SWEEP = "a whole sweep";
    private static final int Q_KEY = 0x0b1b;
    private static final List<String> TORI = List.of(
            "torus:5x6x1",
            "torus:6x5x1",
            "torus:4x5x1",
            "torus:8x4x1",
            "torus:1x6x4",
            "torus:3x3x3",
            "torus:4x3x3",
            "torus:5x4x3",
            "torus:4x4x4",
            "torus:5x5x1,mesh=x",
            "torus:4x4x3,mesh=z",
            "torus:4x3x3,mesh=xy",
            "torus:5x3x3,mesh=y");

    private final long seed;
    private final Random random;
    private final Hostility hostility;
    private final Path dir;
    private final Path conf;
    private final TorusSpec spec;
    private final Topology topology;
    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric;
    private final SmOptions options;
    private final List<String> story = new ArrayList<>();
    private final int maxFaults;

    private final List<Topology.Node> switches;
    private final List<Topology.Node> hosts;
    private final Topology.Node smHost;
    /** Hosts without an SM. */
    private final List<Topology.Node> guests;

    private final Set<Cable> pulled = new TreeSet<>();
    private final Set<Cable> bad = new TreeSet<>();
    private final Set<Long> dark = new TreeSet<>();
    private final Set<Long> absent = new TreeSet<>();
    private final Map<Long, SimTransport> clients = new HashMap<>();
    /** Groups that a host wants to be in, by node GUID. */
    private final Map<Long, Set<Integer>> wishes = new TreeMap<>();

    private boolean isConfBroken;
    private @Nullable FabricSm sm;
    private @Nullable Eavesdropper ear;
    /** Who was in which group when the SM ended in order; null if it did not. */
    private @Nullable Set<String> membersAtEnd;

    /** How the last sweep of this SM ended; empty if none has. */
    private String lastEnd = "";

    private int ended;

    /** Sets of tables until the next glance. */
    private int setsToGlance;

    // --- what must never change ---

    private final Map<Long, Integer> lids = new TreeMap<>();
    /** By source and destination port GUID. */
    private final Map<Long, Map<Long, Integer>> sls = new TreeMap<>();

    /** The sweep whose view was judged last. */
    private long judgedSweep;

    /** Tables of all switches at the end of the sweep before, by GUID; none of those that lost power since. */
    private final Map<Long, FabricJudge.Tables> before = new HashMap<>();

    /** Of the whole torus, before anything happened; empty if it was not whole. */
    private List<FabricJudge.Tables> whole = List.of();

    private final StormTally tally = new StormTally();

    /** One cable, named by one of its ends. */
    private record Cable(long guid, int portNum) implements Comparable<Cable> {
        @Override
        public int compareTo(Cable other) {
            return guid != other.guid ? Long.compare(guid, other.guid) : Integer.compare(portNum, other.portNum);
        }
    }

    /** Writes what it is told a little later: what waits dies with the process. */
    private final class SlowDisk implements Loop {
        private final MortalLoop process;

        SlowDisk(MortalLoop process) {
            this.process = process;
        }

        @Override
        public void execute(Runnable task) {
            process.schedule(millis(40), task);
        }

        @Override
        public Timer schedule(long delayNs, Runnable task) {
            return process.schedule(delayNs, task);
        }

        @Override
        public long nowNs() {
            return process.nowNs();
        }

        @Override
        public boolean inLoop() {
            return true;
        }
    }

    /** Draws a fabric; nothing runs yet. */
    Storm(long seed, Path dir) throws IOException, ConfigurationException {
        this.seed = seed;
        this.dir = dir;
        random = new Random(seed);
        hostility = new Hostility(random);
        String torus = TORI.get(random.nextInt(TORI.size()));
        int small = TorusSpec.parse(torus).x()
                * TorusSpec.parse(torus).y()
                * TorusSpec.parse(torus).z();
        String size =
                ",hosts=" + (1 + random.nextInt(small > 40 ? 1 : 2)) + ",links=" + (random.nextInt(4) == 0 ? 2 : 1);
        spec = TorusSpec.parse(torus + size);
        topology = spec.topology();
        boolean isSlow = random.nextBoolean();
        FaultPlan faults = new FaultPlan(
                seed, 0, random.nextInt(3) * 0.03, 1000, isSlow ? 5_000_000 : 10_000, isSlow ? 30_000_000 : 50_000);
        fabric = new SimFabric(topology, loop, faults);
        maxFaults = 1 + random.nextInt(random.nextBoolean() ? 2 : 8);
        switches = topology.nodes().stream().filter(Topology.Node::isSwitch).toList();
        hosts = topology.nodes().stream().filter(node -> !node.isSwitch()).toList();
        smHost = hosts.stream()
                .filter(host -> host.description().equals(SM_HOST))
                .findFirst()
                .orElseThrow();
        guests = hosts.stream()
                .filter(host -> !host.description().equals(SM_HOST))
                .toList();
        conf = dir.resolve("torus-2QoS.conf");
        Files.writeString(conf, spec.torus2QosConf());
        Map<Setting, String> settings = new EnumMap<>(Setting.class);
        settings.put(Setting.TORUS_CONFIG, conf.toString());
        settings.put(Setting.LMC, random.nextInt(5) == 0 ? "1" : "0");
        if (random.nextInt(4) == 0) {
            settings.put(Setting.M_KEY, "0x77");
            settings.put(Setting.M_KEY_PROTECTION_LEVEL, String.valueOf(1 + random.nextInt(3)));
            settings.put(Setting.M_KEY_LEASE_PERIOD, random.nextBoolean() ? "0" : "60");
        }
        options = ServiceHarness.options(dir.resolve("state"), settings);
        for (Topology.Node host : guests) {
            SimTransport client = fabric.attach(host.description(), 1);
            client.start(new Deaf());
            clients.put(host.nodeGuid(), client);
        }
        settings.remove(Setting.TORUS_CONFIG);
        tell(torus + size + ", " + settings + (isSlow ? ", slow" : "") + ", at most " + maxFaults + " faults");
    }

    /** A client that sends without waiting for answers: the SM's view and the tables tell what came of it. */
    private static final class Deaf implements MadTransport.Receiver {
        @Override
        public void received(MadFrame frame) {}

        @Override
        public void transportFailed(String why) {
            throw new AssertionError(why);
        }
    }

    private long millis(int most) {
        return TimeUnit.MICROSECONDS.toNanos(random.nextInt(1000 * most + 1));
    }

    private void tell(String what) {
        story.add(String.format("%10.4f s  %s", loop.nowNs() / 1e9, what));
    }

    private AssertionError wrong(String what) {
        return new AssertionError("seed " + seed + " at " + loop.nowNs() / 1e9 + " s: " + what + "\nreplay with -Dseed="
                + seed + "; what happened:\n  " + String.join("\n  ", story));
    }

    private void check(boolean holds, String what) {
        if (!holds) {
            throw wrong(what);
        }
    }

    private <T> T one(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    // --- the process ---

    private void start() {
        MortalLoop fresh = new MortalLoop(loop);
        StateDirectory state;
        try {
            state = StateDirectory.open(dir.resolve("state"), new SlowDisk(fresh));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Eavesdropper port = new Eavesdropper(fabric.attach(SM_HOST, 1));
        Executor pool = task -> fresh.schedule(millis(200), task);
        FabricSm started = new FabricSm(fresh, port, 5, options, state, pool, random.nextInt());
        started.whenEnded = this::sweepEnded;
        port.whenSent = this::glance;
        ear = port;
        sm = started;
        judgedSweep = 0;
        lastEnd = "";
        tell("the SM starts");
        checkStateFiles();
        Set<String> expected = membersAtEnd;
        check(
                expected == null || members(started).containsAll(expected),
                "members before an orderly end: " + expected + ", and after it: " + members(started));
        membersAtEnd = null;
        started.start();
    }

    private static Set<String> members(FabricSm of) {
        Set<String> members = new TreeSet<>();
        of.memberships.view().groups().forEach(group -> group.members()
                .forEach(member -> members.add(group.mgid() + " " + member.portGid())));
        return members;
    }

    /** Every file that a dead SM left is one that the next can use. */
    private void checkStateFiles() {
        try (Stream<Path> files = Files.list(dir.resolve("state"))) {
            List<String> bad = files.map(Path::toString)
                    .filter(name -> name.endsWith(".bad"))
                    .toList();
            check(bad.isEmpty(), "state files cannot be read: " + bad);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void kill() {
        FabricSm dying = sm;
        if (dying != null) {
            tell("the SM dies");
            tally.deaths++;
            dying.kill();
            buried();
            leaveTornFiles();
        }
    }

    private void end() {
        FabricSm ending = sm;
        if (ending != null) {
            tell("the SM is asked to end");
            tally.ends++;
            membersAtEnd = ending.isUp() ? members(ending) : null;
            ending.end();
            check(loop.runUntil(ending::isDead, TimeUnit.SECONDS.toNanos(4)), "the SM does not end in four seconds");
            buried();
        }
    }

    private void buried() {
        sm = null;
        ear = null;
        before.clear();
    }

    /** As a write that a death interrupted leaves them. */
    private void leaveTornFiles() {
        if (random.nextBoolean()) {
            return;
        }
        try (Stream<Path> files = Files.list(dir.resolve("state"))) {
            for (Path file : files.sorted().toList()) {
                if (!file.toString().endsWith(".tmp")) {
                    byte[] whole = Files.readAllBytes(file);
                    Files.write(
                            file.resolveSibling(file.getFileName() + ".tmp"),
                            Arrays.copyOf(whole, random.nextInt(whole.length + 1)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void sweepEnded(String how) {
        tell("sweep: " + how);
        lastEnd = how;
        ended++;
        if (how.startsWith("refused")) {
            tally.refusals++;
            check(how.length() > "refused: []".length() + 10, "a refusal without a reason");
            for (Topology.Node sw : switches) {
                FabricJudge.Tables now = FabricJudge.Tables.of(sw, fabric);
                String difference = now.differenceFrom(before.getOrDefault(sw.nodeGuid(), now), Set.of());
                check(difference.isEmpty(), "a refused sweep wrote: " + difference);
            }
        } else if (how.equals("up")) {
            tally.sweeps++;
        } else {
            tally.failedSweeps++;
            check(!how.contains("internal error"), how);
        }
        for (Topology.Node sw : switches) {
            before.put(sw.nodeGuid(), FabricJudge.Tables.of(sw, fabric));
        }
    }

    private void pass(long ns) {
        loop.runFor(ns);
    }

    // --- what happens ---

    private void event() {
        tally.events++;
        int faults = pulled.size() + dark.size();
        switch (random.nextInt(27)) {
            case 0, 1, 2 -> {
                if (faults < maxFaults) {
                    pullCable();
                } else {
                    repair();
                }
            }
            case 3, 4, 5 -> repair();
            case 6 -> flap();
            case 7 -> {
                if (faults < maxFaults) {
                    fail(one(switches));
                } else {
                    repair();
                }
            }
            case 8 -> powerCycle();
            case 9, 10 -> hostGoes();
            case 11, 12 -> hostComes();
            case 13 -> hostRestarts();
            case 14, 15 -> kill();
            case 16 -> end();
            case 17, 18, 19 -> wish();
            case 20 -> reread();
            case 21 -> reroute();
            case 22 -> sweepHeavy();
            case 23, 24 -> noise(1 + random.nextInt(20));
            case 25 -> spoilCable();
            default -> setLoss();
        }
    }

    private void pullCable() {
        Topology.Node sw = one(switches);
        int portNum = 1 + random.nextInt(sw.numPorts());
        Topology.PortRef peer = sw.peer(portNum);
        if (peer == null || !peer.node().isSwitch()) {
            return;
        }
        tell("the cable at " + sw.description() + " port " + portNum + " is pulled");
        fabric.unlink(sw.nodeGuid(), portNum);
        boolean isFirst = sw.nodeGuid() < peer.node().nodeGuid();
        pulled.add(
                isFirst
                        ? new Cable(sw.nodeGuid(), portNum)
                        : new Cable(peer.node().nodeGuid(), peer.portNum()));
    }

    /** A cable that loses half of what it carries. */
    private void spoilCable() {
        Topology.Node sw = one(switches);
        int portNum = 1 + random.nextInt(sw.numPorts());
        if (sw.peer(portNum) != null) {
            tell("the cable at " + sw.description() + " port " + portNum + " is bad");
            fabric.setLoss(sw.nodeGuid(), portNum, 0.5);
            bad.add(new Cable(sw.nodeGuid(), portNum));
        }
    }

    private void repair() {
        if (!pulled.isEmpty() && (dark.isEmpty() || random.nextBoolean())) {
            plug(one(List.copyOf(pulled)));
        } else if (!dark.isEmpty()) {
            power(one(List.copyOf(dark)));
        }
    }

    private void plug(Cable cable) {
        tell("the cable at " + name(cable.guid()) + " port " + cable.portNum() + " is back");
        fabric.relink(cable.guid(), cable.portNum());
        pulled.remove(cable);
    }

    private String name(long nodeGuid) {
        return topology.nodes().stream()
                .filter(node -> node.nodeGuid() == nodeGuid)
                .findFirst()
                .orElseThrow()
                .description();
    }

    private void flap() {
        Topology.Node sw = one(switches);
        int portNum = 1 + random.nextInt(sw.numPorts());
        Topology.PortRef peer = sw.peer(portNum);
        boolean isPulled = peer == null
                || pulled.contains(new Cable(sw.nodeGuid(), portNum))
                || pulled.contains(new Cable(peer.node().nodeGuid(), peer.portNum()))
                || absent.contains(peer.node().nodeGuid());
        if (isPulled) {
            return;
        }
        int times = 1 + random.nextInt(6);
        tell("the cable at " + sw.description() + " port " + portNum + " flaps " + times + " times");
        for (int i = 0; i < times; i++) {
            fabric.unlink(sw.nodeGuid(), portNum);
            pass(millis(30));
            fabric.relink(sw.nodeGuid(), portNum);
            pass(millis(30));
        }
    }

    private void fail(Topology.Node sw) {
        if (dark.add(sw.nodeGuid())) {
            tell(sw.description() + " fails");
            fabric.failSwitch(sw.nodeGuid());
            before.remove(sw.nodeGuid());
        }
    }

    private void power(long guid) {
        tell(name(guid) + " has power again");
        fabric.restoreSwitch(guid);
        dark.remove(guid);
        before.remove(guid);
    }

    private void powerCycle() {
        Topology.Node sw = one(switches);
        if (!dark.contains(sw.nodeGuid())) {
            fail(sw);
            pass(random.nextBoolean() ? 0 : millis(1500));
            power(sw.nodeGuid());
        }
    }

    private void hostGoes() {
        goes(random.nextInt(20) == 0 ? smHost : one(guests));
    }

    private void goes(Topology.Node host) {
        if (absent.add(host.nodeGuid())) {
            tell(host.description() + " goes");
            fabric.unlink(host.nodeGuid(), 1);
        }
    }

    private void hostComes() {
        if (!absent.isEmpty()) {
            comes(one(List.copyOf(absent)));
        }
    }

    private void comes(long guid) {
        tell(name(guid) + " comes");
        fabric.relink(guid, 1);
        absent.remove(guid);
    }

    private void hostRestarts() {
        Topology.Node host = one(guests);
        tell(host.description() + " restarts");
        fabric.restartHost(host.nodeGuid());
        wishes.remove(host.nodeGuid());
    }

    private void reread() {
        boolean willBeBroken = !isConfBroken && random.nextInt(3) == 0;
        tell("the configuration is read again" + (willBeBroken ? ", broken" : ""));
        try {
            Files.writeString(conf, willBeBroken ? "torus 3 nonsense\n" : spec.torus2QosConf());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        isConfBroken = willBeBroken;
        FabricSm now = sm;
        if (now != null) {
            now.mastership.settingsChanged();
            now.mastership.sweepHeavy();
        }
    }

    private void reroute() {
        FabricSm now = sm;
        if (now != null) {
            tell("reroute");
            now.sweeper.reroute();
        }
    }

    private void sweepHeavy() {
        FabricSm now = sm;
        if (now != null) {
            tell("sweep is asked for");
            now.mastership.sweepHeavy();
        }
    }

    private void setLoss() {
        double[] choices = {0, 0.01, 0.05, 0.2};
        double loss = choices[random.nextInt(choices.length)];
        tell("loss " + loss);
        fabric.setLoss(loss);
    }

    // --- groups ---

    private static Gid group(int number) {
        return new Gid(0xff12_401b_ffff_0000L, 0x100 + number);
    }

    private void wish() {
        Topology.Node host = one(guests);
        if (absent.contains(host.nodeGuid())) {
            return;
        }
        int number = random.nextInt(GROUPS);
        Set<Integer> own = wishes.computeIfAbsent(host.nodeGuid(), guid -> new TreeSet<>());
        boolean isJoin = own.add(number);
        if (!isJoin) {
            own.remove(number);
        }
        tell(host.description() + (isJoin ? " joins" : " leaves") + " group " + number);
        ask(host, number, isJoin);
    }

    /** Over the fabric, to where the host was told that the SM is. */
    private void ask(Topology.Node host, int number, boolean isJoin) {
        long mask = 0;
        for (var field : List.of(
                MCMemberRecord.MGID,
                MCMemberRecord.PORT_GID,
                MCMemberRecord.JOIN_STATE,
                MCMemberRecord.Q_KEY,
                MCMemberRecord.P_KEY,
                MCMemberRecord.T_CLASS,
                MCMemberRecord.SL,
                MCMemberRecord.FLOW_LABEL)) {
            mask |= MCMemberRecord.COMPONENTS.bit(field);
        }
        byte[] mad =
                SaMad.request(isJoin ? Method.SET : Method.DELETE, random.nextInt(), MCMemberRecord.TYPE.id(), 0, mask);
        MCMemberRecord.TYPE
                .zero()
                .with(MCMemberRecord.MGID, group(number))
                .with(MCMemberRecord.PORT_GID, new Gid(options.addresses().subnetPrefix(), host.portGuid(1)))
                .with(MCMemberRecord.JOIN_STATE, MCMemberRecord.FULL_MEMBER)
                .with(MCMemberRecord.Q_KEY, Q_KEY)
                .with(MCMemberRecord.P_KEY, 0xffff)
                .write(mad, SaMad.DATA);
        int smLid = fabric.portInfo(host.nodeGuid(), 1).masterSmLid();
        Objects.requireNonNull(clients.get(host.nodeGuid())).send(new MadFrame(new MadAddress(smLid, 1, 0, 0), mad), 0);
    }

    // --- hostility ---

    /** Frames that nobody asked for: noise, cut frames, answers and traps of long ago. */
    private void noise(int count) {
        Eavesdropper port = ear;
        if (port == null) {
            return;
        }
        tell(count + " hostile MADs");
        for (int i = 0; i < count; i++) {
            tally.noise++;
            port.inject(hostility.next(port.remembered(random)));
        }
    }

    // --- what must hold ---

    /** What holds at every moment, whatever happens: no credit loop on SLs that were granted, every LID as it was. */
    private void look() {
        tally.looks++;
        FabricJudge judge = new FabricJudge(topology, fabric);
        judge.lids.forEach((guid, lid) -> {
            Integer known = lids.putIfAbsent(guid, lid);
            check(
                    known == null || known.equals(lid),
                    "the LID of " + Long.toHexString(guid) + " was " + known + " and is " + lid);
        });
        check(judge.doubleLid().isEmpty(), judge.doubleLid());
        FabricSm now = sm;
        if (now != null && now.sweeper.isResting()) {
            readSls(now);
        }
        sendAll(judge);
        for (int mlid : mlids()) {
            for (Topology.Node host : hosts) {
                judge.spread(host.portGuid(1), mlid, 0);
            }
        }
        String loopFound = judge.creditLoop();
        check(loopFound.isEmpty(), loopFound);
    }

    /** Looks for credit loops while tables are written, now and then. */
    private void glance(byte[] mad) {
        int attribute = MadHeader.attributeId(mad);
        boolean isTable = attribute == LinearForwardingTable.TYPE.id() || attribute == SlToVlMappingTable.TYPE.id();
        if (isTable && MadHeader.method(mad) == Method.SET && --setsToGlance <= 0) {
            setsToGlance = 1 + random.nextInt(2 * (attribute == LinearForwardingTable.TYPE.id() ? 5 : 200));
            tally.glances++;
            FabricJudge judge = new FabricJudge(topology, fabric);
            sendAll(judge);
            String loopFound = judge.creditLoop();
            check(loopFound.isEmpty(), "while tables are written: " + loopFound);
        }
    }

    /** By all LIDs, at both QoS levels. */
    private void sendAll(FabricJudge judge) {
        sls.forEach((source, all) -> all.forEach((destination, sl) -> {
            for (int lid : lidsOf(destination)) {
                judge.send(source, destination, lid, sl);
                judge.send(source, destination, lid, sl | UPPER_LEVEL);
            }
        }));
    }

    private int[] lidsOf(long portGuid) {
        int base = lids.getOrDefault(portGuid, 0);
        boolean isHost = portGuid >= hosts.get(0).portGuid(1);
        return IntStream.range(base, base + (isHost ? 1 << options.addresses().lmc() : 1))
                .toArray();
    }

    private List<Integer> mlids() {
        FabricSm now = sm;
        return now == null
                ? List.of()
                : now.memberships.view().groups().stream()
                        .map(MulticastGroup::mlid)
                        .toList();
    }

    /** All paths between hosts, and from hosts to switches, as the SA grants them now. */
    private void readSls(FabricSm now) {
        PublishedView view = now.sweeper.view();
        check(now.sweeper.slChanges() == 0, "the SM counts " + now.sweeper.slChanges() + " changed SLs");
        if (view == null || view.sweep() == judgedSweep) {
            return;
        }
        judgedSweep = view.sweep();
        List<MadFrame> answers = new ArrayList<>();
        SubnetAdministrator asked = now.administrator(answers::add);
        for (Topology.Node host : hosts) {
            for (Topology.Node other : topology.nodes()) {
                long from = host.portGuid(1);
                long to = other.portGuid(other.isSwitch() ? 0 : 1);
                int sl = from == to ? -1 : pathSl(asked, answers, from, to);
                if (sl >= 0) {
                    Integer known =
                            sls.computeIfAbsent(from, guid -> new TreeMap<>()).putIfAbsent(to, sl);
                    check(
                            known == null || known == sl,
                            "the SL from " + host + " to " + other + " was " + known + " and is " + sl);
                }
            }
        }
    }

    /** What the SA grants; -1 if it knows no such path. */
    private int pathSl(SubnetAdministrator asked, List<MadFrame> answers, long from, long to) {
        int slid = lids.getOrDefault(from, 0);
        int dlid = lids.getOrDefault(to, 0);
        long mask = PathRecord.COMPONENTS.bit(PathRecord.SLID) | PathRecord.COMPONENTS.bit(PathRecord.DLID);
        byte[] request = SaMad.request(Method.GET, 7, PathRecord.TYPE.id(), 0, mask);
        PathRecord.TYPE
                .zero()
                .with(PathRecord.SLID, slid)
                .with(PathRecord.DLID, dlid)
                .write(request, SaMad.DATA);
        answers.clear();
        asked.received(new MadFrame(new MadAddress(slid, 1, 0, 0), request));
        boolean isGranted =
                !answers.isEmpty() && MadHeader.status(answers.get(0).mad()) == MadStatus.OK;
        return isGranted
                ? (int) PathRecord.TYPE.read(answers.get(0).mad(), SaMad.DATA).get(PathRecord.SL)
                : -1;
    }

    /** What is not as it should be when a subnet is up; empty if nothing is. */
    private String shortcoming() {
        FabricJudge judge = new FabricJudge(topology, fabric);
        Set<Long> there = judge.connectedTo(smHost.portGuid(1));
        for (long guid : there) {
            if (!judge.lids.containsKey(guid)) {
                return Long.toHexString(guid) + " has no LID";
            }
        }
        String idle = judge.idleLink(there);
        if (!idle.isEmpty()) {
            return idle;
        }
        for (long source : judge.hosts(there)) {
            for (long destination : there) {
                if (source == destination) {
                    continue;
                }
                Integer sl = sls.getOrDefault(source, Map.of()).get(destination);
                if (sl == null) {
                    return "the SA grants no path from " + Long.toHexString(source) + " to "
                            + Long.toHexString(destination);
                }
                for (int lid : lidsOf(destination)) {
                    String fate = judge.send(source, destination, lid, sl);
                    if (!fate.isEmpty()) {
                        return "a packet from " + Long.toHexString(source) + " to " + Long.toHexString(destination)
                                + " " + fate;
                    }
                }
            }
        }
        return groupShortcoming(judge, there);
    }

    private String groupShortcoming(FabricJudge judge, Set<Long> there) {
        FabricSm now = Objects.requireNonNull(sm);
        for (MulticastGroup group : now.memberships.view().groups()) {
            Map<Long, Integer> expected = new TreeMap<>();
            group.members().forEach(member -> expected.put(member.portGid().guid(), 1));
            for (long source : judge.hosts(there)) {
                Map<Long, Integer> wanted = new TreeMap<>(expected);
                wanted.remove(source);
                Map<Long, Integer> copies = judge.spread(source, group.mlid(), 0);
                if (expected.containsKey(source) && !copies.equals(wanted)) {
                    return "a packet from member " + Long.toHexString(source) + " of group "
                            + Integer.toHexString(group.mlid()) + " goes to " + copies + " instead of " + wanted;
                }
            }
        }
        return "";
    }

    // --- lulls ---

    private void calm() {
        tell("lull");
        fabric.setLoss(0);
        bad.forEach(cable -> fabric.setLoss(cable.guid(), cable.portNum(), 0));
        bad.clear();
        if (absent.contains(smHost.nodeGuid())) {
            comes(smHost.nodeGuid());
        }
        long own = Objects.requireNonNull(smHost.peer(1)).node().nodeGuid();
        if (dark.contains(own)) {
            power(own);
        }
        if (isConfBroken) {
            reread();
        }
        if (sm == null) {
            start();
        }
    }

    private List<FabricJudge.Tables> allTables() {
        return switches.stream().map(sw -> FabricJudge.Tables.of(sw, fabric)).toList();
    }

    /**
     * The first switch whose tables are not what they were; empty if there is none. Entries of those who are absent do not
     * count: a local sweep keeps them, a whole one does not.
     */
    private String difference(List<FabricJudge.Tables> earlier) {
        Set<Long> there = new FabricJudge(topology, fabric).connectedTo(smHost.portGuid(1));
        Map<Long, Integer> gone = new TreeMap<>(lids);
        gone.keySet().removeAll(there);
        Set<Integer> ignored = new TreeSet<>(gone.values());
        List<FabricJudge.Tables> now = allTables();
        for (int i = 0; i < now.size(); i++) {
            String difference = now.get(i).differenceFrom(earlier.get(i), ignored);
            if (!difference.isEmpty()) {
                return difference;
            }
        }
        return "";
    }

    /** Waits until the SM is at rest and everything as it should be, and tells whether the subnet is up. */
    private boolean converge() {
        tally.lulls++;
        FabricSm now = Objects.requireNonNull(sm);
        long sinceNs = loop.nowNs();
        long restsSinceNs = -1;
        int sweeps = -1;
        String missing = "";
        while (restsSinceNs >= 0 || loop.nowNs() - sinceNs <= BOUND_NS) {
            pass(STEP_NS);
            if (sweeps != ended) {
                missing = "the last sweep: " + lastEnd;
                restsSinceNs = -1;
            }
            boolean isResting = now.sweeper.isResting() && now.mastership.isMaster();
            if (isResting && lastEnd.equals("up") && sweeps != ended) {
                sweeps = ended;
                readLids();
                readSls(now);
                missing = shortcoming();
                restsSinceNs = missing.isEmpty() ? loop.nowNs() : -1;
            } else if (isResting && restsSinceNs >= 0 && loop.nowNs() - restsSinceNs >= REST_NS) {
                converged(restsSinceNs - sinceNs);
                return true;
            } else if (isResting && lastEnd.startsWith("refused") && loop.nowNs() - sinceNs >= REFUSAL_STANDS_NS) {
                tally.refusedLulls++;
                return false;
            }
        }
        throw wrong("not at rest after " + BOUND_NS / 1e9 + " s: " + missing + "; " + now.mastership.state());
    }

    private void readLids() {
        new FabricJudge(topology, fabric).lids.forEach(lids::putIfAbsent);
    }

    private void converged(long neededNs) {
        tell("converged after " + neededNs / 1e9 + " s");
        tally.worstNs = Math.max(tally.worstNs, neededNs);
        tally.sumNs += neededNs;
    }

    private void lull() {
        calm();
        boolean isUp = converge();
        look();
        stay(isUp, "waiting");
        if (isUp && random.nextBoolean()) {
            agreeOnGroups();
        }
        if (random.nextBoolean()) {
            ignoreNoise(isUp);
        }
        if (!isUp || random.nextBoolean()) {
            sweepHeavy();
            stay(isUp, WHOLE_SWEEP);
        }
    }

    /** Nothing changes any more: what a rest is. */
    private void stay(boolean isUp, String meanwhile) {
        FabricSm now = Objects.requireNonNull(sm);
        List<FabricJudge.Tables> tables = allTables();
        pass(STILL_NS);
        check(loop.runUntil(now.sweeper::isResting, TimeUnit.SECONDS.toNanos(5)), "no rest after " + meanwhile);
        check(lastEnd.startsWith("refused") != isUp, "sweeps disagree after " + meanwhile + ": " + lastEnd);
        boolean mayDealOutAnew = meanwhile.equals(WHOLE_SWEEP) && !absent.isEmpty();
        String difference = mayDealOutAnew ? "" : difference(tables);
        check(difference.isEmpty(), "tables changed during " + meanwhile + " although nothing else did: " + difference);
        String missing = isUp ? shortcoming() : "";
        check(missing.isEmpty(), "after " + meanwhile + ": " + missing);
        look();
    }

    /** As clients do that try again: what they want and what they have are the same then. */
    private void agreeOnGroups() {
        FabricSm now = Objects.requireNonNull(sm);
        Set<Long> there = new FabricJudge(topology, fabric).connectedTo(smHost.portGuid(1));
        for (Topology.Node host : guests) {
            for (int number = 0; number < GROUPS && there.contains(host.portGuid(1)); number++) {
                boolean isWanted =
                        wishes.getOrDefault(host.nodeGuid(), Set.of()).contains(number);
                if (isWanted != isMember(now, host, number)) {
                    ask(host, number, isWanted);
                }
            }
        }
        pass(TimeUnit.SECONDS.toNanos(1));
        for (Topology.Node host : guests) {
            for (int number = 0; number < GROUPS && there.contains(host.portGuid(1)); number++) {
                boolean isWanted =
                        wishes.getOrDefault(host.nodeGuid(), Set.of()).contains(number);
                check(
                        isWanted == isMember(now, host, number),
                        host.description() + (isWanted ? " cannot join" : " cannot leave") + " group " + number);
            }
        }
        String missing = shortcoming();
        check(missing.isEmpty(), "after joins: " + missing);
        look();
    }

    private static boolean isMember(FabricSm now, Topology.Node host, int number) {
        return now.memberships.view().groups().stream()
                .filter(each -> each.mgid().equals(group(number)))
                .flatMap(each -> each.members().stream())
                .anyMatch(member -> member.portGid().guid() == host.portGuid(1));
    }

    private void ignoreNoise(boolean isUp) {
        FabricSm now = Objects.requireNonNull(sm);
        long counted = counted(now);
        int count = 1 + random.nextInt(50);
        noise(count);
        stay(isUp, count + " hostile MADs");
        check(
                counted(now) - counted >= count,
                "of " + count + " hostile MADs " + (counted(now) - counted) + " are counted");
        check(now.client.stats().failures() == 0, "a handler failed");
        check(now.administrator.stats().defects() == 0, "the SA failed");
    }

    private static long counted(FabricSm of) {
        var mads = of.client.stats();
        var queries = of.administrator.stats();
        return mads.late()
                + mads.unsolicited()
                + mads.malformed()
                + mads.overflow()
                + queries.requests()
                + queries.dropped();
    }

    // --- the whole story ---

    StormTally run() {
        begin();
        int gusts = 2 + random.nextInt(4);
        for (int i = 0; i < gusts; i++) {
            gust();
            lull();
        }
        List.copyOf(dark).forEach(this::power);
        List.copyOf(pulled).forEach(this::plug);
        List.copyOf(absent).forEach(this::comes);
        calm();
        check(converge(), "torus-2QoS refuses the whole torus");
        stay(true, "the end");
        if (!whole.isEmpty()) {
            String difference = difference(whole);
            check(difference.isEmpty(), "the repaired torus has other tables than in the beginning: " + difference);
        }
        return tally;
    }

    /** With the whole torus, or with half of the hosts still to be switched on. */
    private void begin() {
        if (random.nextBoolean()) {
            start();
            check(converge(), "torus-2QoS refuses the whole torus");
            whole = allTables();
            look();
        } else {
            guests.stream().filter(host -> random.nextBoolean()).forEach(this::goes);
            start();
        }
    }

    private void gust() {
        setLoss();
        int events = 3 + random.nextInt(20);
        for (int i = 0; i < events; i++) {
            if (sm == null && random.nextInt(3) == 0) {
                start();
            }
            event();
            switch (random.nextInt(4)) {
                case 0 -> pass(0);
                case 1 -> pass(millis(20));
                case 2 -> pass(millis(300));
                default -> pass(millis(5000));
            }
            look();
        }
    }
}
