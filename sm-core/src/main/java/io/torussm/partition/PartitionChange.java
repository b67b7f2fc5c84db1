package io.torussm.partition;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.List;

/**
 * The change of P_Keys that new settings would cause. Immutable.
 *
 * @param endPorts number of all end ports
 * @param ports ports that would change, by port index
 */
public record PartitionChange(int endPorts, List<Port> ports) {
    /** A smaller number of end ports never exceeds a limit. */
    public static final int FEW = 8;

    private static final int PERCENT = 100;

    public PartitionChange {
        ports = List.copyOf(ports);
    }

    /**
     * An end port that would have other P_Keys.
     *
     * @param port index
     * @param gained P_Keys, membership included, such as {@code 0x8010}
     * @param lost likewise
     */
    public record Port(int port, List<String> gained, List<String> lost) {
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
        List<Port> ports = new ArrayList<>();
        int endPorts = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            endPorts += fabric.isEndport(port) ? 1 : 0;
            List<String> gained = without(previous.keys(port), current.keys(port));
            List<String> lost = without(current.keys(port), previous.keys(port));
            if (!gained.isEmpty() || !lost.isEmpty()) {
                ports.add(new Port(port, gained, lost));
            }
        }
        return new PartitionChange(endPorts, ports);
    }

    private static List<String> without(PortKeys these, PortKeys those) {
        return these.stream()
                .filter(pKey -> pKey != 0 && those.indexOf(pKey) < 0)
                .mapToObj(PKeys::format)
                .toList();
    }

    /** Returns the number of end ports that would lose a P_Key. */
    public long losing() {
        return ports.stream().filter(port -> !port.lost().isEmpty()).count();
    }

    /** Checks whether more than a share of the end ports would change, and not just a few. */
    public boolean exceeds(int percent) {
        return ports.size() >= FEW && (long) ports.size() * PERCENT > (long) percent * endPorts;
    }

    /** Returns a summary in one line. */
    public String summary() {
        return "the P_Keys of " + ports.size() + " of " + endPorts + " end ports would change, " + losing()
                + " of them would lose some";
    }
}
