package io.torussm.daemon.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.recording.FlightRecorder;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.testing.BoundedWait;
import io.torussm.transport.MKeySource;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cost of the recorder per SMP: Gets of PortInfo on the embedded fabric, with and without it, in turn. */
@Tag("campaign")
class RecorderCost {
    private static final int SMPS = 400_000;
    private static final int ROUNDS = 7;
    private static final int IN_FLIGHT = 64;

    private static final ThreadMXBean CPU = ManagementFactory.getThreadMXBean();

    private int answered;

    private double smpsPerSecond(boolean isRecorded) {
        VirtualLoop loop = new VirtualLoop();
        SimFabric fabric = new SimFabric(TorusSpec.parse("torus:4x4x1,hosts=1").topology(), loop, FaultPlan.NONE);
        MadTransport port = fabric.attach("host-0-0-0-0", 1);
        FlightRecorder ring = new FlightRecorder(System::nanoTime, 16 << 20);
        MadClient client = new MadClient(
                isRecorded ? new RecordedPort(port, ring) : port,
                loop,
                MKeySource.fixed(0),
                () -> new MadClient.Settings(IN_FLIGHT, IN_FLIGHT, 1000, 3),
                1,
                new MadClient.UnsolicitedReceiver() {
                    @Override
                    public void subnetManagement(MadFrame frame) {}

                    @Override
                    public void subnetAdministration(MadFrame frame) {}

                    @Override
                    public void portLost(String reason) {}
                });
        answered = 0;
        long beganNs = CPU.getCurrentThreadCpuTime();
        for (int i = 0; i < IN_FLIGHT; i++) {
            sendRequest(client);
        }
        BoundedWait.until(loop, "all SMPs are answered", () -> answered >= SMPS, TimeUnit.HOURS.toNanos(1));
        return SMPS * 1e9 / (CPU.getCurrentThreadCpuTime() - beganNs);
    }

    private void sendRequest(MadClient client) {
        client.scope().get(PortInfo.TYPE, DrPath.of(1), 1, outcome -> {
            answered++;
            sendRequest(client);
        });
    }

    @Test
    void isSmall() {
        List<Double> with = new ArrayList<>();
        List<Double> without = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            without.add(smpsPerSecond(false));
            with.add(smpsPerSecond(true));
        }
        System.out.printf(
                "SMPs per second of CPU time without the recorder %.0f (median of %s), with it %.0f (median of %s)%n",
                median(without), shown(without), median(with), shown(with));
        assertThat(answered).isGreaterThanOrEqualTo(SMPS);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }

    private static String shown(List<Double> values) {
        return Arrays.toString(values.stream().mapToLong(Math::round).toArray());
    }
}
