package io.torussm.program.table;

import io.torussm.fabric.Fabric;
import io.torussm.multicast.MulticastRouter;
import io.torussm.multicast.MulticastView;
import io.torussm.program.smp.RequestStripes;
import io.torussm.program.smp.SmpRequests;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The reading of tables that are not needed before the subnet is published: VL arbitration tables and the multicast
 * tables of unused MLIDs, of devices that carried traffic when this SM took over. These tables need many SMPs, for
 * which the SA need not wait. A later sweep writes the differences. An instance is used once. Owner thread: the loop.
 */
public final class LateReading {
    private final Fabric fabric;
    private final DeviceTables[] tables;
    private final QosTarget qos;
    private final boolean isQos;
    private final MulticastRouter router;
    private final MulticastView groups;
    private final Set<Long> unread;

    /**
     * Creates the reading.
     *
     * @param tables [node] known tables
     * @param isQos whether VL arbitration tables are programmed
     * @param unread NodeGUIDs of devices to be read; emptied at the end
     */
    LateReading(
            Fabric fabric,
            DeviceTables[] tables,
            QosTarget qos,
            boolean isQos,
            MulticastRouter router,
            MulticastView groups,
            Set<Long> unread) {
        this.fabric = fabric;
        this.tables = tables;
        this.qos = qos;
        this.isQos = isQos;
        this.router = router;
        this.groups = groups;
        this.unread = unread;
    }

    /** Checks whether there is nothing to read. */
    public boolean isEmpty() {
        return unread.isEmpty();
    }

    /**
     * Starts the reading.
     *
     * @param then callback, called once, on the loop; its argument is whether any table differs from the wanted table
     * @return scope of the requests, whose cancellation ends the reading; unread devices then stay unread
     */
    public MadScope start(MadClient client, Loop loop, Consumer<Boolean> then) {
        MadScope scope = client.scope();
        SmpRequests requests = new SmpRequests(fabric, new ProgrammingErrors(), scope, loop);
        QosWrites arbitration = new QosWrites(fabric, tables, requests, qos, node -> false);
        MulticastWrites multicast = new MulticastWrites(fabric, tables, requests, router, groups, sw -> false);
        IntPredicate isDue = node -> unread.contains(fabric.nodeGuid(node)) && !requests.hasGivenUp(node);
        if (isQos) {
            scope.pull(
                    new RequestStripes(nodes(isDue), arbitration.arbitrationEntries(), arbitration::readArbitration));
        }
        scope.pull(new RequestStripes(
                nodes(node -> fabric.isSwitch(node) && isDue.test(node)),
                multicast.readEntries(),
                (sw, entry) -> isDue.test(sw) ? multicast.readUnknown(sw, entry) : null));
        scope.whenIdle(() -> {
            boolean isWrong = (isQos && nodes(isDue).anyMatch(node -> !arbitration.isArbitrationWritten(node)))
                    || multicast.isAnyBlockOutdated(isDue);
            unread.clear();
            then.accept(isWrong);
        });
        return scope;
    }

    private IntStream nodes(IntPredicate filter) {
        return IntStream.range(0, fabric.nodeCount()).filter(filter);
    }
}
