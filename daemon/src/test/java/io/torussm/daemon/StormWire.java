package io.torussm.daemon;

import io.torussm.daemon.replica.PeerChannel;
import io.torussm.testing.MortalLoop;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The management network between the SMs of a storm: what one sends, the others that live have a little later. */
final class StormWire {
    /** How long a message is on its way. */
    long delayNs = TimeUnit.MILLISECONDS.toNanos(5);

    private final Map<String, End> ends = new TreeMap<>();

    /** One SM that has begun to look for its peers. */
    private record End(MortalLoop life, PeerChannel.Listener listener) {}

    /**
     * The way of an SM to the others, who are there as soon as it looks for them.
     *
     * @param life of its process
     */
    PeerChannel end(String name, MortalLoop life) {
        return end(name, life, 0, 0);
    }

    /**
     * The way of an SM to the others.
     *
     * @param connectNs how long it looks for them
     * @param expected how many others there may be
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
            public int expected() {
                return expected;
            }

            @Override
            public void close() {
                left(name);
            }
        };
    }

    /** Its process has died; the others see it at once. */
    void left(String name) {
        if (ends.remove(name) != null) {
            ends.values().forEach(end -> end.listener().left(name));
        }
    }
}
