package io.torussm.sa;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.paths.PathPolicy;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sim.VirtualLoop;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TorusSketch;
import io.torussm.testing.ViewDraft;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.rmpp.Rmpp;
import io.torussm.view.PublishedView;
import java.util.Arrays;
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
 * Duration of SubnAdmGetTable(PathRecord) of all pairs of end ports, from the request to the last ACK of a
 * receiver with the kernel's window; all on one thread. The heap is too small for a complete table.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 3)
@Fork(value = 1, jvmArgs = "-Xmx384m")
public class PathTableBenchmark {
    /** The window of the kernel (mad_rmpp.c) with its default receive queue. */
    private static final int WINDOW = 64;

    /** Radices, parallel cables and hosts of each switch. */
    @Param({"10x10x10x1x2", "16x16x16x1x1"})
    public String torus = "";

    private final VirtualLoop loop = new VirtualLoop();
    private MadAddress requester = new MadAddress(1, 1, 0, 0);
    private SubnetAdministrator sa = administrator(null);
    private long segments;
    private long newWindowLast;
    private boolean isComplete;
    private long tid;

    private SubnetAdministrator administrator(@Nullable PublishedView view) {
        return PathsAlone.administrator(() -> view, PathPolicy.NONE, this::receive, Runnable::run, loop);
    }

    /** Prepares the SA. */
    @Setup
    public void route() {
        Subnet subnet = TorusSketch.parse(torus).subnet();
        Plan plan = (Plan) new MinHopEngine().route(subnet, new RoutingOptions(false, 5, 0));
        requester = new MadAddress(subnet.lid(subnet.portOfLid(subnet.topLid())), 1, 0, 0);
        sa = administrator(ViewDraft.of(plan).build());
    }

    /** Receives a segment, in order because none is lost, and acknowledges at the end of the window. */
    private void receive(MadFrame frame) {
        byte[] mad = frame.mad();
        if (Rmpp.type(mad) != Rmpp.DATA || SaMad.DATA1.get(mad, 0) != segments + 1) {
            throw new IllegalStateException("not segment " + (segments + 1));
        }
        segments++;
        isComplete = (SaMad.RMPP_FLAGS.get(mad, 0) & SaMad.FLAG_LAST) != 0;
        if (isComplete || segments == newWindowLast) {
            newWindowLast += WINDOW;
            byte[] ack = Arrays.copyOf(mad, MadHeader.MAD_SIZE);
            MadHeader.METHOD.set(ack, 0, Method.GET_TABLE);
            SaMad.RMPP_TYPE.set(ack, 0, Rmpp.ACK);
            SaMad.DATA2.set(ack, 0, newWindowLast);
            sa.onMad(new MadFrame(frame.peer(), ack));
        }
    }

    /** Answers one request; returns the number of segments. */
    @Benchmark
    public long table() {
        segments = 0;
        newWindowLast = 1;
        isComplete = false;
        byte[] mad = SaMad.request(Method.GET_TABLE, ++tid, PathRecord.TYPE.id(), 0, 0);
        sa.onMad(new MadFrame(requester, mad));
        while (!isComplete) {
            loop.runFor(0);
        }
        loop.runFor(0);
        if (sa.openTables() != 0) {
            throw new IllegalStateException("the table is still open");
        }
        return segments;
    }
}
