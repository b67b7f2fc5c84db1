package io.torussm.transport.umad;

import io.torussm.mad.Attribute;
import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.Field;
import io.torussm.mad.Method;
import io.torussm.mad.congestion.CongestionInfo;
import io.torussm.mad.perf.CounterSet;
import io.torussm.mad.perf.PortCounters;
import io.torussm.mad.perf.PortCountersExtended;
import io.torussm.mad.perf.PortRcvErrorDetails;
import io.torussm.mad.perf.PortXmitDiscardDetails;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.testing.RealLoop;
import io.torussm.transport.GsiClient;
import io.torussm.transport.GsiRequest;
import io.torussm.transport.MKeySource;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The program that {@code PerfInteropTest} runs in another JVM with umad2sim preloaded, on two hosts at one switch. It
 * assigns LIDs and routes, reads counters, and prints a line each: attribute, port and values.
 */
final class PerfProbe {
    static final int HOST_LID = 3;
    static final int OTHER_LID = 5;
    static final int SWITCH_LID = 7;
    private static final int ROUTED_LIDS = 64;

    private final RealLoop loop;
    private final MadClient client;
    private final GsiClient gsi;
    private CompletableFuture<Void> completion = new CompletableFuture<>();

    private PerfProbe(RealLoop loop, MadClient client) {
        this.loop = loop;
        this.client = client;
        gsi = new GsiClient(
                client,
                loop,
                () -> new GsiClient.Settings(8, 0, 1_000, 0),
                1,
                GsiClient.RedirectionPolicy.withinSubnet(pKey -> 0));
    }

    /** {@code clear} also clears symbol errors of port 1 of the switch and reads again. */
    public static void main(String[] arguments) throws Exception {
        try (UmadTransport transport = UmadTransport.open(PortChoice.firstUsable());
                RealLoop loop = new RealLoop()) {
            MadClient client = new MadClient(
                    transport,
                    loop,
                    MKeySource.fixed(0),
                    () -> new MadClient.Settings(4, 4, 2_000, 0),
                    1,
                    new Silent());
            PerfProbe probe = new PerfProbe(loop, client);
            probe.configure();
            probe.read(SWITCH_LID, ClassPortInfo.TYPE.zero());
            probe.read(HOST_LID, ClassPortInfo.TYPE.zero());
            for (int port : new int[] {1, 2, CounterSet.ALL_PORTS}) {
                probe.read(SWITCH_LID, PortCounters.COUNTERS.readRequest(port));
            }
            probe.read(SWITCH_LID, PortCountersExtended.COUNTERS.readRequest(1));
            probe.read(SWITCH_LID, PortRcvErrorDetails.COUNTERS.readRequest(1));
            probe.read(SWITCH_LID, PortXmitDiscardDetails.COUNTERS.readRequest(1));
            probe.read(HOST_LID, PortCounters.COUNTERS.readRequest(1));
            probe.read(OTHER_LID, PortCounters.COUNTERS.readRequest(1));
            probe.read(OTHER_LID, PortCounters.COUNTERS.readRequest(2));
            probe.congestion(SWITCH_LID);
            if (arguments.length > 0) {
                probe.read(
                        9,
                        PortCounters.COUNTERS.readRequest(
                                1)); // a LID without an owner, which ibsim counts as an error of the switch
                List<Field> cleared = List.of(PortCounters.SYMBOL_ERROR_COUNTER, PortCounters.PORT_XMIT_WAIT);
                probe.send(GsiRequest.perfSet(
                        address(SWITCH_LID), PortCounters.COUNTERS.clearRequest(1, cleared), probe.printer("cleared")));
                probe.read(SWITCH_LID, PortCounters.COUNTERS.readRequest(1));
            }
            System.out.println(probe.gsi.stats());
        }
    }

    private static MadAddress address(int lid) {
        return new MadAddress(lid, 1, 0, 0);
    }

    private <A extends Attribute<A>> void read(int lid, A value) throws Exception {
        send(GsiRequest.perfGet(address(lid), value, printer("lid " + lid)));
    }

    private void congestion(int lid) throws Exception {
        send(GsiRequest.congestion(address(lid), Method.GET, 0, 0, CongestionInfo.TYPE.zero(), printer("lid " + lid)));
    }

    private <A extends Attribute<A>> GsiRequest.Continuation<A> printer(String label) {
        return (outcome, atNs) -> {
            System.out.println(label + " " + (outcome instanceof Outcome.Reply<A> reply ? reply.value() : outcome));
            completion.complete(null);
        };
    }

    private void send(GsiRequest<?> request) throws Exception {
        completion = new CompletableFuture<>();
        loop.execute(() -> gsi.send(request));
        completion.get(30, TimeUnit.SECONDS);
    }

    private void configure() throws Exception {
        DrPath toSwitch = DrPath.of(1);
        DrPath toOther = DrPath.of(1, 2);
        set(PortInfo.TYPE.zero().with(PortInfo.LID, HOST_LID), DrPath.LOCAL, 1);
        set(PortInfo.TYPE.zero().with(PortInfo.LID, SWITCH_LID), toSwitch, 0);
        set(PortInfo.TYPE.zero().with(PortInfo.LID, OTHER_LID), toOther, 1);
        byte[] table = new byte[ROUTED_LIDS];
        Arrays.fill(table, LinearForwardingTable.NO_PATH_ENTRY);
        table[HOST_LID] = 1;
        table[OTHER_LID] = 2;
        table[SWITCH_LID] = 0;
        set(SwitchInfo.TYPE.zero().with(SwitchInfo.LINEAR_FDB_TOP, ROUTED_LIDS - 1), toSwitch, 0);
        set(LinearForwardingTable.blockOf(table, 0), toSwitch, 0);
        for (int state = PortInfo.STATE_ARMED; state <= PortInfo.STATE_ACTIVE; state++) {
            PortInfo step = PortInfo.TYPE.zero().with(PortInfo.PORT_STATE, state);
            set(step, toSwitch, 1);
            set(step, toSwitch, 2);
            set(step.with(PortInfo.LID, HOST_LID), DrPath.LOCAL, 1);
            set(step.with(PortInfo.LID, OTHER_LID), toOther, 1);
        }
    }

    private <A extends Attribute<A>> void set(A value, DrPath path, int modifier) throws Exception {
        CompletableFuture<Outcome<A>> answer = new CompletableFuture<>();
        loop.execute(() -> client.scope().set(value, path, modifier, answer::complete));
        Outcome<A> outcome = answer.get(30, TimeUnit.SECONDS);
        if (!(outcome instanceof Outcome.Reply<A>)) {
            throw new IllegalStateException(value + " at " + path + ": " + outcome);
        }
    }

    private static final class Silent implements MadClient.UnsolicitedReceiver {
        @Override
        public void subnetManagement(MadFrame frame) {}

        @Override
        public void subnetAdministration(MadFrame frame) {}

        @Override
        public void portLost(String reason) {}
    }
}
