package io.torussm.subnet;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.Lids;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Gives every end port a LID and changes none without need. Pure.
 *
 * <p>A port keeps the LID that it reports; a port that reports none gets the one that the store remembers for it; only
 * then is the first free aligned range taken, the SM's own port first and the others in the order of OpenSM, which sorts GUIDs
 * as little-endian numbers. When two ports report the same LID, the one that the store names keeps it, otherwise the one with
 * the lower GUID.
 * LIDs of absent ports stay reserved for them as long as others are free.
 */
public final class LidAssigner {
    private final Fabric fabric;
    private final Map<Long, Integer> remembered;
    private final int lmc;
    private final boolean lmcEsp0;
    private final int lastLid;
    private final int[] baseLid;
    private final byte[] lmcs;
    private final BitSet taken = new BitSet();
    private final BitSet reserved = new BitSet();
    private final int[] searchedUpTo = new int[4];

    /** Past the last range that was given anew. */
    private int ahead = 1;

    private final List<DeviceText> changes = new ArrayList<>();
    private @Nullable String exhausted;

    /**
     * What was assigned.
     *
     * @param subnet empty if the LIDs did not suffice
     * @param changes one line for each LID that had to change although its port reported one
     * @param problem why there is no subnet; empty if there is one
     */
    public record Result(Optional<Subnet> subnet, List<DeviceText> changes, String problem) {}

    private LidAssigner(Fabric fabric, Map<Long, Integer> remembered, int lmc, boolean lmcEsp0) {
        this.fabric = fabric;
        this.remembered = remembered;
        this.lmc = lmc;
        this.lmcEsp0 = lmcEsp0;
        this.baseLid = new int[fabric.portCount()];
        this.lmcs = new byte[fabric.portCount()];
        this.lastLid = lastLid(fabric);
    }

    /** Assigns LIDs where switches have one each. */
    public static Result assign(
            Fabric fabric, Map<Long, Integer> remembered, int lmc, boolean reassign, long gidPrefix) {
        return assign(fabric, remembered, lmc, false, reassign, gidPrefix);
    }

    /**
     * Assigns LIDs.
     *
     * @param remembered base LID by port GUID, from the store
     * @param lmc LMC of CA and router ports, 0 to 7
     * @param lmcEsp0 whether enhanced port 0 of switches has this LMC, too; base port 0 has always LMC 0
     * @param reassign whether what ports report and the store remembers is to be forgotten
     */
    public static Result assign(
            Fabric fabric, Map<Long, Integer> remembered, int lmc, boolean lmcEsp0, boolean reassign, long gidPrefix) {
        LidAssigner assigner = new LidAssigner(fabric, reassign ? Map.of() : remembered, lmc, lmcEsp0);
        assigner.run(reassign);
        String problem = assigner.exhausted;
        return problem != null
                ? new Result(Optional.empty(), assigner.changes, problem)
                : new Result(
                        Optional.of(new Subnet(fabric, assigner.baseLid, assigner.lmcs, gidPrefix)),
                        assigner.changes,
                        "");
    }

    /** The highest LID that every switch can forward. */
    private static int lastLid(Fabric fabric) {
        int last = Lids.UNICAST_LAST;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            SwitchInfo info = fabric.node(sw).switchInfo();
            if (info != null && info.linearFdbCap() > 0) {
                last = Math.min(last, info.linearFdbCap() - 1);
            }
        }
        return last;
    }

    private void run(boolean reassign) {
        remembered.values().forEach(this::reserve);
        if (!reassign) {
            int[] ports = withoutLid(LongUnaryOperator.identity());
            keepReported(ports, true);
            keepReported(ports, false);
        }
        for (int port : withoutLid(Long::reverseBytes)) {
            if (exhausted == null) {
                giveNew(port);
            }
        }
    }

    /** Whose it is may be a host's that is absent: then all its LIDs are kept for it, not only the first. */
    private void reserve(int lid) {
        int size = 1 << lmc;
        reserved.set(lid, lid % size == 0 ? lid + size : lid + 1);
    }

    /** End ports that have no LID yet: the SM's own first, the others by GUID as it is sorted. */
    private int[] withoutLid(LongUnaryOperator sortKey) {
        return IntStream.range(0, fabric.portCount())
                .filter(port -> baseLid[port] == 0 && fabric.isEndport(port))
                .boxed()
                .sorted((one, other) -> inOrder(one, other, sortKey))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Written out, since no archive of classes holds what a chain of comparators makes. */
    private int inOrder(int one, int other, LongUnaryOperator sortKey) {
        int local = fabric.localPort();
        int byOwner = Boolean.compare(other == local, one == local);
        return byOwner != 0
                ? byOwner
                : Long.compareUnsigned(
                        sortKey.applyAsLong(fabric.portGuid(one)), sortKey.applyAsLong(fabric.portGuid(other)));
    }

    /** First those whose report agrees with the store, then the rest. */
    private void keepReported(int[] ports, boolean agreeing) {
        for (int port : ports) {
            PortInfo info = fabric.portInfo(port);
            int lid = info == null ? 0 : info.lid();
            boolean agrees = Integer.valueOf(lid).equals(remembered.get(fabric.portGuid(port)));
            if (lid != 0 && baseLid[port] == 0 && agrees == agreeing && fits(port, lid)) {
                take(port, lid);
            }
        }
    }

    private void giveNew(int port) {
        Integer known = remembered.get(fabric.portGuid(port));
        int lid = known != null && fits(port, known) ? known : firstAhead(port);
        lid = lid == 0 ? firstFree(port, true) : lid;
        lid = lid == 0 ? firstFree(port, false) : lid;
        if (lid == 0) {
            exhausted = "no LID is left for " + fabric.portName(port) + ": the switches forward LIDs up to " + lastLid
                    + " and LMC is " + lmc + "; lower lmc or remove end ports";
            return;
        }
        take(port, lid);
        PortInfo info = fabric.portInfo(port);
        if (info != null && info.lid() != 0 && info.lid() != lid) {
            changes.add(DeviceText.of(
                    "LID of ",
                    fabric.devicePort(port).with(EventField.LID.of(lid)),
                    " (port GUID " + Guid.format(fabric.portGuid(port)) + ") changes from " + info.lid() + " to "
                            + lid));
        }
    }

    /** As OpenSM, which leaves alone what it has passed for the sake of an aligned range, until there is nothing else. */
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

    /** LIDs are only ever taken, so each kind of search goes on where its last one ended. */
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
        return lid % size == 0 && Lids.isUnicast(lid) && lid + size - 1 <= lastLid && isClear(taken, lid, size);
    }

    private void take(int port, int lid) {
        baseLid[port] = lid;
        lmcs[port] = (byte) lmcOf(port);
        taken.set(lid, lid + (1 << lmcOf(port)));
    }

    /** Of a switch that did not say what its port 0 is like only the first LID is sure to be its own. */
    private int lmcOf(int port) {
        int node = fabric.nodeOf(port);
        return !fabric.isSwitch(node) || lmcEsp0 && fabric.hasEnhancedPort0(node) ? lmc : 0;
    }
}
