package io.torussm.subnet;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.Lids;
import io.torussm.mad.smp.PortInfo;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;

/**
 * Gives every end port a LID and changes none without need. Pure.
 *
 * <p>A LID that this SM gave is its port's: the store wins over the LID that the port reports, which another program
 * may have written, or which comes from another subnet. An SM that is not master yet believes the store if most ports
 * that report a LID agree with it. Otherwise another SM has given LIDs since, and reports win. A port that is in no
 * store keeps the LID that it reports. Then the first free aligned range is given, to the SM's own port first and to
 * the others in the order of OpenSM, which sorts GUIDs as little-endian numbers. LIDs of absent ports stay reserved for
 * them as long as others are free. See ADR 17.
 *
 * <p>A LinearFDBCap limits new LIDs only, and only if at least half of the switches have no larger one. No answer of
 * one switch changes a LID or makes LIDs scarce.
 */
public final class LidAssigner {
    private final Fabric fabric;
    private final Memory memory;
    private final int lmc;
    private final boolean lmcEsp0;
    private final boolean areSwitchesFirst;
    private final int lastLid;
    private final int[] baseLid;
    private final byte[] lmcs;
    private final BitSet taken = new BitSet();
    private final BitSet reserved = new BitSet();
    private final int[] searchedUpTo = new int[4];

    /** Past the last new range. */
    private int ahead = 1;

    private final List<Integer> unaddressed = new ArrayList<>();

    /**
     * The LIDs that ports have or had.
     *
     * @param lids base LID by port GUID
     * @param isOwn whether this SM is master and gave them
     * @param elsewhere LIDs that another SM may have given to ports that are not there: new ports get them last
     */
    public record Memory(Map<Long, Integer> lids, boolean isOwn, Set<Integer> elsewhere) {
        /** No port ever had a LID. */
        public static final Memory NONE = new Memory(Map.of(), false, Set.of());

        /** Returns the LIDs of a store whose SM was not master until now. */
        public static Memory stored(Map<Long, Integer> lids) {
            return new Memory(lids, false, Set.of());
        }
    }

    /**
     * A subnet, and ports for which it has no LID.
     *
     * @param subnet empty if there is a port without a LID
     * @param changes a line for each port that reported a LID which no store names, and has another now
     * @param restored an event for each port that reported another LID than this SM gave it
     * @param unaddressed end ports, by index, for which no LID is left
     * @param shortage the reason why no LID is left for them; empty if there are none
     */
    public record AssignedLids(
            Optional<Subnet> subnet,
            List<DeviceText> changes,
            List<Finding> restored,
            List<Integer> unaddressed,
            String shortage) {
        /** Returns the reason why there is no subnet. */
        public String problem() {
            return unaddressed.isEmpty() ? "" : "no LID is left for " + unaddressed.size() + " end ports: " + shortage;
        }
    }

    private LidAssigner(Fabric fabric, Memory memory, int lmc, boolean lmcEsp0, boolean areSwitchesFirst) {
        this.fabric = fabric;
        this.memory = memory;
        this.lmc = lmc;
        this.lmcEsp0 = lmcEsp0;
        this.areSwitchesFirst = areSwitchesFirst;
        this.baseLid = new int[fabric.portCount()];
        this.lmcs = new byte[fabric.portCount()];
        this.lastLid = LidReach.of(fabric);
    }

    /** Assigns LIDs where switches have one each. */
    public static AssignedLids assign(Fabric fabric, Memory memory, int lmc, boolean reassign, long gidPrefix) {
        return assign(fabric, memory, lmc, false, reassign, gidPrefix);
    }

    /**
     * Assigns LIDs. If there are too few of them switches are served before hosts.
     *
     * @param lmc LMC of CA and router ports, 0 to 7
     * @param lmcEsp0 whether enhanced port 0 of switches has this LMC, too; base port 0 has always LMC 0
     * @param reassign whether both reports and the store are to be forgotten
     */
    public static AssignedLids assign(
            Fabric fabric, Memory memory, int lmc, boolean lmcEsp0, boolean reassign, long gidPrefix) {
        LidAssigner assigner = new LidAssigner(fabric, reassign ? Memory.NONE : memory, lmc, lmcEsp0, false);
        assigner.run(reassign);
        if (!assigner.unaddressed.isEmpty()) {
            assigner = new LidAssigner(fabric, reassign ? Memory.NONE : memory, lmc, lmcEsp0, true);
            assigner.run(reassign);
        }
        return assigner.result(reassign, gidPrefix);
    }

    private AssignedLids result(boolean reassign, long gidPrefix) {
        List<DeviceText> changes = new ArrayList<>();
        List<Finding> restored = new ArrayList<>();
        for (int port = 0; port < baseLid.length; port++) {
            int before = reported(port);
            if (before == 0 || baseLid[port] == 0 || baseLid[port] == before) {
                continue;
            }
            if (!reassign && baseLid[port] == stored(port)) {
                restored.add(SmEvent.LID_RESTORED.says(text(
                        port,
                        "",
                        " reports LID " + before + ", and has LID " + baseLid[port]
                                + " from this subnet manager, which is written again")));
            } else {
                changes.add(text(
                        port,
                        "LID of ",
                        " (port GUID " + Guid.format(fabric.portGuid(port)) + ") changes from " + before + " to "
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

    private DeviceText text(int port, String previous, String after) {
        return DeviceText.of(previous, fabric.devicePort(port).with(EventField.LID.of(baseLid[port])), after);
    }

    private void run(boolean reassign) {
        memory.lids().values().forEach(this::reserve);
        int[] ports = withoutLid(LongUnaryOperator.identity());
        if (!reassign) {
            boolean isStoreBelieved = isStoreBelieved(ports);
            keep(ports, port -> reported(port) == stored(port) ? reported(port) : 0);
            if (isStoreBelieved) {
                keep(ports, this::stored);
            }
            int top = plausible(ports);
            keep(ports, port -> {
                int lid = reported(port);
                boolean isAnothers = isStoreBelieved && !isClear(reserved, lid, 1 << lmcOf(port));
                return lid > top || isAnothers ? 0 : lid;
            });
            keep(ports, this::stored);
        }
        memory.elsewhere().forEach(this::reserve);
        for (int port : withoutLid(Long::reverseBytes)) {
            giveNew(port);
        }
    }

    /** Checks whether the store is of this time: another SM has given other LIDs since if most reports differ. */
    private boolean isStoreBelieved(int[] ports) {
        int agreeing = 0;
        for (int port : ports) {
            boolean isEvidence = reported(port) != 0 && stored(port) != 0;
            agreeing += isEvidence ? reported(port) == stored(port) ? 1 : -1 : 0;
        }
        return memory.isOwn() || agreeing >= 0;
    }

    private int plausible(int[] ports) {
        IntStream reported =
                IntStream.of(ports).map(this::reported).filter(Lids::isUnicast).sorted();
        return LidReach.plausible(fabric, Math.max(taken.length(), reserved.length()), reported);
    }

    private int reported(int port) {
        PortInfo info = fabric.isEndport(port) ? fabric.portInfo(port) : null;
        return info == null ? 0 : info.lid();
    }

    private int stored(int port) {
        return memory.lids().getOrDefault(fabric.portGuid(port), 0);
    }

    /** Reserves all LIDs of a host that is absent, not only the first. */
    private void reserve(int lid) {
        int size = 1 << lmc;
        reserved.set(lid, lid % size == 0 ? lid + size : lid + 1);
    }

    /** Returns end ports that have no LID yet: the SM's own first, the others by GUID as it is sorted. */
    private int[] withoutLid(LongUnaryOperator sortKey) {
        return IntStream.range(0, fabric.portCount())
                .filter(port -> baseLid[port] == 0 && fabric.isEndport(port))
                .boxed()
                .sorted((one, other) -> inOrder(one, other, sortKey))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /**
     * Compares two ports. Hand-written: Comparator chains are not in the CDS archive, which delays the start.
     */
    private int inOrder(int one, int other, LongUnaryOperator sortKey) {
        int local = fabric.localPort();
        int byOwner = Boolean.compare(other == local, one == local);
        int byKind = areSwitchesFirst ? Boolean.compare(isOfSwitch(other), isOfSwitch(one)) : 0;
        if (byOwner != 0 || byKind != 0) {
            return byOwner != 0 ? byOwner : byKind;
        }
        return Long.compareUnsigned(
                sortKey.applyAsLong(fabric.portGuid(one)), sortKey.applyAsLong(fabric.portGuid(other)));
    }

    private boolean isOfSwitch(int port) {
        return fabric.isSwitch(fabric.nodeOf(port));
    }

    /** Gives ports the LID that they have somewhere, if it fits and no other port has it. */
    private void keep(int[] ports, IntUnaryOperator known) {
        for (int port : ports) {
            int lid = known.applyAsInt(port);
            if (lid != 0 && baseLid[port] == 0 && fits(port, lid)) {
                take(port, lid);
            }
        }
    }

    private void giveNew(int port) {
        int lid = firstAhead(port);
        lid = lid == 0 ? firstFree(port, true) : lid;
        lid = lid == 0 ? firstFree(port, false) : lid;
        if (lid == 0) {
            unaddressed.add(port);
        } else {
            take(port, lid);
        }
    }

    /**
     * Returns the next LID as OpenSM, which does not use LIDs that it passed for the sake of an aligned range, until
     * there are no others.
     */
    private int firstAhead(int port) {
        int size = 1 << lmcOf(port);
        for (int lid = (ahead + size - 1) / size * size; lid + size - 1 <= lastLid; lid += size) {
            if (isClear(taken, lid, size) && isClear(reserved, lid, size)) {
                ahead = lid + size;
                return lid;
            }
        }
        return 0;
    }

    /**
     * Returns the first free LID. LIDs are only ever taken, so each type of search continues where its last one ended.
     */
    private int firstFree(int port, boolean sparingReserved) {
        int size = 1 << lmcOf(port);
        int search = (lmcOf(port) == 0 ? 0 : 1) + (sparingReserved ? 0 : 2);
        for (int lid = Math.max(size, searchedUpTo[search]); lid + size - 1 <= lastLid; lid += size) {
            boolean isFree = isClear(taken, lid, size) && (!sparingReserved || isClear(reserved, lid, size));
            if (isFree) {
                searchedUpTo[search] = lid;
                return lid;
            }
        }
        return 0;
    }

    private static boolean isClear(BitSet lids, int lid, int size) {
        int next = lids.nextSetBit(lid);
        return next < 0 || next >= lid + size;
    }

    private boolean fits(int port, int lid) {
        int size = 1 << lmcOf(port);
        return lid % size == 0 && Lids.isUnicast(lid) && Lids.isUnicast(lid + size - 1) && isClear(taken, lid, size);
    }

    private void take(int port, int lid) {
        baseLid[port] = lid;
        lmcs[port] = (byte) lmcOf(port);
        taken.set(lid, lid + (1 << lmcOf(port)));
    }

    /** Returns the LMC. Of a switch that did not report its port 0, only the first LID is certain to be its own. */
    private int lmcOf(int port) {
        int node = fabric.nodeOf(port);
        return !fabric.isSwitch(node) || (lmcEsp0 && fabric.hasEnhancedPort0(node)) ? lmc : 0;
    }
}
