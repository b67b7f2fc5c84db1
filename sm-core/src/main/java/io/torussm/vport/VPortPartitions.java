package io.torussm.vport;

import io.torussm.fabric.Fabric;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PortKeys;
import io.torussm.partition.VPortKeys;
import io.torussm.transport.Loop;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of the moment for vports. A switch that checks P_Keys must let those of vports pass at their port. If
 * it does not, its table is programmed, one request for several ports after the other. A request that fails is repeated
 * after 1, 2, 4 seconds and so on, until a sweep has to do it; other ports do not wait for it. Owner thread: the loop.
 */
final class VPortPartitions {
    private static final long FIRST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

    /** Requests without success, the last one after 16 seconds. */
    private static final int MAX_FAILURES = 6;

    private final Loop loop;

    /** GUIDs of ports whose switch is to be programmed, besides those of the request in progress. */
    private final Set<Long> due = new LinkedHashSet<>();

    private VPortKeys keys = new VPortKeys(PartitionSettings.DEFAULT);
    private @Nullable PartitionPlan plan;
    private BiConsumer<Set<Long>, Consumer<Boolean>> programmer = (ports, then) -> then.accept(true);

    /** The request in progress; null if there is none. */
    private @Nullable Set<Long> requested;

    /** By port: requests for it that failed in a row. */
    private final Map<Long, Integer> failures = new HashMap<>();

    /** Ports that wait until their request is repeated. */
    private final Set<Long> paused = new HashSet<>();

    VPortPartitions(Loop loop) {
        this.loop = loop;
    }

    /**
     * Sets the programmer of switches.
     *
     * @param other takes GUIDs of ports, and passes to its second argument once whether all is in place
     */
    void program(BiConsumer<Set<Long>, Consumer<Boolean>> other) {
        programmer = other;
    }

    /** Returns the P_Keys of vports: the same object as long as the settings are the same. */
    VPortKeys keys() {
        return keys;
    }

    /** Returns the end ports whose tables, or those of the switch at them, are other ones with another plan. */
    BitSet changedEndPorts(PartitionPlan next) {
        PartitionPlan current = plan;
        return current == null ? new BitSet() : next.changedEndPorts(current);
    }

    /** Takes the plan of a published view. */
    void adopt(PartitionPlan published) {
        plan = published;
        if (!published.settings().equals(keys.settings())) {
            keys = new VPortKeys(published.settings());
        }
    }

    /** Checks the switch at a port of the published fabric. */
    void check(Fabric fabric, int port, @Nullable List<Long> vports) {
        PartitionPlan current = plan;
        int far = fabric.peer(port);
        if (current == null
                || vports == null
                || far == Fabric.NONE
                || fabric.isEndport(far)
                || !PartitionPlan.isTableManaged(current.settings(), fabric, far)) {
            return;
        }
        int capacity = PartitionPlan.capacity(fabric, far);
        Set<Integer> needed = IntStream.of(keys.passingKeys(current.keys(port), vports, capacity))
                .boxed()
                .collect(Collectors.toSet());
        PortKeys table = current.table(far); // null without room
        boolean isRight = table == null
                ? needed.size() > capacity
                : table.stream().boxed().collect(Collectors.toSet()).equals(needed);
        if (!isRight) {
            due.add(fabric.portGuid(port));
        }
    }

    /** Requests the programming of switches, if some need it and none is in progress. Those that failed come last. */
    void request() {
        due.removeAll(paused);
        if (requested == null && !due.isEmpty()) {
            Set<Long> ports = new LinkedHashSet<>(due);
            ports.removeAll(failures.keySet());
            if (ports.isEmpty()) {
                ports.addAll(due);
            }
            due.removeAll(ports);
            requested = ports;
            programmer.accept(ports, isDone -> onProgrammingEnd(ports, isDone));
        }
    }

    @SuppressWarnings("ReferenceEquality") // the request of an earlier mastership may have the same ports
    private void onProgrammingEnd(Set<Long> ports, boolean isDone) {
        if (requested != ports) {
            return;
        }
        requested = null;
        if (isDone) {
            failures.keySet().removeAll(ports);
        } else {
            ports.forEach(this::onFailure);
        }
        request();
    }

    private void onFailure(long portGuid) {
        int times = failures.merge(portGuid, 1, Integer::sum);
        if (times >= MAX_FAILURES) {
            failures.remove(portGuid);
            return;
        }
        paused.add(portGuid);
        loop.schedule(FIRST_PAUSE_NS << times - 1, () -> {
            if (paused.remove(portGuid)) { // of an earlier mastership, it repeats early at most
                due.add(portGuid);
                request();
            }
        });
    }

    void clear() {
        due.clear();
        requested = null;
        failures.clear();
        paused.clear();
        plan = null;
    }
}
