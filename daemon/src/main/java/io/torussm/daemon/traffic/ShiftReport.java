package io.torussm.daemon.traffic;

import io.torussm.daemon.planning.Failure;
import io.torussm.dataplane.ForwardingTables;
import io.torussm.dataplane.Hosts;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The load of cables between switches under each shift, counted along the tables. With shift k every host i
 * sends to host i + k, modulo the number of hosts. The load of a cable in one direction is the number of
 * hosts that send over it. A load of 1 is free of contention. Only the first LID of each host counts.
 *
 * @param engine name of the engine or of the dump
 * @param order order of the hosts, in words: leaves of a tree, or GUIDs
 * @param hosts number of hosts
 * @param cables number of cables between switches
 * @param worst largest load of any shift; 0 if no cable carries a path
 * @param worstShift first shift with that load
 * @param mean load of the busiest cable of a shift, as a mean over shifts
 * @param free number of shifts with a load of at most 1
 * @param shiftsByLoad number of shifts, by the load of their busiest cable
 * @param from port by which packets enter the busiest cable of the worst shift; empty without a loaded cable
 * @param to port at the other end of that cable; empty without a loaded cable
 * @param lost number of pairs of hosts without a path
 */
public record ShiftReport(
        String engine,
        String order,
        int hosts,
        int cables,
        int worst,
        int worstShift,
        double mean,
        int free,
        SortedMap<Integer, Integer> shiftsByLoad,
        String from,
        String to,
        long lost)
        implements TrafficResult {
    /** Returns the loads of all shifts, counted along the tables on all processors. */
    static ShiftReport of(String engine, Plan plan, String order, Hosts hosts, ForwardingTables tables) {
        HostPaths ways = new HostPaths(hosts, tables);
        List<Shift> shifts = IntStream.range(0, (hosts.count() - 2) / HostPaths.BLOCK + 1)
                .parallel()
                .mapToObj(block -> ways.shifts(1 + block * HostPaths.BLOCK))
                .flatMap(each -> each)
                .toList();
        Shift worst = shifts.stream()
                .reduce((one, other) -> other.load > one.load ? other : one)
                .orElseThrow();
        SortedMap<Integer, Integer> byLoad = new TreeMap<>();
        shifts.forEach(shift -> byLoad.merge(shift.load, 1, Integer::sum));
        Fabric fabric = plan.subnet().fabric();
        return new ShiftReport(
                engine,
                order,
                hosts.count(),
                ways.cables(),
                worst.load,
                worst.places,
                shifts.stream().mapToInt(Shift::load).average().orElse(0),
                (int) shifts.stream().filter(shift -> shift.load <= 1).count(),
                byLoad,
                worst.load == 0 ? "" : Failure.portName(plan, worst.port),
                worst.load == 0 ? "" : Failure.portName(plan, fabric.peer(worst.port)),
                shifts.stream().mapToLong(Shift::lost).sum());
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(hosts + " hosts in the order of " + order + ", " + (hosts - 1) + " shifts, routed by " + engine);
        lines.add("");
        lines.add(String.format(Locale.ROOT, "%28s%10s", "hosts over busiest cable", "shifts"));
        shiftsByLoad.forEach((load, shifts) -> lines.add(String.format(Locale.ROOT, "%28d%10d", load, shifts)));
        lines.add("");
        lines.add(String.format(
                Locale.ROOT,
                "%s%d of %d shifts are free of contention; busiest cable: mean %.2f hosts, worst %d",
                worst <= 1 ? "no contention: " : "",
                free,
                hosts - 1,
                mean,
                worst));
        if (worst > 1) {
            lines.add("worst with shift " + worstShift + ": " + from + " to " + to);
        }
        if (lost > 0) {
            lines.add(lost + " pairs of hosts have no path");
        }
        return lines;
    }

    @Override
    public boolean isFailed() {
        return lost > 0;
    }

    /**
     * A shift.
     *
     * @param places distance in the order of hosts
     * @param load load of its busiest cable
     * @param port index of the port by which packets enter that cable; {@link Fabric#NONE} without a loaded cable
     * @param lost number of hosts whose packets do not arrive
     */
    private record Shift(int places, int load, int port, int lost) {}

    /** The paths between hosts, in arrays for speed, since N hosts have N x N paths. */
    private static final class HostPaths {
        private static final byte NO_PORT = 0;
        private static final int BLOCK = 16;

        private final Fabric fabric;
        private final int count;

        /** Switch of each host, by host; {@link Fabric#NONE} in a fabric without a switch. */
        private final int[] start;

        /** Output port number, as {@code [switch][destination host]}; {@link #NO_PORT} without a path. */
        private final byte[][] out;

        /** Index of port 0 of each switch. */
        private final int[] firstPort;

        /**
         * Switch at the other end of the cable of each port, by port index; {@link Fabric#NONE} without such a switch.
         */
        private final int[] next;

        /** Host at the other end of the cable of each port, by port index; {@link Fabric#NONE} without such a host. */
        private final int[] hostAt;

        HostPaths(Hosts hosts, ForwardingTables tables) {
            fabric = hosts.subnet().fabric();
            count = hosts.count();
            start = IntStream.range(0, count).map(hosts::switchOf).toArray();
            firstPort = IntStream.range(0, fabric.switchCount())
                    .map(sw -> fabric.port(sw, 0))
                    .toArray();
            next = new int[fabric.portCount()];
            hostAt = new int[next.length];
            for (int port = 0; port < next.length; port++) {
                int far = fabric.peer(port);
                boolean isSwitch = far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far));
                next[port] = isSwitch ? fabric.nodeOf(far) : Fabric.NONE;
                hostAt[port] = far == Fabric.NONE || isSwitch ? Fabric.NONE : hosts.hostAt(far);
            }
            out = new byte[firstPort.length][count];
            for (int sw = 0; sw < out.length; sw++) {
                for (int host = 0; host < count; host++) {
                    int portNum = tables.out(sw, hosts.lid(host));
                    out[sw][host] = portNum > fabric.numPorts(sw) ? NO_PORT : (byte) portNum;
                }
            }
        }

        int cables() {
            return (int) IntStream.range(0, next.length)
                            .filter(port -> fabric.isSwitch(fabric.nodeOf(port)) && next[port] != Fabric.NONE)
                            .count()
                    / 2;
        }

        /**
         * Counts up to {@link #BLOCK} consecutive shifts together, because hosts of one switch share their path to a
         * destination.
         */
        Stream<Shift> shifts(int first) {
            Block block = new Block(first, Math.min(BLOCK, count - first));
            for (int to = 0; to < count; to++) {
                for (int from = 0, end; from < block.size; from = end) {
                    int sw = start[block.source(to, from)];
                    end = from + 1;
                    while (end < block.size && start[block.source(to, end)] == sw) {
                        end++;
                    }
                    countPackets(sw, to, from, end, block);
                }
            }
            return block.shifts();
        }

        /**
         * Follows the packets from a switch to a host in the shifts from {@code shift} to {@code end}, exclusive, of a
         * block. Counts them at each cable between switches.
         */
        private void countPackets(int from, int to, int shift, int end, Block block) {
            int sw = from;
            int port = Fabric.NONE;
            for (int hops = 0; sw != Fabric.NONE && hops <= out.length; hops++) {
                port = firstPort[sw] + (out[sw][to] & 0xff);
                sw = port == firstPort[sw] ? Fabric.NONE : next[port];
                if (sw != Fabric.NONE) {
                    block.count(port, shift, end);
                }
            }
            // In a fabric without a switch, a cable joins the two hosts.
            boolean isThere = from == Fabric.NONE || (sw == Fabric.NONE && hostAt[port] == to);
            if (!isThere) {
                block.countLost(shift, end);
            }
        }

        /** Consecutive shifts that are counted together. */
        private final class Block {
            final int first;
            final int size;

            /** Number of packets, as {@code [port index * BLOCK + shift of the block]}. */
            private final char[] loads = new char[next.length * BLOCK];

            // By shift of the block: the load and the port index of the busiest cable, and the number of lost packets.
            private final int[] maxLoads = new int[BLOCK];
            private final int[] busiest = new int[BLOCK];
            private final int[] lost = new int[BLOCK];

            Block(int first, int size) {
                this.first = first;
                this.size = size;
                Arrays.fill(busiest, Fabric.NONE);
            }

            int source(int to, int shift) {
                return Math.floorMod(to - first - shift, count);
            }

            void count(int port, int from, int end) {
                for (int shift = from; shift < end; shift++) {
                    int load = ++loads[port * BLOCK + shift];
                    if (load > maxLoads[shift]) {
                        maxLoads[shift] = load;
                        busiest[shift] = port;
                    }
                }
            }

            void countLost(int from, int end) {
                for (int shift = from; shift < end; shift++) {
                    lost[shift]++;
                }
            }

            Stream<Shift> shifts() {
                return IntStream.range(0, size)
                        .mapToObj(shift -> new Shift(first + shift, maxLoads[shift], busiest[shift], lost[shift]));
            }
        }
    }
}
