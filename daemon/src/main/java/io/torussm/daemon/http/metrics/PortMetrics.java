package io.torussm.daemon.http.metrics;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.torussm.daemon.control.SmObserver;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.http.Reply;
import io.torussm.fabric.Fabric;
import io.torussm.perf.CounterStore;
import io.torussm.view.PlacedSubnet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The counters of ports for Prometheus, in slices, because those of a large fabric take tens of megabytes. A device
 * always belongs to the same slice. A slice is computed once between two readings of the counters. Owner thread: {@code
 * http-worker}.
 */
public final class PortMetrics {
    /** Maximum number of ports in a reply, which then has about thirty megabytes. */
    static final int MAX_PORTS = 8_192;

    /** Maximum size of stored replies, in bytes. */
    private static final long MAX_STORED_BYTES = 1L << 25;

    private static final String NUMBER = "\\d{0,4}";
    private static final int DEFAULT_PORTS = 2_048;

    private final SmObserver observer;
    private final Map<Slice, StoredReply> storedReplies = new LinkedHashMap<>();

    private record Slice(int number, int of) {
        boolean has(long nodeGuid) {
            long mixed = nodeGuid * 0x9E37_79B9_7F4A_7C15L;
            return Long.remainderUnsigned(mixed ^ mixed >>> 32, of) == number;
        }
    }

    /** A stored reply and its source. */
    private record StoredReply(Reply reply, long turns, Fabric fabric) {
        boolean isOf(long otherTurns, Fabric other) {
            return turns == otherTurns && fabric == other;
        }
    }

    PortMetrics(SmObserver observer) {
        this.observer = observer;
    }

    /**
     * Returns the reply to a scrape.
     *
     * @param shard number of the slice, from 0; empty for 0
     * @param shards number of slices; empty for 1
     */
    public synchronized Reply scrape(String shard, String shards) {
        if (!shard.matches(NUMBER) || !shards.matches(NUMBER)) {
            return Reply.text(HttpResponseStatus.BAD_REQUEST, "shard and shards are numbers below 10000");
        }
        Slice slice = new Slice(
                shard.isEmpty() ? 0 : Integer.parseInt(shard), shards.isEmpty() ? 1 : Integer.parseInt(shards));
        if (slice.number() >= slice.of()) {
            return Reply.text(HttpResponseStatus.BAD_REQUEST, "shard is a number from 0 to shards - 1");
        }
        SmStatistics statistics = observer.statistics();
        PlacedSubnet found = observer.state().visibleSubnet();
        return statistics == null || found == null
                ? Reply.data(PortMetricsText.TYPE, new byte[0])
                : answer(slice, statistics, found);
    }

    private Reply answer(Slice slice, SmStatistics statistics, PlacedSubnet found) {
        long turns = statistics.counters().turns();
        StoredReply previous = storedReplies.get(slice);
        if (previous != null && previous.isOf(turns, found.fabric())) {
            return previous.reply();
        }
        int[] ports = ports(slice, found.fabric(), observer.counters());
        if (ports.length > MAX_PORTS) {
            int shards = slice.of() * (ports.length / DEFAULT_PORTS + 1);
            return Reply.text(
                    HttpResponseStatus.BAD_REQUEST,
                    ports.length + " ports are too many for one answer; scrape /metrics/ports?shard=N&shards=" + shards
                            + " for each N from 0 to " + (shards - 1));
        }
        byte[] text = new PortMetricsText(found, observer.counters(), statistics).of(ports);
        Reply reply = Reply.data(PortMetricsText.TYPE, text);
        store(slice, new StoredReply(reply, turns, found.fabric()));
        return reply;
    }

    private void store(Slice slice, StoredReply newest) {
        storedReplies.remove(slice);
        storedReplies.put(slice, newest);
        Iterator<StoredReply> oldest = storedReplies.values().iterator();
        while (bytes() > MAX_STORED_BYTES && storedReplies.size() > 1) {
            oldest.next();
            oldest.remove();
        }
    }

    private long bytes() {
        return storedReplies.values().stream()
                .mapToLong(each -> each.reply().body().length)
                .sum();
    }

    /** Returns the port indexes of a slice whose counters were read. */
    private static int[] ports(Slice slice, Fabric fabric, CounterStore store) {
        return IntStream.range(0, fabric.nodeCount())
                .filter(node -> slice.has(fabric.nodeGuid(node)))
                .flatMap(node -> IntStream.rangeClosed(1, fabric.numPorts(node))
                        .filter(portNum -> store.isRead(fabric.nodeGuid(node), portNum))
                        .map(portNum -> fabric.port(node, portNum)))
                .toArray();
    }
}
