package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TorusSketch;
import io.torussm.testing.ViewDraft;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.view.PublishedView;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Latency of SubnAdmGet(PathRecord) by SGID and DGID between random hosts, from receipt of the MAD to its
 * answer.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class PathRecordBenchmark {
    private static final int REQUESTS = 1 << 12;

    /** Radices, parallel cables and hosts of each switch. */
    @Param({"4x4x4x1x1", "10x10x10x1x8"})
    public String torus = "";

    private final MadFrame[] requests = new MadFrame[REQUESTS];
    private final MadFrame[] last = new MadFrame[1];
    private SubnetAdministrator sa = administrator(null);
    private int next;

    private SubnetAdministrator administrator(@Nullable PublishedView view) {
        return PathsAlone.administrator(() -> view, frame -> last[0] = frame, Runnable::run);
    }

    /** Prepares the SA and its requests. */
    @Setup
    public void route() {
        Subnet subnet = TorusSketch.parse(torus).subnet();
        Plan plan = (Plan) new MinHopEngine().route(subnet, new RoutingOptions(false, 5, 0));
        sa = administrator(ViewDraft.of(plan).build());
        Random random = new Random(1);
        for (int i = 0; i < REQUESTS; i++) {
            int from = subnet.portOfLid(1 + random.nextInt(subnet.topLid()));
            int to = subnet.portOfLid(1 + random.nextInt(subnet.topLid()));
            Fabric fabric = subnet.fabric();
            byte[] mad = SaMad.request(Method.GET, i + 1, PathRecord.TYPE.id(), 0, 0x180c);
            new Gid(subnet.gidPrefix(), fabric.portGuid(to)).write(mad, SaMad.DATA_OFFSET + 8);
            new Gid(subnet.gidPrefix(), fabric.portGuid(from)).write(mad, SaMad.DATA_OFFSET + 24);
            PathRecord.NUMB_PATH.set(mad, SaMad.DATA_OFFSET, 1);
            requests[i] = new MadFrame(new MadAddress(subnet.lid(from), 1, 0, 0), mad);
            sa.onMad(requests[i]);
            if (MadHeader.status(last[0].mad()) != 0 || MadHeader.tid(last[0].mad()) != i + 1) {
                throw new IllegalStateException("request " + i + " was not answered by a path");
            }
        }
    }

    /** Returns the answer to one request. */
    @Benchmark
    public MadFrame path() {
        sa.onMad(requests[next++ & REQUESTS - 1]);
        return last[0];
    }
}
