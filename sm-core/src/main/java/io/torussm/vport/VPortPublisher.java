package io.torussm.vport;

import io.torussm.fabric.Fabric;
import io.torussm.transport.Loop;
import io.torussm.vport.condition.UnmanagedPorts;

/**
 * The publisher of vports that were read: for the SA and reports in the table, for people in history and events, and
 * for the switch at a port, which has to let the P_Keys of its vports pass. Owner thread: the loop.
 */
final class VPortPublisher {
    private final Loop loop;
    private final PublishedPorts ports;
    private final VPortTable table;
    private final VPortPartitions partitions;
    private final UnmanagedPorts unmanagedPorts;

    VPortPublisher(Loop loop, PublishedPorts ports, VPortTable table, VPortPartitions partitions) {
        this.loop = loop;
        this.ports = ports;
        this.table = table;
        this.partitions = partitions;
        this.unmanagedPorts = new UnmanagedPorts(loop);
    }

    /** Publishes the vports of a port after a visit. The event about those that stay as they are is separate. */
    void publish(long portGuid, VisitResult result) {
        table.countVisit(result.outcome());
        updateHistory(portGuid, result);
        table.put(portGuid, result.vports());
        if (result.isWhole() && result.isRead()) {
            table.markAllRead(portGuid);
            unmanagedPorts.onAllRead(portGuid);
        }
        checkSwitch(portGuid);
        partitions.request();
    }

    private void updateHistory(long portGuid, VisitResult result) {
        VPortHistory history = table.history();
        if (!result.isRead()) {
            history.onReadFailure(portGuid);
        } else if (table.guidsAt(portGuid) != null) {
            history.update(portGuid, table.of(portGuid), result.vports(), result.isWhole(), loop.timeOfDay());
        } else if (result.isWhole()) {
            history.begin(portGuid, loop.timeOfDay()); // vports of the first reading have not just arrived
        }
    }

    /** Counts the visit of a port that is absent since; its vports are forgotten. */
    void discard(VisitResult result) {
        table.countVisit(result.outcome());
    }

    /** Begins the condition of a port whose vports stay as they are. */
    void reportUnmanaged(long portGuid, String reason) {
        unmanagedPorts.add(portGuid, ports.device(portGuid), reason);
    }

    /** Ends the condition of a port whose vports are as they should be. */
    void reportManaged(long portGuid) {
        unmanagedPorts.end(portGuid);
    }

    /**
     * Counts the vports of a port that were not read in time as absent. Until then the switch lets pass what an earlier
     * SM let pass: to cut off vports that could not be read would be worse than P_Keys that were revoked meanwhile.
     */
    void countUnreadAsAbsent(long portGuid) {
        if (table.guidsAt(portGuid) == null) {
            table.markAllRead(portGuid);
            table.history().onReadFailure(portGuid);
            unmanagedPorts.reportLate(portGuid, ports.device(portGuid));
            checkSwitch(portGuid);
            partitions.request();
        }
    }

    /** Checks whether the switch at a port lets the P_Keys of its vports pass; the next request programs it if not. */
    void checkSwitch(long portGuid) {
        Fabric fabric = ports.fabric();
        int port = ports.index(portGuid);
        if (fabric != null && port != Fabric.NONE) {
            partitions.check(fabric, port, table.guidsAt(portGuid));
        }
    }

    /** Removes a port that is absent, and ends its condition. */
    void remove(long portGuid) {
        table.remove(portGuid);
        table.history().remove(portGuid);
        unmanagedPorts.remove(portGuid);
    }

    /** Ends all conditions. */
    void endConditions() {
        unmanagedPorts.endAll();
    }

    /** Forgets all vports; conditions end without an event. */
    void clear() {
        table.clear();
        unmanagedPorts.clear();
        partitions.clear();
    }
}
