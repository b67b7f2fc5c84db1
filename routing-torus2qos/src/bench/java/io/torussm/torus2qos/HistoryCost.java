package io.torussm.torus2qos;

import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.history.Change;
import io.torussm.history.ChangeHistory;
import io.torussm.names.SiteMap;
import io.torussm.routing.Plan;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Subnet;
import io.torussm.testing.ViewDraft;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The cost of the history of a cubic torus with one host at each switch, whose cables are lost and return one after the
 * other: bytes and processor time of the thread, and the time to restore a state. Arguments: radix, number of cables.
 */
public final class HistoryCost {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final int radix;
    private final VirtualLoop loop = new VirtualLoop();
    private final Map<Long, Integer> lids = new HashMap<>();
    private final ChangeHistory history;
    private long sweep;

    private HistoryCost(int radix, Path dir) throws IOException {
        this.radix = radix;
        history = new ChangeHistory(StateDirectory.open(dir, loop), loop, new ChangeHistory.Settings(100_000, 1 << 30));
    }

    public static void main(String[] arguments) throws IOException {
        HistoryCost cost = new HistoryCost(Integer.parseInt(arguments[0]), Files.createTempDirectory("history"));
        int cables = Integer.parseInt(arguments[1]);
        cost.recordState("whole torus", -1);
        for (int i = 0; i < cables; i++) {
            cost.recordState("cable " + i + " lost", i);
            cost.recordState("cable " + i + " back", -1);
        }
        cost.printCosts();
    }

    /** Records the state without one cable; of the whole torus if its number is negative. */
    private void recordState(String label, int missing) {
        TestTorus torus = new TestTorus(radix, radix, radix);
        if (missing >= 0) {
            int at = missing * 37 % torus.count();
            torus.fabric.unplug(torus.guid(torus.at(at)), torus.plusPort(at, missing % 3, 0));
        }
        Subnet subnet = TestFabric.subnet(torus.fabric.fabric(), lids);
        ChainResult routed = TestTorus.chain(torus.conf(), subnet);
        Plan plan = Objects.requireNonNull(routed.plan());
        sweep++;
        PublishedView view = ViewDraft.of(plan)
                .subnet(subnet)
                .multicast(routed.multicast())
                .qos()
                .sweep(sweep)
                .build();
        Instant at = Instant.ofEpochSecond(sweep);
        FabricState state = FabricState.of(view, at);
        long before = history.bytes();
        long recordNs = System.nanoTime();
        history.record(state, at, List::of);
        recordNs = System.nanoTime() - recordNs;
        long cpu = THREADS.getCurrentThreadCpuTime();
        loop.runFor(0);
        cpu = THREADS.getCurrentThreadCpuTime() - cpu;
        List<Change> changes = history.changes();
        Change.Counts counts = changes.get(changes.size() - 1).counts();
        System.out.printf(
                "%-16s %,10d bytes, %6.1f ms of CPU, recorded in %.3f ms; %,d entries of %,d switches, %,d SLs%n",
                label,
                history.bytes() - before,
                cpu / 1e6,
                recordNs / 1e6,
                counts.entries(),
                counts.switches(),
                counts.sls());
    }

    private void printCosts() throws IOException {
        List<Change> changes = history.changes();
        for (Change change : List.of(changes.get(0), changes.get(changes.size() - 1))) {
            for (int i = 0; i < 3; i++) {
                long start = System.nanoTime();
                history.state(change, SiteMap.NONE);
                System.out.printf("sweep %d restored in %.1f ms%n", change.sweep(), (System.nanoTime() - start) / 1e6);
            }
        }
        long start = System.nanoTime();
        int entries = history.difference(changes.get(0), changes.get(changes.size() - 2))
                .entries();
        System.out.printf("%,d entries differ, found in %.1f ms%n", entries, (System.nanoTime() - start) / 1e6);
    }
}
