package io.torussm.perf;

import io.torussm.fabric.Fabric;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Readings of the ports of a fabric, for tests of views of the counters. */
public final class CountedPorts {
    private CountedPorts() {}

    /**
     * Reads all ports with a link twice, at seconds 1 and 2 of 1970. Between these, port n sends 1,000 n words of data
     * and n packets, receives one packet of 300 words, and its link goes down n times.
     */
    public static void readTwice(CounterStore store, Fabric fabric) {
        store.update(fabric, 60, true, 1);
        for (int second = 1; second <= 2; second++) {
            for (int port = 0; port < fabric.portCount(); port++) {
                if (fabric.peer(port) != Fabric.NONE) {
                    read(store, fabric, port, second);
                }
            }
        }
    }

    private static void read(CounterStore store, Fabric fabric, int port, int second) {
        int portNum = fabric.portNum(port);
        PortReading reading = new PortReading();
        int times = second - 1;
        Counter.errors().forEach(error -> reading.set(error, 0, 32));
        reading.set(Counter.LINK_DOWNED, (long) portNum * times, 32);
        reading.set(Counter.XMIT_DATA, 1_000L * portNum * times, 64);
        reading.set(Counter.XMIT_PACKETS, (long) portNum * times, 64);
        reading.set(Counter.RCV_DATA, 300L * times, 64);
        reading.set(Counter.RCV_PACKETS, times, 64);
        Objects.requireNonNull(store.device(fabric.nodeGuid(fabric.nodeOf(port))))
                .add(
                        portNum,
                        reading,
                        TimeUnit.SECONDS.toNanos(second),
                        TimeUnit.SECONDS.toMillis(second),
                        CounterStore.capacity(fabric, port));
    }

    /** Reads all ports with a link once, at second 3. All counters have the value 1. */
    public static void readDetails(CounterStore store, Fabric fabric) {
        PortReading reading = new PortReading();
        Counter.all().forEach(counter -> reading.set(counter, 1, 64));
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.peer(port) != Fabric.NONE) {
                Objects.requireNonNull(store.device(fabric.nodeGuid(fabric.nodeOf(port))))
                        .add(fabric.portNum(port), reading, TimeUnit.SECONDS.toNanos(3), 3_000, null);
            }
        }
    }
}
