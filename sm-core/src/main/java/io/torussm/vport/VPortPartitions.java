package io.torussm.vport;

import io.torussm.fabric.Fabric;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PortKeys;
import io.torussm.partition.VPortKeys;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of the moment for vports. A switch that checks P_Keys must let those of vports pass at their port. If
 * it does not, its table is programmed, one request for several ports after the other. Owner thread: the loop.
 */
final class VPortPartitions {
    /** GUIDs of ports whose switch is to be programmed. */
    private final Set<Long> due = new LinkedHashSet<>();

    private VPortKeys keys = new VPortKeys(PartitionSettings.DEFAULT);
    private @Nullable PartitionPlan plan;
    private BiConsumer<Set<Long>, Runnable> programmer = (ports, then) -> {};
    private boolean isBusy;

    /**
     * Sets the programmer of switches.
     *
     * @param other takes GUIDs of ports, and calls its second argument once it has ended
     */
    void program(BiConsumer<Set<Long>, Runnable> other) {
        programmer = other;
    }

    /** Returns the P_Keys of vports. */
    VPortKeys keys() {
        return keys;
    }

    /** Takes the plan of a published view. Returns true if its settings are other ones. */
    boolean adopt(PartitionPlan published) {
        plan = published;
        boolean isOther = !published.settings().equals(keys.settings());
        keys = isOther ? new VPortKeys(published.settings()) : keys;
        return isOther;
    }

    /** Checks the switch at a port of the published fabric. */
    void check(Fabric fabric, int port, @Nullable List<Long> vports) {
        PartitionPlan now = plan;
        int far = fabric.peer(port);
        PortKeys table = now == null || far == Fabric.NONE || fabric.isEndport(far) ? null : now.table(far);
        if (now != null && table != null && vports != null) {
            Set<Integer> needed =
                    IntStream.of(keys.passing(now.keys(port), vports)).boxed().collect(Collectors.toSet());
            if (!table.stream().boxed().collect(Collectors.toSet()).equals(needed)) {
                due.add(fabric.portGuid(port));
            }
        }
    }

    /** Requests the programming of switches, if some need it and none is in progress. */
    void request() {
        if (!isBusy && !due.isEmpty()) {
            Set<Long> ports = new LinkedHashSet<>(due);
            due.clear();
            isBusy = true;
            programmer.accept(ports, () -> {
                isBusy = false;
                request();
            });
        }
    }

    void clear() {
        due.clear();
        plan = null;
    }
}
