package io.torussm.daemon.http.api;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.torussm.daemon.control.CountedPort;
import io.torussm.daemon.control.SmObserver;
import io.torussm.daemon.http.Reply;
import io.torussm.daemon.json.Json;
import io.torussm.mad.Guid;
import io.torussm.perf.Counter;
import io.torussm.perf.PortSample;
import io.torussm.perf.PortStatistics;
import io.torussm.view.FabricState;
import io.torussm.view.PlacedSubnet;
import java.time.Instant;
import java.util.AbstractList;
import java.util.List;
import java.util.OptionalLong;

/** The lists of counters of ports, and their history. Owner thread: {@code http-worker}. */
final class CounterLists {
    private final SmObserver observer;

    /**
     * The counters of a port.
     *
     * @param guid GUID of the node
     * @param port port number
     * @param name name of the node
     * @param place coordinates of a switch; empty without coordinates
     * @param peerGuid GUID of the node at the other end of the cable; empty without a link
     * @param peerPort port number at the other end; 0 without a link
     * @param at time of the last reading
     * @param errors error counters, summed since the first reading
     * @param xmitWaitShare share of time, 0 to 1, in which the port has data to send and no credits
     * @param errorsPerHour mean of recent errors that indicate a bad link
     */
    record PortCount(
            String guid,
            int port,
            String name,
            String place,
            String peerGuid,
            int peerPort,
            Instant at,
            PortErrors errors,
            double xmitBytesPerSecond,
            double rcvBytesPerSecond,
            double xmitPacketsPerSecond,
            double rcvPacketsPerSecond,
            double xmitWaitShare,
            double errorsPerHour) {}

    /** Error counters of PortCounters (IBA 16.1.3.5). */
    record PortErrors(
            long symbolErrors,
            long linkErrorRecovery,
            long linkDowned,
            long rcvErrors,
            long rcvRemotePhysicalErrors,
            long rcvSwitchRelayErrors,
            long xmitDiscards,
            long xmitConstraintErrors,
            long rcvConstraintErrors,
            long localLinkIntegrityErrors,
            long excessiveBufferOverrunErrors,
            long vl15Dropped) {
        static PortErrors of(PortStatistics current) {
            return new PortErrors(
                    current.total(Counter.SYMBOL_ERRORS),
                    current.total(Counter.LINK_ERROR_RECOVERY),
                    current.total(Counter.LINK_DOWNED),
                    current.total(Counter.RCV_ERRORS),
                    current.total(Counter.RCV_REMOTE_PHYSICAL_ERRORS),
                    current.total(Counter.RCV_SWITCH_RELAY_ERRORS),
                    current.total(Counter.XMIT_DISCARDS),
                    current.total(Counter.XMIT_CONSTRAINT_ERRORS),
                    current.total(Counter.RCV_CONSTRAINT_ERRORS),
                    current.total(Counter.LOCAL_LINK_INTEGRITY_ERRORS),
                    current.total(Counter.EXCESSIVE_BUFFER_OVERRUN_ERRORS),
                    current.total(Counter.VL15_DROPPED));
        }
    }

    /**
     * The history of a port.
     *
     * @param guid GUID of the node
     * @param port port number
     * @param samples last samples, the oldest first
     */
    record History(String guid, int port, List<PortSample> samples) {}

    CounterLists(SmObserver observer) {
        this.observer = observer;
    }

    /** Returns the ports that were read, in the order of the fabric. An item is computed when it is accessed. */
    List<PortCount> counters(FabricState state, PlacedSubnet found) {
        List<CountedPort> all = CountedPort.all(found, observer.counters());
        return new AbstractList<>() {
            @Override
            public PortCount get(int index) {
                return count(all.get(index));
            }

            @Override
            public int size() {
                return all.size();
            }
        };
    }

    private static PortCount count(CountedPort port) {
        PortStatistics current = port.statistics();
        return new PortCount(
                port.guid(),
                port.portNum(),
                port.name(),
                port.place(),
                port.peerGuid(),
                port.peerPort(),
                current.at(),
                PortErrors.of(current),
                current.xmitBytesPerSecond(),
                current.rcvBytesPerSecond(),
                current.xmitPacketsPerSecond(),
                current.rcvPacketsPerSecond(),
                current.xmitWaitShare(),
                current.errorsPerHour());
    }

    /**
     * Returns the last samples of a port.
     *
     * @param guid GUID of the node
     * @param port port number
     */
    Reply history(String guid, String port) {
        OptionalLong node = Guid.parseAnyForm(guid);
        if (node.isEmpty() || !port.matches("\\d{1,3}")) {
            return Reply.text(
                    HttpResponseStatus.BAD_REQUEST,
                    "guid is that of a node, such as 0x0002c90300001234, and port a number");
        }
        int portNum = Integer.parseInt(port);
        if (!observer.counters().isRead(node.getAsLong(), portNum)) {
            return Reply.text(HttpResponseStatus.NOT_FOUND, "the counters of this port were not read; see perfmgr");
        }
        List<PortSample> samples = observer.counters().samples(node.getAsLong(), portNum);
        return Reply.tagged(Reply.JSON, Json.bytes(new History(Guid.format(node.getAsLong()), portNum, samples)));
    }
}
