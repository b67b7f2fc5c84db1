package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.sm.Transports;
import io.torussm.daemon.system.NettyLoop;
import io.torussm.event.EventField;
import io.torussm.event.Finding.Severity;
import io.torussm.event.SmEvent;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import io.torussm.transport.port.ForwardingTransport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The policy file of a running SM: it is read at the start and with each heavy sweep. */
@Timeout(120)
class QosPolicyServiceTest implements SubnetManager.Environment {
    private static final int LEVEL = 8;
    private static final long TIMEOUT_S = 60;

    @TempDir
    Path dir;

    private final BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
    private MadTransport.@Nullable Receiver receiver;

    @Override
    public MadTransport port(SmOptions options, NettyLoop simulation)
            throws TransportException, ConfigurationException {
        return new ForwardingTransport(Transports.open(options, simulation)) {
            @Override
            public void start(Receiver newReceiver) {
                receiver = newReceiver;
                super.start(newReceiver);
            }

            @Override
            public boolean send(MadFrame frame, int responseTimeoutMs) {
                return MadHeader.mgmtClass(frame.mad()) == MgmtClass.SUBN_ADM
                        ? answers.add(frame.mad())
                        : super.send(frame, responseTimeoutMs);
            }
        };
    }

    @Override
    public PeerChannel peers(JGroupsChannel.Settings settings, KeyFile key, NettyLoop loop) {
        throw new AssertionError("no peers are configured");
    }

    @Test
    void isReadAtEachHeavySweepAndKeptIfTheNewFileIsWrong() throws Exception {
        write("default : 8");
        try (ServiceHarness harness = new ServiceHarness(
                dir.resolve("state"),
                Map.of(Settings.SIMULATE, "torus:3x3x1,hosts=1", Settings.QOS_POLICY_FILE, file().toString()),
                this)) {
            assertThat(harness.end()).isEqualTo("up");
            assertThat(level(harness)).isEqualTo(LEVEL);
            write("default : 0");
            assertThat(level(harness)).as("before the sweep").isEqualTo(LEVEL);
            harness.control().requestSweep(true);
            assertThat(harness.end()).isEqualTo("up");
            assertThat(level(harness)).isZero();
            assertThat(harness.log.of(Severity.ERROR)).isEmpty();
            write("default : 8\nwhat : 1");
            harness.control().requestSweep(true);
            assertThat(harness.end()).isEqualTo("up");
            assertThat(level(harness)).isZero();
            assertThat(harness.log.of(Severity.ERROR)).hasSize(2);
            assertThat(harness.log.only(SmEvent.QOS_POLICY_ERROR).get(EventField.TEXT))
                    .startsWith(file() + ":3: ");
            assertThat(harness.log.only(SmEvent.QOS_POLICY_KEPT).names(file())).isTrue();
        }
    }

    private Path file() {
        return dir.resolve("qos-policy.conf");
    }

    private void write(String ulps) throws Exception {
        Files.writeString(file(), "qos-ulps\n" + ulps + "\nend-qos-ulps\n");
    }

    /** Returns the QoS level of the path from the SM's port to itself. */
    private int level(ServiceHarness harness) throws InterruptedException {
        Subnet subnet = Objects.requireNonNull(harness.control().view()).subnet();
        byte[] mad = SaMad.request(
                Method.GET,
                1,
                PathRecord.TYPE.id(),
                0,
                PathRecord.COMPONENTS.bit(PathRecord.SLID) | PathRecord.COMPONENTS.bit(PathRecord.DLID));
        PathRecord.SLID.set(mad, SaMad.DATA_OFFSET, subnet.smLid());
        PathRecord.DLID.set(mad, SaMad.DATA_OFFSET, subnet.smLid());
        Objects.requireNonNull(receiver).received(new MadFrame(new MadAddress(subnet.smLid(), 1, 0, 0), mad));
        byte[] answer = Objects.requireNonNull(answers.poll(TIMEOUT_S, TimeUnit.SECONDS));
        assertThat(MadHeader.status(answer)).isZero();
        return (int) PathRecord.SL.get(answer, SaMad.DATA_OFFSET) & LEVEL;
    }
}
