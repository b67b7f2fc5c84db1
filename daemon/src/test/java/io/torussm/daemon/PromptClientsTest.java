package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.smp.Notice;
import io.torussm.sim.GroupClient;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.state.StateDirectory;
import io.torussm.testing.MortalLoop;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.port.ForwardingTransport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that are quicker than the sweep: they join their group and subscribe within the millisecond in which their
 * port becomes ACTIVE or is asked to register again, which is before the subnet is published.
 */
class PromptClientsTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:3x3x1,hosts=2");
    private static final int HOSTS = 18;
    private static final String SM_HOST = "host-0-0-0-0";
    private static final String STANDBY_HOST = "host-1-0-0-0";
    private static final int HIGH_PRIORITY = 8;
    private static final int LOW_PRIORITY = 3;

    private final Topology topology = TORUS.topology();
    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(
            topology,
            DeviceModels.PERFECT.with(
                    DeviceModels.byDescription("host-*"),
                    model -> model.hardware(each -> each.reregistering(true)).joining(GroupClient.IPOIB_BROADCAST)),
            loop,
            new FaultPlan(1, 0, 0, 100, 2000, 0));

    @TempDir
    Path dir;

    /** The port of the SM. A client that joins a group subscribes in the same moment. */
    private static final class ClientPort extends ForwardingTransport {
        /** The LIDs of clients with a request that is not answered, by transaction ID. */
        final Map<Long, Integer> openRequests = new HashMap<>();

        /** The statuses of all answers, and the LIDs of their clients. */
        final List<Integer> statuses = new ArrayList<>();

        final Set<Integer> clients = new HashSet<>();

        ClientPort(MadTransport inner) {
            super(inner);
        }

        @Override
        protected void received(MadFrame frame) {
            recordRequest(frame);
            super.received(frame);
            boolean isJoin = MadHeader.mgmtClass(frame.mad()) == MgmtClass.SUBN_ADM
                    && MadHeader.attributeId(frame.mad()) == MCMemberRecord.TYPE.id();
            if (isJoin) {
                byte[] mad = EventLines.informInfo(1, Notice.TRAP_GID_IN_SERVICE);
                MadHeader.TRANSACTION_ID.set(mad, 0, ~MadHeader.tid(frame.mad()));
                MadFrame subscription = new MadFrame(frame.peer(), mad);
                recordRequest(subscription);
                super.received(subscription);
            }
        }

        private void recordRequest(MadFrame frame) {
            byte[] mad = frame.mad();
            if (MadHeader.mgmtClass(mad) == MgmtClass.SUBN_ADM && MadHeader.method(mad) == Method.SET) {
                openRequests.put(MadHeader.tid(mad), frame.peer().lid());
            }
        }

        @Override
        public boolean send(MadFrame frame, int responseTimeoutMs) {
            byte[] mad = frame.mad();
            boolean isAnswer = MadHeader.mgmtClass(mad) == MgmtClass.SUBN_ADM
                    && MadHeader.method(mad) != Method.REPORT
                    && openRequests.remove(MadHeader.tid(mad)) != null;
            if (isAnswer) {
                statuses.add(MadHeader.status(mad));
                clients.add(frame.peer().lid());
            }
            return super.send(frame, responseTimeoutMs);
        }

        /** Checks that each request of the clients, one of each host at least, was granted. */
        void assertAllServed() {
            assertThat(openRequests).as("not answered, by transaction ID: LID").isEmpty();
            assertThat(statuses).containsOnly(MadStatus.OK);
            assertThat(clients).hasSize(HOSTS);
            statuses.clear();
            clients.clear();
        }
    }

    @Test
    void requestsOfPromptClientsAreGrantedAtAColdStart() throws Exception {
        ClientPort port = new ClientPort(fabric.attach(SM_HOST, 1));
        awaitUp(sm(SM_HOST, HIGH_PRIORITY, port).start());
        port.assertAllServed();
    }

    @Test
    void requestsOfPromptClientsAreGrantedAfterATakeover() throws Exception {
        FabricSm first = sm(SM_HOST, HIGH_PRIORITY, new ClientPort(fabric.attach(SM_HOST, 1)))
                .start();
        awaitUp(first);
        ClientPort port = new ClientPort(fabric.attach(STANDBY_HOST, 1));
        FabricSm second = sm(STANDBY_HOST, LOW_PRIORITY, port).start();
        advance(20_000);
        assertThat(second.isUp()).isFalse();
        first.kill();
        awaitUp(second);
        port.assertAllServed();
    }

    @Test
    void requestsOfAHostThatIsPluggedInAreGranted() throws Exception {
        ClientPort port = new ClientPort(fabric.attach(SM_HOST, 1));
        long late = topology.node("host-2-2-0-1").orElseThrow().nodeGuid();
        fabric.unlink(late, 1);
        FabricSm sm = sm(SM_HOST, HIGH_PRIORITY, port).start();
        awaitUp(sm);
        advance(10_000);
        port.statuses.clear();
        long before = Objects.requireNonNull(sm.sweeper.view()).sweep();
        fabric.relink(late, 1);
        while (Objects.requireNonNull(sm.sweeper.view()).sweep() == before) {
            advance(1);
        }
        advance(10);
        assertThat(port.openRequests).isEmpty();
        assertThat(port.statuses).containsExactly(MadStatus.OK, MadStatus.OK);
    }

    private FabricSm sm(String host, int priority, ClientPort port) throws Exception {
        return new FabricSm(
                new MortalLoop(loop),
                port,
                priority,
                ServiceHarness.torusOptions(dir, TORUS),
                StateDirectory.open(dir.resolve("state-" + host), loop),
                priority);
    }

    private void advance(int milliseconds) {
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(milliseconds));
    }

    private void awaitUp(FabricSm sm) {
        for (int i = 0; i < 60_000 && !sm.isUp(); i++) {
            advance(1);
        }
        assertThat(sm.isUp()).isTrue();
        advance(10);
    }
}
