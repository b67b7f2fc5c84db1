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
 * A port whose counters were read, as console, HTTP and health show it.
 *
 * @param port its index in the fabric that was found
 * @param name of its device
 * @param guid of the node
 * @param place of a switch; empty if there is none
 * @param peerGuid of the node at the other end of its cable; empty without one
 * @param peer the same with its name and port number
 * @param faults what is over its limit, the gravest first
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

    /** All ports that were read, in the order of the fabric; each is looked up when it is asked for. */
    public static List<CountedPort> all(PlacedSubnet found, CounterStore store) {
        Fabric fabric = found.fabric();
        int[] ports = IntStream.range(0, fabric.portCount())
                .filter(port -> store.isRead(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port)))
                .toArray();
        return new AbstractList<>() {
            @Override
            public CountedPort get(int index) {
                return Objects.requireNonNull(of(found, store, ports[index]), "what was read stays");
            }

            @Override
            public int size() {
                return ports.length;
            }
        };
    }

    /** Those with the gravest faults first, then those with the most errors an hour; no others than had any. */
    public static List<CountedPort> worst(PlacedSubnet found, CounterStore store, int limit) {
        List<CountedPort> worst = new ArrayList<>();
        for (CountedPort each : all(found, store)) {
            if (!each.faults.isEmpty() || each.errors() > 0) {
                worst.add(each);
            }
        }
        worst.sort(Comparator.comparingDouble(CountedPort::badness)
                .thenComparingDouble(each -> each.statistics.errorsPerHour())
                .thenComparingLong(CountedPort::errors)
                .reversed());
        return worst.size() > limit ? worst.subList(0, limit) : worst;
    }

    /** One port; null if it was never read. */
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

    private double badness() {
        return faults.isEmpty() ? 0 : faults.get(0).excess();
    }

    /** Signs of a bad link since they were counted first. */
    public long errors() {
        long sum = 0;
        for (Counter error : Counter.errors()) {
            sum += error.isFault() ? statistics.total(error) : 0;
        }
        return sum;
    }

    /** The port and the other end of its cable, for people. */
    public String text() {
        return (place.isEmpty() ? "" : place + " ") + guid + " \"" + name + "\" port " + portNum
                + (peer.isEmpty() ? ", no link" : " - " + peer);
    }
}
