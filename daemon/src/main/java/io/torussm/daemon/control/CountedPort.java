package io.torussm.daemon.control;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.perf.Counter;
import io.torussm.perf.CounterStore;
import io.torussm.perf.PortFault;
import io.torussm.perf.PortStatistics;
import io.torussm.view.PlacedSubnet;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A port with its counters, for console, HTTP and health.
 *
 * @param port index in the current fabric
 * @param name name of the port's node
 * @param guid GUID of that node, as text
 * @param portNum port number
 * @param place coordinates of a switch in a torus or tree; empty for another node
 * @param peerGuid GUID of the node at the other end of the cable; empty without a link
 * @param peerPort port number at the other end; 0 without a link
 * @param peer name and port number at the other end; empty without a link
 * @param statistics counters of the port
 * @param faults exceeded limits of counters, the gravest first
 */
public record CountedPort(
        int port,
        String name,
        String guid,
        int portNum,
        String place,
        String peerGuid,
        int peerPort,
        String peer,
        PortStatistics statistics,
        List<PortFault> faults) {

    /**
     * Returns all ports with counters, in the order of the fabric. The counters of a port are read when the list is
     * accessed.
     */
    public static List<CountedPort> all(PlacedSubnet found, CounterStore store) {
        Fabric fabric = found.fabric();
        int[] ports = IntStream.range(0, fabric.portCount())
                .filter(port -> store.isRead(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port)))
                .toArray();
        return new AbstractList<>() {
            @Override
            public CountedPort get(int index) {
                // Not null: the store keeps the counters of each port that was in the fabric within the last hour.
                return Objects.requireNonNull(of(found, store, ports[index]));
            }

            @Override
            public int size() {
                return ports.length;
            }
        };
    }

    /**
     * Returns the ports with faults or errors: by the gravest fault, then by errors an hour, then by errors.
     *
     * @param limit maximum number of ports
     */
    public static List<CountedPort> worst(PlacedSubnet found, CounterStore store, int limit) {
        List<CountedPort> worst = new ArrayList<>();
        for (CountedPort each : all(found, store)) {
            if (!each.faults.isEmpty() || each.errors() > 0) {
                worst.add(each);
            }
        }
        worst.sort(Comparator.comparingDouble(CountedPort::worstExcess)
                .thenComparingDouble(each -> each.statistics.errorsPerHour())
                .thenComparingLong(CountedPort::errors)
                .reversed());
        return worst.size() > limit ? worst.subList(0, limit) : worst;
    }

    /** Returns the counters of one port; null if it was never read. */
    public static @Nullable CountedPort of(PlacedSubnet found, CounterStore store, int port) {
        Fabric fabric = found.fabric();
        PortStatistics statistics = statistics(fabric, port, store);
        if (statistics == null) {
            return null;
        }
        int node = fabric.nodeOf(port);
        int peer = fabric.peer(port);
        boolean isLinked = peer != Fabric.NONE;
        return new CountedPort(
                port,
                fabric.nodeName(node),
                Guid.format(fabric.nodeGuid(node)),
                fabric.portNum(port),
                found.place(node),
                isLinked ? Guid.format(fabric.nodeGuid(fabric.nodeOf(peer))) : "",
                isLinked ? fabric.portNum(peer) : 0,
                isLinked ? fabric.portName(peer) : "",
                statistics,
                store.faults(fabric, port));
    }

    private static @Nullable PortStatistics statistics(Fabric fabric, int port, CounterStore store) {
        return store.counters(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port));
    }

    private double worstExcess() {
        return faults.isEmpty() ? 0 : faults.get(0).excess();
    }

    /** Returns the sum of the error counters that indicate a bad link, since their first reading. */
    public long errors() {
        long sum = 0;
        for (Counter error : Counter.errors()) {
            sum += error.isFault() ? statistics.total(error) : 0;
        }
        return sum;
    }

    /** Returns the port and the other end of its cable, for people. */
    public String text() {
        return (place.isEmpty() ? "" : place + " ") + guid + " \"" + name + "\" port " + portNum
                + (peer.isEmpty() ? ", no link" : " - " + peer);
    }
}
