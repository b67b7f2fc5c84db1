package io.torussm.daemon.console.sm;

import io.torussm.daemon.console.answer.PortFacts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.TextTable;
import io.torussm.daemon.console.answer.VPortText;
import io.torussm.daemon.control.SmControl;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.partition.PartitionChange;
import io.torussm.vport.VPortTable;
import java.util.List;
import java.util.stream.Stream;

/** The end ports and virtual ports whose P_Keys a change of partitions concerns. */
final class ChangedMembers {
    private static final int MAX_PORTS = 100;
    private static final int MAX_NAME = 64;

    private ChangedMembers() {}

    /** @param portGuid PortGUID of an end port or a virtual port */
    record Port(String portGuid, String name, List<String> gains, List<String> loses) {}

    /** Returns the first ports of a change, end ports before virtual ones. */
    static List<Port> of(SmControl control, Fabric fabric, PartitionChange change) {
        VPortTable vports = control.vports();
        return Stream.concat(change.ports().stream(), change.vports().stream())
                .filter(port -> port.port() < fabric.portCount())
                .limit(MAX_PORTS)
                .map(port -> new Port(Guid.format(port.guid()), name(fabric, vports, port), port.gained(), port.lost()))
                .toList();
    }

    private static String name(Fabric fabric, VPortTable vports, PartitionChange.Port port) {
        String vport = vports.of(fabric.portGuid(port.port())).stream()
                .filter(each -> each.guid() == port.guid() && each.index() != 0)
                .map(each -> " vport " + each.index() + VPortText.quoted(each.name()))
                .findFirst()
                .orElse("");
        return Printable.text(PortFacts.name(fabric, fabric.nodeOf(port.port())), MAX_NAME) + vport;
    }

    /**
     * Returns the table of ports.
     *
     * @param changed number of all ports that change
     */
    static List<String> lines(List<Port> ports, int changed) {
        TextTable table = new TextTable("port GUID", "gains", "loses", "name");
        ports.forEach(each -> table.row(each.portGuid(), listText(each.gains()), listText(each.loses()), each.name()));
        return Stream.concat(
                        ports.isEmpty() ? Stream.of() : table.lines().stream(),
                        changed > ports.size() ? Stream.of("and " + (changed - ports.size()) + " more") : Stream.of())
                .toList();
    }

    private static String listText(List<String> pKeys) {
        return pKeys.isEmpty() ? "-" : String.join(" ", pKeys);
    }
}
