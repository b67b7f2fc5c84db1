package io.torussm.perf;

import io.torussm.fabric.Fabric;
import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.perf.PerfCapability;
import io.torussm.mad.perf.PerfMad;
import io.torussm.mad.perf.PortCounters;
import io.torussm.mad.perf.PortCountersExtended;
import io.torussm.mad.perf.PortRcvErrorDetails;
import io.torussm.routing.Plan;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sim.VirtualLoop;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.testing.ViewDraft;
import io.torussm.transport.GsiClient;
import io.torussm.transport.LocalPort;
import io.torussm.transport.MKeySource;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A performance manager in virtual time, and the wire to its agents, by LID. The default fabric is a ring of four
 * switches with a host each: 8 agents (LIDs 1 to 4 of switches, 5 to 8 of hosts) and 16 ports with a link. Switch n
 * has port 1 to switch n + 1, port 2 to switch n - 1 and port 3 to its host. A turn is 10 s by default.
 */
final class PerfHarness implements MadTransport {
    /** Response time of an agent. */
    static final long ANSWER_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /** Time-out of the first try; one retry follows. */
    static final int TIMEOUT_MS = 100;

    final VirtualLoop loop = new VirtualLoop();
    final CounterStore store = new CounterStore();
    final Map<Integer, TestAgent> agents = new HashMap<>();
    final List<MadFrame> sent = new ArrayList<>();

    boolean isPolling = true;
    int intervalS = 10;
    int maxQueries = 500;
    int deviceQueries = 2;
    int madsPerSecond = 100_000;
    boolean ignoresHosts;
    boolean followsRedirection = true;
    boolean readsDetails;
    PerfSettings.Clearing clearing = PerfSettings.Clearing.AUTO;
    Thresholds limits = Thresholds.STANDARD;

    Subnet subnet = Subnets.of(Sketch.ring(4).build());
    private @Nullable Receiver receiver;
    final PerformanceManager manager;

    /** The performance agent of a device, and the counters of the device's ports. */
    static final class TestAgent {
        int capabilityMask = PerfCapability.EXTENDED_WIDTH | PerfCapability.XMIT_WAIT;
        long capabilityMask2;
        boolean isSilent;
        boolean isBusy;

        /** AttributeID that the agent does not support; 0 for none. */
        int unsupportedAttribute;

        /** LID to which the agent redirects requests to QP1; 0 for none. */
        int redirectedTo;

        int redirectedQp = 77;

        /** Number of received requests, retries included. */
        int requests;

        /** Number of pending requests, and its maximum. */
        int pendingRequests;

        int maxPendingRequests;

        /** Counters by port number; 0 if absent. */
        final Map<Integer, Map<Counter, Long>> ports = new HashMap<>();

        void set(int portNum, Counter counter, long value) {
            ports.computeIfAbsent(portNum, any -> new HashMap<>()).put(counter, value);
        }

        private long value(int portNum, Field field) {
            long value = Counter.named(field.name())
                    .map(counter -> ports.getOrDefault(portNum, Map.of()).getOrDefault(counter, 0L))
                    .orElse(0L);
            long max = PortReading.max(field.width());
            return Long.compareUnsigned(value, max) > 0 ? max : value;
        }
    }

    PerfHarness() {
        MadClient client = new MadClient(
                this,
                loop,
                MKeySource.fixed(0),
                () -> new MadClient.Settings(64, 4, TIMEOUT_MS, 1),
                3,
                ignoringReceiver());
        manager = new PerformanceManager(
                loop,
                redirections -> new GsiClient(
                        client,
                        loop,
                        () -> new GsiClient.Settings(maxQueries, madsPerSecond, TIMEOUT_MS, 1),
                        5,
                        redirections),
                store,
                this::settings);
        IntStream.rangeClosed(1, subnet.topLid()).forEach(lid -> agents.put(lid, new TestAgent()));
    }

    private static MadClient.UnsolicitedReceiver ignoringReceiver() {
        return new MadClient.UnsolicitedReceiver() {
            @Override
            public void subnetManagement(MadFrame frame) {}

            @Override
            public void subnetAdministration(MadFrame frame) {}

            @Override
            public void portLost(String reason) {}
        };
    }

    private PerfSettings settings() {
        return new PerfSettings(
                isPolling,
                intervalS,
                maxQueries,
                deviceQueries,
                madsPerSecond,
                ignoresHosts,
                followsRedirection,
                true,
                true,
                readsDetails,
                clearing,
                60,
                limits,
                20);
    }

    Fabric fabric() {
        return subnet.fabric();
    }

    /** Returns the agent of a switch. */
    TestAgent agent(int sw) {
        return agentWithLid(subnet.lid(fabric().port(sw, 0)));
    }

    private TestAgent agentWithLid(int lid) {
        return Objects.requireNonNull(agents.get(lid));
    }

    /** Returns a view of the current subnet, routed by minhop. */
    PublishedView view() {
        Plan plan = (Plan) new MinHopEngine().route(subnet, TestRouting.NO_QOS);
        return ViewDraft.of(plan).smPortGuid(1).build();
    }

    /** Brings the subnet up, and runs the first turn to its end, 900 ms later at most. */
    void bringUp() {
        manager.subnetUp(view());
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(900));
    }

    /** Runs the loop for one interval, which includes one turn. */
    void runTurn() {
        loop.runFor(TimeUnit.SECONDS.toNanos(intervalS));
    }

    /** Returns the statistics of a port of a switch. */
    PortStatistics port(int sw, int portNum) {
        return Objects.requireNonNull(store.counters(fabric().nodeGuid(sw), portNum));
    }

    /** Checks whether a port of a switch was ever read. */
    boolean isRead(int sw, int portNum) {
        return store.isRead(fabric().nodeGuid(sw), portNum);
    }

    @Override
    public LocalPort localPort() {
        return new LocalPort("test", 1, 1);
    }

    @Override
    public int maxOutstanding() {
        return 4096;
    }

    @Override
    public void start(Receiver newReceiver) {
        receiver = newReceiver;
    }

    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        sent.add(frame);
        TestAgent agent = agentWithLid(frame.peer().lid());
        agent.requests++;
        agent.pendingRequests++;
        agent.maxPendingRequests = Math.max(agent.maxPendingRequests, agent.pendingRequests);
        if (!agent.isSilent) {
            loop.schedule(ANSWER_NS, () -> {
                agent.pendingRequests--;
                Objects.requireNonNull(receiver).received(new MadFrame(frame.peer(), answer(agent, frame)));
            });
        }
        return true;
    }

    private static byte[] answer(TestAgent agent, MadFrame frame) {
        byte[] mad = frame.mad().clone();
        int attribute = MadHeader.attributeId(mad);
        boolean isSet = MadHeader.method(mad) == Method.SET;
        MadHeader.METHOD.set(mad, 0, Method.GET_RESP);
        if (agent.isBusy) {
            MadHeader.STATUS.set(mad, 0, MadStatus.BUSY);
        } else if (agent.redirectedTo != 0 && frame.peer().qpn() == 1) {
            MadHeader.STATUS.set(mad, 0, MadStatus.REDIRECT);
            redirection(agent).write(mad, PerfMad.DATA_OFFSET);
        } else if (attribute == agent.unsupportedAttribute) {
            MadHeader.STATUS.set(mad, 0, MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
        } else if (attribute == ClassPortInfo.TYPE.id()) {
            ClassPortInfo.TYPE
                    .zero()
                    .with(ClassPortInfo.CAPABILITY_MASK, agent.capabilityMask)
                    .with(ClassPortInfo.CAPABILITY_MASK2, agent.capabilityMask2)
                    .write(mad, PerfMad.DATA_OFFSET);
        } else {
            accessCounters(agent, mad, attribute, isSet);
        }
        return mad;
    }

    private static ClassPortInfo redirection(TestAgent agent) {
        return ClassPortInfo.TYPE
                .zero()
                .with(ClassPortInfo.REDIRECT_LID, agent.redirectedTo)
                .with(ClassPortInfo.REDIRECT_QP, agent.redirectedQp)
                .with(ClassPortInfo.REDIRECT_SL, 9)
                .with(ClassPortInfo.REDIRECT_P_KEY, 0xffff)
                .with(ClassPortInfo.REDIRECT_Q_KEY, 0x8001_0000L);
    }

    private static void accessCounters(TestAgent agent, byte[] mad, int attribute, boolean isSet) {
        if (isSet) {
            PortCounters request = PortCounters.TYPE.read(mad, PerfMad.DATA_OFFSET);
            PortCounters.COUNTERS
                    .selectedCounters(request)
                    .forEach(field -> agent.set(
                            PortCounters.COUNTERS.port(request),
                            Counter.named(field.name()).orElseThrow(),
                            0));
        }
        int portNum = (int) PortCounters.PORT_SELECT.get(mad, PerfMad.DATA_OFFSET);
        List<Field> fields = attribute == PortCounters.TYPE.id()
                ? PortCounters.COUNTERS.counters()
                : attribute == PortCountersExtended.TYPE.id()
                        ? PortCountersExtended.COUNTERS.counters()
                        : PortRcvErrorDetails.COUNTERS.counters();
        fields.forEach(field -> field.set(mad, PerfMad.DATA_OFFSET, agent.value(portNum, field)));
    }

    @Override
    public void setIsSm(boolean isSm) {}

    @Override
    public void close() {}
}
