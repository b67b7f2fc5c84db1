package io.torussm.torus2qos;

import com.sun.management.ThreadMXBean;
import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.transition.ThoroughTransition;
import io.torussm.deadlock.transition.Transition;
import io.torussm.deadlock.transition.TransitionPlanner;
import io.torussm.fabric.Fabric;
import io.torussm.routing.PathSls;
import io.torussm.routing.Plan;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A change from one plan to another of a torus, which may lack switches and cables. */
final class Change implements HeldTables {
    final Plan before;
    final Plan after;

    /**
     * The plan {@code after}, with SLs that paths had before and keep: no host has been granted another SL
     * yet.
     */
    final Plan planWithKeptSls;

    final Fabric oldFabric;
    final Fabric fabric;
    final Transition transition;
    private final Certificate certificate;

    Change(Plan before, ChainResult result) {
        this.before = before;
        this.after = TestTorus.plan(result);
        oldFabric = before.subnet().fabric();
        planWithKeptSls = after.withTables(
                        IntStream.range(0, after.subnet().fabric().switchCount())
                                .mapToObj(after::lft)
                                .toArray(byte[][]::new))
                .sls(new KeptSls())
                .build();
        fabric = after.subnet().fabric();
        certificate = (Certificate) Objects.requireNonNull(result.verdict());
        transition = new TransitionPlanner(this, before, after, certificate, TestTorus.QOS, 2).find();
    }

    private final class KeptSls implements PathSls {
        @Override
        public int sl(int srcLid, int dstLid, int wanted) {
            throw new AssertionError("packets have what masks say");
        }

        @Override
        public int mask(int srcSw, int dstLid) {
            boolean isOld = oldIndex(srcSw) != Fabric.NONE && before.subnet().switchOfLid(dstLid) != Fabric.NONE;
            return isOld ? after.slMask(srcSw, dstLid) & before.slMask(oldIndex(srcSw), dstLid) : 0;
        }
    }

    /** Returns the transition of a search that follows the packets to all destinations. */
    Transition thoroughTransition() {
        return ThoroughTransition.find(this, before, after, certificate, TestTorus.QOS);
    }

    /** Returns how often the search asks for the SLs of a switch and a LID. */
    long slQueries() {
        LongAdder asked = new LongAdder();
        PathSls known = after.sls();
        Plan counted = after.withTables(IntStream.range(0, fabric.switchCount())
                        .mapToObj(after::lft)
                        .toArray(byte[][]::new))
                .sls(new PathSls() {
                    @Override
                    public int sl(int srcLid, int dstLid, int wanted) {
                        return known.sl(srcLid, dstLid, wanted);
                    }

                    @Override
                    public int mask(int srcSw, int dstLid) {
                        asked.increment();
                        return known.mask(srcSw, dstLid);
                    }
                })
                .build();
        new TransitionPlanner(this, before, counted, certificate, TestTorus.QOS, 1).find();
        return asked.sum();
    }

    /** Returns the bytes that a search in one thread allocates. */
    long allocatedBytes() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long begun = threads.getCurrentThreadAllocatedBytes();
        new TransitionPlanner(this, before, after, certificate, TestTorus.QOS, 1).find();
        return threads.getCurrentThreadAllocatedBytes() - begun;
    }

    /** Returns the index of a switch in the previous plan; NONE if it was not there. */
    int oldIndex(int sw) {
        int index = oldFabric.nodeByGuid(fabric.nodeGuid(sw));
        return index != Fabric.NONE && oldFabric.isSwitch(index) ? index : Fabric.NONE;
    }

    @Override
    public byte @Nullable [] lft(int sw) {
        return oldIndex(sw) == Fabric.NONE ? null : before.lft(oldIndex(sw));
    }

    @Override
    public long sl2vl(int sw, int in, int out) {
        return oldIndex(sw) == Fabric.NONE ? after.sl2vl(sw, in, out) : before.sl2vl(oldIndex(sw), in, out);
    }

    @Override
    public boolean areRowsPlanned() {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int in = 0; in <= fabric.numPorts(sw); in++) {
                for (int out = 0; out <= fabric.numPorts(sw); out++) {
                    boolean isPassed = isUp(fabric.port(sw, in)) && isUp(fabric.port(sw, out));
                    if (isPassed && sl2vl(sw, in, out) != after.sl2vl(sw, in, out)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** Checks whether a port is up: cables that were there before are, others are not yet. */
    @Override
    public boolean isUp(int port) {
        int sw = fabric.nodeOf(port);
        int portNum = fabric.portNum(port);
        int far = fabric.peer(port);
        if (portNum == 0) {
            return true;
        }
        int oldSw = oldIndex(sw);
        if (oldSw == Fabric.NONE || far == Fabric.NONE) {
            return false;
        }
        int oldFar = oldFabric.peer(oldFabric.port(oldSw, portNum));
        return oldFar != Fabric.NONE
                && oldFabric.nodeGuid(oldFabric.nodeOf(oldFar)) == fabric.nodeGuid(fabric.nodeOf(far))
                && oldFabric.portNum(oldFar) == fabric.portNum(far);
    }
}
