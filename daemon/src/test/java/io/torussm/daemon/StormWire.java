package io.torussm.daemon;

import io.torussm.daemon.replica.PeerChannel;
import io.torussm.testing.MortalLoop;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The management network between the SMs of a storm: the other running SMs receive each message a little
 * later.
 */
final class StormWire {
    /** Delay of a message. */
    long delayNs = TimeUnit.MILLISECONDS.toNanos(5);

    private final Map<String, End> ends = new TreeMap<>();

    /** One SM that has begun to look for its peers. */
    private record End(MortalLoop life, PeerChannel.Listener listener) {}

    /**
     * Returns the channel of an SM to the others, which are connected as soon as it starts.
     *
     * @param life life of its process
     */
    PeerChannel end(String name, MortalLoop life) {
        return end(name, life, 0, 0);
    }

    /**
     * Returns the channel of an SM to the others.
     *
     * @param connectNs time until they are connected
     * @param expected maximum number of others
     */
    PeerChannel end(String name, MortalLoop life, long connectNs, int expected) {
        return new PeerChannel() {
            @Override
            public void start(Listener listener) {
                if (connectNs == 0) {
                    connect(listener);
                } else {
                    life.schedule(connectNs, () -> connect(listener));
                }
            }

            private void connect(Listener listener) {
                ends.forEach((peer, end) -> {
                    end.listener().joined(name);
                    listener.joined(peer);
                });
                ends.put(name, new End(life, listener));
            }

            @Override
            public void send(String slot, Supplier<byte[]> message, Runnable sent) {
                ends.forEach((peer, end) -> {
                    if (!peer.equals(name)) {
                        byte[] bytes = message.get();
                        end.life().schedule(delayNs, () -> end.listener().received(name, bytes));
                        sent.run();
                    }
                });
            }

            @Override
            public List<String> peers() {
                return !ends.containsKey(name)
                        ? List.of()
                        : ends.keySet().stream()
                                .filter(peer -> !peer.equals(name))
                                .toList();
            }

            @Override
            public int configuredPeerCount() {
                return expected;
            }

            @Override
            public void close() {
                left(name);
            }
        };
    }

    /** Notes that a process has died; the others detect it immediately. */
    void left(String name) {
        if (ends.remove(name) != null) {
            ends.values().forEach(end -> end.listener().left(name));
        }
    }
}
