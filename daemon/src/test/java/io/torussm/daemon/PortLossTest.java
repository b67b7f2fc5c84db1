package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.system.NettyLoop;
import io.torussm.event.SmEvent;
import io.torussm.sim.SimFabric;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.transport.MadTransport;
import io.torussm.transport.port.ForwardingTransport;
import io.torussm.transport.port.SteadyPort;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An SM whose adapter is reset, which the kernel reports as the loss of the port; and one on an embedded fabric with
 * the limits of the Linux MAD layer ({@code sim_limits}).
 */
class PortLossTest {
    @TempDir
    Path dir;

    /** A port that a test can reset. */
    private static final class Adapter extends ForwardingTransport {
        Adapter(MadTransport inner) {
            super(inner);
        }

        void reset() {
            receiver().transportFailed("the adapter was reset");
        }
    }

    /** An embedded fabric with an adapter that is opened again after a reset, as {@link SteadyPort} does. */
    private static final class AdapterEnvironment implements SubnetManager.Environment {
        private final AtomicReference<Adapter> adapter = new AtomicReference<>();

        @Override
        public MadTransport port(SmOptions options, NettyLoop loop) {
            SimFabric fabric =
                    new SimFabric(TorusSpec.parse("torus:3x3x1,hosts=1").topology(), loop, FaultPlan.NONE);
            return new SteadyPort(plugIn(fabric), () -> plugIn(fabric), loop);
        }

        private Adapter plugIn(SimFabric fabric) {
            Adapter opened = new Adapter(fabric.attach("host-0-0-0-0", 1));
            adapter.set(opened);
            return opened;
        }

        @Override
        public PeerChannel peers(JGroupsChannel.Settings settings, KeyFile key, NettyLoop loop) {
            throw new AssertionError("there is no replication here");
        }
    }

    @Test
    void aResetAdapterIsOpenedAgainAndTheSubnetIsSweptImmediately() throws Exception {
        AdapterEnvironment environment = new AdapterEnvironment();
        try (ServiceHarness sm = new ServiceHarness(dir, Map.of(Settings.ROUTING_ENGINE, "updn"), environment)) {
            assertThat(sm.end()).isEqualTo("up");
            Adapter first = Objects.requireNonNull(environment.adapter.get());
            first.reset();
            assertThat(sm.end()).isEqualTo("port unusable: the adapter was reset");
            assertThat(sm.end()).isEqualTo("port usable");
            assertThat(environment.adapter.get()).isNotSameAs(first);
            assertThat(sm.end()).isEqualTo("up");
            assertThat(sm.log.only(SmEvent.PORT_AWAY).names("the adapter was reset"))
                    .isTrue();
            assertThat(sm.log.of(SmEvent.PORT_BACK)).hasSize(1);
        }
    }

    @Test
    void anSmBringsUpAFabricWithTheLimitsOfTheLinuxMadLayer() throws Exception {
        try (ServiceHarness sm = new ServiceHarness(
                dir,
                Map.of(
                        Settings.SIMULATE,
                        "torus:4x4x2,hosts=2",
                        Settings.SIM_LIMITS,
                        "true",
                        Settings.ROUTING_ENGINE,
                        "updn"))) {
            assertThat(sm.end()).isEqualTo("up");
        }
    }
}
