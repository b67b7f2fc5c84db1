package io.torussm.partition;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.List;

/**
 * The change of P_Keys that new settings would cause. Immutable.
 *
 * @param endPorts number of all end ports
 * @param allVPorts number of all virtual ports that are known
 * @param ports ports that would change, by port index
 * @param vports virtual ports that would change, by index of their port
 */
public record PartitionChange(int endPorts, int allVPorts, List<Port> ports, List<Port> vports) {
    /** A smaller number of ports never exceeds a limit. */
    private static final int MIN_EXCEEDING_PORTS = 8;

    private static final int PERCENT = 100;

    public PartitionChange {
        ports = List.copyOf(ports);
        vports = List.copyOf(vports);
    }

    /**
     * An end port, or a virtual port of it, that would have other P_Keys.
     *
     * @param port index of the end port
     * @param guid PortGUID of the end port or of the virtual port
     * @param gained P_Keys, membership included, such as {@code 0x8010}
     * @param lost likewise
     */
    public record Port(int port, long guid, List<String> gained, List<String> lost) {
        public Port {
            gained = List.copyOf(gained);
            lost = List.copyOf(lost);
        }
    }

    /**
     * Returns the change that settings would cause in a fabric.
     *
     * @param current the active plan
     */
    public static PartitionChange of(Fabric fabric, PartitionPlan current, PartitionSettings wanted) {
        PartitionPlan previous = PartitionPlan.of(wanted, fabric, port -> {
            PortKeys held = current.table(port);
            return held == null ? PortKeys.NONE : held;
        });
        VPortKeys vportsNow = new VPortKeys(current.settings());
        VPortKeys vportsThen = new VPortKeys(wanted);
        List<Port> ports = new ArrayList<>();
        List<Port> vports = new ArrayList<>();
        int endPorts = 0;
        int allVPorts = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port)) {
                endPorts++;
                long portGuid = fabric.portGuid(port);
                add(ports, port, portGuid, current.keys(port), previous.keys(port));
                List<Long> guids = current.settings().vports().guidsAt(portGuid);
                for (long guid : guids == null ? List.<Long>of() : guids) {
                    allVPorts++;
                    add(vports, port, guid, vportsNow.pKeys(guid), vportsThen.pKeys(guid));
                }
            }
        }
        return new PartitionChange(endPorts, allVPorts, ports, vports);
    }

    private static void add(List<Port> changed, int port, long guid, PortKeys now, PortKeys then) {
        List<String> gained = minus(then, now);
        List<String> lost = minus(now, then);
        if (!gained.isEmpty() || !lost.isEmpty()) {
            changed.add(new Port(port, guid, gained, lost));
        }
    }

    private static List<String> minus(PortKeys these, PortKeys those) {
        return these.stream()
                .filter(pKey -> pKey != 0 && those.indexOf(pKey) < 0)
                .mapToObj(PKeys::format)
                .toList();
    }

    /** Returns the number of end ports that would lose a P_Key. */
    public long losingPorts() {
        return ports.stream().filter(port -> !port.lost().isEmpty()).count();
    }

    /**
     * Checks whether more than a share of the end ports, or of the virtual ports, would change, and not just a few.
     * They have a share each: hosts with many virtual ports must not hide a change of all end ports.
     */
    public boolean exceeds(int percent) {
        return exceedsShare(ports.size(), endPorts, percent) || exceedsShare(vports.size(), allVPorts, percent);
    }

    /** Checks whether a number of ports is more than a share of all, and not just a few. */
    public static boolean exceedsShare(long ports, long all, int percent) {
        return ports >= MIN_EXCEEDING_PORTS && ports * PERCENT > percent * all;
    }

    /** Returns a summary in one line. */
    public String summary() {
        String ofVPorts =
                vports.isEmpty() ? "" : ", and those of " + vports.size() + " of " + allVPorts + " virtual ports";
        return "the P_Keys of " + ports.size() + " of " + endPorts + " end ports would change, " + losingPorts()
                + " of them would lose some" + ofVPorts;
    }
}
