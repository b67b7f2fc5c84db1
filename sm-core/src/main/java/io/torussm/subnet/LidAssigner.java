package io.torussm.subnet;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.Lids;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.VPortLids.VPortLid;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * An assigner that gives every end port a LID, and changes as few LIDs as possible. Pure. The order of preference for a
 * port is (ADR 17):
 *
 * <ol>
 *   <li>The LID in the store, if the store is current. The store is current for a master SM; for a new master, if at
 *       least half of the ports with a stored and a reported LID report the stored one. Otherwise another SM has
 *       assigned LIDs meanwhile. The reported LID is less reliable: another program may have written it, or another
 *       subnet.
 *   <li>The LID that the port reports, then the stored LID if the store is not current.
 *   <li>The first free aligned range: for the SM's own port first, then for other ports in the order of OpenSM, which
 *       sorts GUIDs as little-endian numbers. LIDs of absent ports are used only if no other LID is free.
 * </ol>
 *
 * <p>LinearFDBCap limits only new LIDs, by the value that at least half of the switches support. So a false response of
 * one switch neither changes a LID nor makes LIDs scarce.
 */
public final class LidAssigner {
    private final Fabric fabric;
    private final KnownLids memory;
    private final int lmc;
    private final boolean lmcEsp0;
    private final boolean areSwitchesFirst;

    /** The highest LID for a new assignment. */
    private final int lastLid;

    /** [port index] assigned base LID; 0 without one. */
    private final int[] baseLid;

    /** [port index] assigned LMC. */
    private final byte[] lmcs;

    /** Assigned LIDs. */
    private final BitSet assignedLids = new BitSet();

    /** LIDs of the store, which absent ports may have. */
    private final BitSet reserved = new BitSet();

    /** [type of search, see {@link #firstFree}] LID at which the next search begins. */
    private final int[] searchedUpTo = new int[4];

    /** The LID after the last new range. */
    private int nextNewLid = 1;

    /** Indexes of end ports for which no LID is left. */
    private final List<Integer> unaddressed = new ArrayList<>();

    /**
     * The LIDs that ports have or had.
     *
     * @param lids base LIDs by port GUID
     * @param isOwn whether this SM is master and assigned them
     * @param lidsElsewhere LIDs that another SM may have assigned to absent ports; new ports get them last
     * @param vports LIDs of virtual ports; new ports get those of present ones never, and those of absent ones,
     *     or of absent ports, last
     */
    public record KnownLids(Map<Long, Integer> lids, boolean isOwn, Set<Integer> lidsElsewhere, VPortLids vports) {
        /** The memory of a subnet in which no port ever had a LID. */
        public static final KnownLids NONE = new KnownLids(Map.of(), false, Set.of());

        /** Creates the memory of a subnet without virtual ports. */
        public KnownLids(Map<Long, Integer> lids, boolean isOwn, Set<Integer> lidsElsewhere) {
            this(lids, isOwn, lidsElsewhere, VPortLids.NONE);
        }

        /** Returns the memory of an SM that was not master until now. */
        public static KnownLids ofStore(Map<Long, Integer> lids) {
            return new KnownLids(lids, false, Set.of());
        }

        /** Returns a copy in which the LIDs of virtual ports are free. */
        public KnownLids withoutVPorts() {
            return new KnownLids(lids, isOwn, lidsElsewhere);
        }
    }

    /**
     * The result of an assignment.
     *
     * @param subnet the subnet; empty if an end port has no LID
     * @param changes a line for each port that reported a LID and gets another one which was not stored for it
     * @param restored an event for each port that reported another LID than the stored LID, which it gets again
     * @param unaddressed indexes of end ports for which no LID is left
     * @param shortage the reason why no LID is left for these ports; empty without such ports
     */
    public record AssignedLids(
            Optional<Subnet> subnet,
            List<DeviceText> changes,
            List<Finding> restored,
            List<Integer> unaddressed,
            String shortage) {
        /** Returns the reason why there is no subnet; empty if there is one. */
        public String problem() {
            return unaddressed.isEmpty() ? "" : "no LID is left for " + unaddressed.size() + " end ports: " + shortage;
        }
    }

    private LidAssigner(Fabric fabric, KnownLids memory, int lmc, boolean lmcEsp0, boolean areSwitchesFirst) {
        this.fabric = fabric;
        this.memory = memory;
        this.lmc = lmc;
        this.lmcEsp0 = lmcEsp0;
        this.areSwitchesFirst = areSwitchesFirst;
        this.baseLid = new int[fabric.portCount()];
        this.lmcs = new byte[fabric.portCount()];
        this.lastLid = LidReach.of(fabric);
    }

    /** Assigns LIDs, one to each switch; see {@link #assign(Fabric, KnownLids, int, boolean, boolean, long)}. */
    public static AssignedLids assign(Fabric fabric, KnownLids memory, int lmc, boolean reassign, long gidPrefix) {
        return assign(fabric, memory, lmc, false, reassign, gidPrefix);
    }

    /**
     * Assigns LIDs. If not all ports can have LIDs, all LIDs are assigned again, to switches before hosts.
     *
     * @param lmc LMC of CA and router ports, 0 to 7
     * @param lmcEsp0 whether enhanced ports 0 of switches have this LMC, too; base ports 0 always have LMC 0
     * @param reassign whether to ignore reported and stored LIDs
     * @param gidPrefix the subnet prefix of GIDs
     */
    public static AssignedLids assign(
            Fabric fabric, KnownLids memory, int lmc, boolean lmcEsp0, boolean reassign, long gidPrefix) {
        KnownLids known = reassign ? new KnownLids(Map.of(), false, Set.of(), memory.vports()) : memory;
        LidAssigner assigner = new LidAssigner(fabric, known, lmc, lmcEsp0, false);
        assigner.assignAll(reassign);
        if (!assigner.unaddressed.isEmpty()) {
            assigner = new LidAssigner(fabric, known, lmc, lmcEsp0, true);
            assigner.assignAll(reassign);
        }
        return assigner.result(reassign, gidPrefix);
    }

    private AssignedLids result(boolean reassign, long gidPrefix) {
        List<DeviceText> changes = new ArrayList<>();
        List<Finding> restored = new ArrayList<>();
        for (int port = 0; port < baseLid.length; port++) {
            int reportedLid = reported(port);
            if (reportedLid == 0 || baseLid[port] == 0 || baseLid[port] == reportedLid) {
                continue;
            }
            if (!reassign && baseLid[port] == stored(port)) {
                restored.add(SmEvent.LID_RESTORED.finding(text(
                        port,
                        "",
                        " reports LID " + reportedLid + ", and has LID " + baseLid[port]
                                + " from this subnet manager, which is written again")));
            } else {
                changes.add(text(
                        port,
                        "LID of ",
                        " (port GUID " + Guid.format(fabric.portGuid(port)) + ") changes from " + reportedLid + " to "
                                + baseLid[port]));
            }
        }
        if (unaddressed.isEmpty()) {
            Subnet subnet = new Subnet(fabric, baseLid, lmcs, gidPrefix);
            return new AssignedLids(Optional.of(subnet), changes, restored, List.of(), "");
        }
        String shortage =
                "the switches forward LIDs up to " + lastLid + " and LMC is " + lmc + "; lower lmc or remove end ports";
        return new AssignedLids(Optional.empty(), changes, restored, List.copyOf(unaddressed), shortage);
    }

    private DeviceText text(int port, String prefix, String suffix) {
        return DeviceText.of(prefix, fabric.devicePort(port).with(EventField.LID.of(baseLid[port])), suffix);
    }

    private void assignAll(boolean reassign) {
        memory.lids().values().forEach(this::reserve);
        memory.vports().lids().forEach(vport -> reserved.set(vport.lid()));
        int[] ports = withoutLid(LongUnaryOperator.identity());
        if (!reassign) {
            boolean isStoreBelieved = isStoreBelieved(ports);
            keepLids(ports, port -> reported(port) == stored(port) ? reported(port) : 0);
            if (isStoreBelieved) {
                keepLids(ports, this::stored);
            }
            int top = plausible(ports);
            keepLids(ports, port -> {
                int lid = reported(port);
                boolean isReserved = isStoreBelieved && !containsNone(reserved, lid, 1 << lmcOf(port));
                return lid > top || isReserved ? 0 : lid;
            });
            keepLids(ports, this::stored);
        }
        memory.lidsElsewhere().forEach(this::reserve);
        memory.vports().lids().stream().filter(presentVPorts()).forEach(vport -> assignedLids.set(vport.lid()));
        for (int port : withoutLid(Long::reverseBytes)) {
            assignNewLid(port);
        }
    }

    /** Returns the check whether a virtual port is present: its port has it, and is in the fabric. */
    private Predicate<VPortLid> presentVPorts() {
        Set<Long> ports = new HashSet<>();
        for (int port = 0; port < baseLid.length && !memory.vports().isEmpty(); port++) {
            if (fabric.isEndport(port)) {
                ports.add(fabric.portGuid(port));
            }
        }
        return vport -> vport.isPresent() && ports.contains(vport.portGuid());
    }

    /** Checks whether the store is current. If most reports differ, another SM has assigned LIDs meanwhile. */
    private boolean isStoreBelieved(int[] ports) {
        int agreeing = 0;
        for (int port : ports) {
            boolean isEvidence = reported(port) != 0 && stored(port) != 0;
            agreeing += isEvidence ? reported(port) == stored(port) ? 1 : -1 : 0;
        }
        return memory.isOwn() || agreeing >= 0;
    }

    /** Returns the highest reported LID that is plausible; see {@link LidReach#plausible}. */
    private int plausible(int[] ports) {
        IntStream reported =
                IntStream.of(ports).map(this::reported).filter(Lids::isUnicast).sorted();
        return LidReach.plausible(fabric, Math.max(assignedLids.length(), reserved.length()), reported);
    }

    /** Returns the LID that an end port reports; 0 without one. */
    private int reported(int port) {
        PortInfo info = fabric.isEndport(port) ? fabric.portInfo(port) : null;
        return info == null ? 0 : info.lid();
    }

    /** Returns the stored LID of a port; 0 without one. */
    private int stored(int port) {
        return memory.lids().getOrDefault(fabric.portGuid(port), 0);
    }

    /** Reserves a stored base LID, with the whole range of a host if the LID is aligned for it. */
    private void reserve(int lid) {
        int size = 1 << lmc;
        reserved.set(lid, lid % size == 0 ? lid + size : lid + 1);
    }

    /**
     * Returns the indexes of end ports without a LID: the SM's own port first, other ports by the sort key of the GUID.
     */
    private int[] withoutLid(LongUnaryOperator sortKey) {
        return IntStream.range(0, fabric.portCount())
                .filter(port -> baseLid[port] == 0 && fabric.isEndport(port))
                .boxed()
                .sorted((one, other) -> inOrder(one, other, sortKey))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /**
     * Compares two ports: the SM's own port, then switches if they are first, then the GUID. This is no chain of
     * Comparators, because these are not in the CDS archive, which delays the start.
     */
    private int inOrder(int port, int otherPort, LongUnaryOperator sortKey) {
        int local = fabric.localPort();
        int byOwner = Boolean.compare(otherPort == local, port == local);
        int byType = areSwitchesFirst ? Boolean.compare(isOfSwitch(otherPort), isOfSwitch(port)) : 0;
        if (byOwner != 0 || byType != 0) {
            return byOwner != 0 ? byOwner : byType;
        }
        return Long.compareUnsigned(
                sortKey.applyAsLong(fabric.portGuid(port)), sortKey.applyAsLong(fabric.portGuid(otherPort)));
    }

    private boolean isOfSwitch(int port) {
        return fabric.isSwitch(fabric.nodeOf(port));
    }

    /** Assigns known LIDs to ports without a LID, if the LID is aligned and no other port has it. */
    private void keepLids(int[] ports, IntUnaryOperator known) {
        for (int port : ports) {
            int lid = known.applyAsInt(port);
            if (lid != 0 && baseLid[port] == 0 && fits(port, lid)) {
                assignLid(port, lid);
            }
        }
    }

    private void assignNewLid(int port) {
        int lid = firstAhead(port);
        lid = lid == 0 ? firstFree(port, true) : lid;
        lid = lid == 0 ? firstFree(port, false) : lid;
        if (lid == 0) {
            unaddressed.add(port);
        } else {
            assignLid(port, lid);
        }
    }

    /**
     * Returns the next LID in ascending order, 0 at the end. LIDs that were skipped for an aligned range are used
     * later, in {@link #firstFree}; this is the order of OpenSM.
     */
    private int firstAhead(int port) {
        int size = 1 << lmcOf(port);
        for (int lid = (nextNewLid + size - 1) / size * size; lid + size - 1 <= lastLid; lid += size) {
            if (containsNone(assignedLids, lid, size) && containsNone(reserved, lid, size)) {
                nextNewLid = lid + size;
                return lid;
            }
        }
        return 0;
    }

    /**
     * Returns the lowest free LID; 0 without one. LIDs never become free again, so each of the four types of search (by
     * LMC, with or without reserved LIDs) continues where its last search ended.
     */
    private int firstFree(int port, boolean sparingReserved) {
        int size = 1 << lmcOf(port);
        int search = (lmcOf(port) == 0 ? 0 : 1) + (sparingReserved ? 0 : 2);
        for (int lid = Math.max(size, searchedUpTo[search]); lid + size - 1 <= lastLid; lid += size) {
            boolean isFree =
                    containsNone(assignedLids, lid, size) && (!sparingReserved || containsNone(reserved, lid, size));
            if (isFree) {
                searchedUpTo[search] = lid;
                return lid;
            }
        }
        return 0;
    }

    /** Checks whether a set contains none of {@code size} LIDs. */
    private static boolean containsNone(BitSet lids, int lid, int size) {
        int next = lids.nextSetBit(lid);
        return next < 0 || next >= lid + size;
    }

    /** Checks whether a LID is an aligned unicast range for a port, and free. */
    private boolean fits(int port, int lid) {
        int size = 1 << lmcOf(port);
        return lid % size == 0
                && Lids.isUnicast(lid)
                && Lids.isUnicast(lid + size - 1)
                && containsNone(assignedLids, lid, size);
    }

    private void assignLid(int port, int lid) {
        baseLid[port] = lid;
        lmcs[port] = (byte) lmcOf(port);
        assignedLids.set(lid, lid + (1 << lmcOf(port)));
    }

    /**
     * Returns the LMC of a port. A switch that did not report its port 0 has LMC 0, so that its LID is certainly its
     * own.
     */
    private int lmcOf(int port) {
        int node = fabric.nodeOf(port);
        return !fabric.isSwitch(node) || (lmcEsp0 && fabric.hasEnhancedPort0(node)) ? lmc : 0;
    }
}
