package io.torussm.vport;

import io.torussm.mad.vport.VNodeDescription;
import io.torussm.transport.Outcome;
import io.torussm.vport.PublishedPorts.PhysicalPort;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The reader of the descriptions of vports. They are for people only. Therefore they are read while visits leave room,
 * of some ports at a time, with one request of a port in flight. A description is read once the vport is ACTIVE; again
 * if the vport has come up again, or upon trap 1144, after the visit to which the trap leads. A device that rejects
 * the attribute is asked once, one that does not respond some times. Owner thread: the loop.
 */
final class VPortDescriptions {
    /** Ports that are asked at the same time. */
    static final int MAX_READS = 8;

    /** Requests without a response in a row, after each of which the next visit of the port is waited for. */
    static final int MAX_UNANSWERED = 3;

    private final PublishedPorts ports;
    private final VPortTable table;
    private final DeviceCapabilities capabilities;
    private final Function<PhysicalPort, VisitRequests> requests;
    private final BooleanSupplier mayRead;

    /** By PortGUID: indexes of vports whose description is to be read. */
    private final Map<Long, BitSet> due = new LinkedHashMap<>();

    /** By PortGUID: indexes of vports whose description is to be read after the next visit of the port. */
    private final Map<Long, BitSet> dueAfterVisit = new HashMap<>();

    /** PortGUIDs of ports with a request in flight. */
    private final Set<Long> asked = new HashSet<>();

    /** By PortGUID: requests without a response in a row. */
    private final Map<Long, Integer> unanswered = new HashMap<>();

    /**
     * Creates a reader without ports.
     *
     * @param requests opens the requests to a port
     * @param mayRead whether visits leave room for a request
     */
    VPortDescriptions(
            PublishedPorts ports,
            VPortTable table,
            DeviceCapabilities capabilities,
            Function<PhysicalPort, VisitRequests> requests,
            BooleanSupplier mayRead) {
        this.ports = ports;
        this.table = table;
        this.capabilities = capabilities;
        this.requests = requests;
        this.mayRead = mayRead;
    }

    /** Notes that a device has reported a change of a vport. */
    void onTrap(long portGuid, int vport) {
        if (table.of(portGuid, vport) != null) { // so a port costs memory for its vports only
            add(dueAfterVisit, portGuid, vport);
        }
    }

    private static void add(Map<Long, BitSet> vports, long portGuid, int vport) {
        vports.computeIfAbsent(portGuid, any -> new BitSet()).set(vport);
    }

    /** Notes the vports of a port whose descriptions are to be read: its visit has ended, and they are published. */
    void onVisitEnd(VisitTarget target, BitSet changed) {
        long portGuid = target.portGuid();
        BitSet fromTraps = dueAfterVisit.remove(portGuid);
        if (capabilities.hasNoDescriptions(target.nodeGuid())) {
            return;
        }
        for (VirtualPort vport : table.of(portGuid)) {
            int index = vport.index();
            boolean isOutdated =
                    vport.description() == null || changed.get(index) || (fromTraps != null && fromTraps.get(index));
            if (isOutdated && vport.isActive() && !vport.isPhysical(portGuid)) {
                add(due, portGuid, index);
            }
        }
    }

    /** Sends requests, as many as are allowed at the same time. */
    void run() {
        while (asked.size() < MAX_READS && mayRead.getAsBoolean()) {
            Long portGuid = next();
            if (portGuid == null) {
                return;
            }
            read(portGuid);
        }
    }

    private @Nullable Long next() {
        return due.keySet().stream()
                .filter(portGuid -> !asked.contains(portGuid))
                .findFirst()
                .orElse(null);
    }

    private void read(long portGuid) {
        BitSet vports = due.remove(portGuid);
        int index = vports == null ? -1 : vports.nextSetBit(0);
        PhysicalPort port = ports.get(portGuid);
        if (vports == null || index < 0 || port == null || capabilities.hasNoDescriptions(port.nodeGuid())) {
            return;
        }
        vports.clear(index);
        if (!vports.isEmpty()) {
            due.put(portGuid, vports); // behind the other ports
        }
        VirtualPort vport = table.of(portGuid, index);
        if (vport != null) {
            asked.add(portGuid);
            requests.apply(port).get(VNodeDescription.TYPE, index, outcome -> {
                asked.remove(portGuid);
                onOutcome(port, vport, outcome);
                run();
            });
        }
    }

    private void onOutcome(PhysicalPort port, VirtualPort vport, Outcome<VNodeDescription> outcome) {
        if (VisitRequests.isUnanswered(outcome)) {
            onNoResponse(port, vport);
            return;
        }
        unanswered.remove(port.guid());
        if (outcome instanceof Outcome.Reply<VNodeDescription> reply) {
            table.describe(
                    port.guid(), vport.index(), vport.guid(), reply.value().text());
        } else if (VisitRequests.isInvalidField(outcome)) {
            table.describe(port.guid(), vport.index(), vport.guid(), ""); // it has just gone, or has none
        } else {
            leave(port);
        }
    }

    private void onNoResponse(PhysicalPort port, VirtualPort vport) {
        if (unanswered.merge(port.guid(), 1, Integer::sum) >= MAX_UNANSWERED) {
            unanswered.remove(port.guid());
            leave(port);
            return;
        }
        add(dueAfterVisit, port.guid(), vport.index());
        BitSet others = due.remove(port.guid());
        if (others != null) {
            others.stream().forEach(index -> add(dueAfterVisit, port.guid(), index));
        }
    }

    /** Asks a device no more, until it was absent from the fabric. */
    private void leave(PhysicalPort port) {
        capabilities.markWithoutDescriptions(port.nodeGuid());
        due.remove(port.guid());
    }

    /** Removes a port that is absent. */
    void remove(long portGuid) {
        due.remove(portGuid);
        dueAfterVisit.remove(portGuid);
        unanswered.remove(portGuid);
    }

    /** Forgets all ports. Requests in flight must be cancelled. */
    void clear() {
        due.clear();
        dueAfterVisit.clear();
        asked.clear();
        unanswered.clear();
    }
}
