package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineContext;
import io.torussm.routing.PathSls;
import io.torussm.routing.Plan;
import io.torussm.routing.Plans;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.dor.DorEngine;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A torus of 3 x 3 switches with two hosts each, routed by dor with a multicast tree; joins at its SA, and packets that
 * follow the tables of its switches.
 */
abstract class MulticastSweepCase {
    static final int MFT = MulticastForwardingTable.TYPE.id();
    static final Gid OTHER = new Gid(0xff12_1234_0000_0000L, 1);
    static final long ALIAS = 0x1234;
    static final int BROADCAST_MLID = 0xc000;
    static final int OTHER_MLID = 0xc001;

    final SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=2");
    final List<MadFrame> answers = new ArrayList<>();

    /** Switches that may be roots of the multicast tree; empty for no multicast. */
    int[] roots = {0};

    /** SLs of multicast, bit n for SL n. */
    int sls = 1;

    boolean isRefusing;

    final Engine engine = new Engine() {
        private final DorEngine dor = new DorEngine();

        @Override
        public String name() {
            return "double";
        }

        @Override
        public RoutingResult route(EngineContext context) {
            return isRefusing
                    ? new Refusal("double", List.of(Finding.error("a ring is broken")))
                    : rooted((Plan) dor.route(context), roots, sls);
        }
    };

    SweepHarness bringUp() {
        return bringUp(harness);
    }

    SweepHarness bringUp(SweepHarness of) {
        of.engine = engine;
        assertThat(of.sweep()).isEqualTo("up");
        assertThat(of.publishedView().multicast() != null).isEqualTo(roots.length > 0);
        return of;
    }

    int sendAndGetStatus(int method, Gid mgid, int port, int joinState) {
        send(harness, method, mgid, port, joinState);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        return MadHeader.status(answers.get(answers.size() - 1).mad());
    }

    void send(SweepHarness of, int method, Gid mgid, int port, int joinState) {
        int qKey = mgid.equals(OTHER) ? 5 : 0x0b1b; // the broadcast group has 0x0b1b
        byte[] mad = of.membership(method, answers.size() + 1L, mgid, port, joinState, qKey);
        MadAddress requester = new MadAddress(of.publishedView().subnet().lid(port), 1, 0, 0);
        of.administrator(answers::add).onMad(new MadFrame(requester, mad));
    }

    int join(Gid mgid, int port) {
        return sendAndGetStatus(Method.SET, mgid, port, MCMemberRecord.FULL_MEMBER);
    }

    int leave(Gid mgid, int port) {
        return sendAndGetStatus(Method.DELETE, mgid, port, MCMemberRecord.FULL_MEMBER);
    }

    /**
     * Checks that a packet from any of the senders arrives at each receiver except the sender once, and
     * nowhere else.
     */
    static void assertDelivers(SweepHarness of, int mlid, List<Integer> senders, List<Integer> receivers) {
        Fabric fabric = of.publishedView().subnet().fabric();
        for (int sender : senders) {
            Map<Integer, Integer> arrived = new HashMap<>();
            int budget = 10_000;
            List<Integer> arrivals = new ArrayList<>(List.of(fabric.peer(sender)));
            while (!arrivals.isEmpty() && budget-- > 0) {
                int in = arrivals.remove(arrivals.size() - 1);
                int sw = fabric.nodeOf(in);
                long[] mask = of.fabric.mft(fabric.nodeGuid(sw), mlid);
                for (int out = 0; out <= fabric.numPorts(sw); out++) {
                    boolean isSet = (mask[out >> 6] >> out & 1) != 0;
                    int far = fabric.peer(fabric.port(sw, out));
                    if (isSet && fabric.port(sw, out) != in && far != Fabric.NONE) {
                        if (fabric.isSwitch(fabric.nodeOf(far))) {
                            arrivals.add(far);
                        } else {
                            arrived.merge(far, 1, Integer::sum);
                        }
                    }
                }
            }
            Map<Integer, Integer> expected = new HashMap<>();
            receivers.stream().filter(port -> port != sender).forEach(port -> expected.put(port, 1));
            assertThat(arrived).as("from port %s", sender).isEqualTo(expected);
        }
    }

    static final int UNICAST_SL = 1;

    /** Returns a plan with roots for multicast, which has its own VLs, so that every tree is safe. */
    static Plan rooted(Plan plan, int[] roots, int sls) {
        PathSls unicast = new PathSls() {
            @Override
            public int sl(int srcLid, int dstLid, int wanted) {
                return plan.pathSl(srcLid, dstLid, UNICAST_SL);
            }

            @Override
            public int mask(int srcSw, int dstLid) {
                return plan.slMask(srcSw, dstLid) & 1 << UNICAST_SL;
            }
        };
        return Plans.like("rooted", plan)
                .sls(unicast)
                .multicast(Optional.empty(), roots, sls)
                .build();
    }
}
