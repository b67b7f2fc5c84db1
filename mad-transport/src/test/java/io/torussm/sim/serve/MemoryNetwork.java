package io.torussm.sim.serve;

import io.torussm.transport.Loop;
import io.torussm.transport.datagram.DatagramAddress;
import io.torussm.transport.datagram.DatagramEndpoint;
import io.torussm.transport.datagram.DatagramNetwork;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Datagram sockets of the UNIX domain in memory: queues of eleven, and peers that only hear each other once they are
 * connected.
 */
final class MemoryNetwork implements DatagramNetwork {
    static final int QUEUE_LENGTH = 11;

    private final Loop loop;
    private final Map<DatagramAddress, Socket> bound = new HashMap<>();

    MemoryNetwork(Loop loop) {
        this.loop = loop;
    }

    @Override
    public Socket bind(DatagramAddress local, Runnable ready) throws IOException {
        if (bound.containsKey(local)) {
            throw new IOException("cannot bind " + local + ": it is in use");
        }
        Socket socket = new Socket(local, ready);
        bound.put(local, socket);
        return socket;
    }

    int sockets() {
        return bound.size();
    }

    private record Datagram(byte[] bytes, DatagramAddress from) {}

    /** One socket. */
    final class Socket implements DatagramEndpoint {
        private final DatagramAddress local;
        private final Runnable readyCallback;
        private final ArrayDeque<Datagram> queue = new ArrayDeque<>();
        private @Nullable DatagramAddress peer;
        private boolean awaitsRoom;
        private boolean isReadyScheduled;
        private boolean isClosed;

        Socket(DatagramAddress local, Runnable ready) {
            this.local = local;
            this.readyCallback = ready;
        }

        @Override
        public void connect(DatagramAddress to) throws IOException {
            if (!bound.containsKey(to)) {
                throw new IOException("cannot connect " + local + " to " + to + ": errno 111");
            }
            peer = to;
            queue.clear();
        }

        private void scheduleReady() {
            if (!isReadyScheduled) {
                isReadyScheduled = true;
                loop.execute(() -> {
                    isReadyScheduled = false;
                    if (!isClosed) {
                        readyCallback.run();
                    }
                });
            }
        }

        @Override
        public int receive(DatagramConsumer taker) {
            int count = 0;
            boolean isConnected = peer != null;
            for (; count < BATCH && !queue.isEmpty(); count++) {
                Datagram next = queue.remove();
                byte[] bytes = Arrays.copyOf(next.bytes, MAX_LENGTH);
                taker.accept(bytes, Math.min(next.bytes.length, MAX_LENGTH), isConnected ? null : next.from);
            }
            if (!queue.isEmpty()) {
                scheduleReady();
            }
            List.copyOf(bound.values()).stream()
                    .filter(other -> other.awaitsRoom && local.equals(other.peer))
                    .forEach(Socket::scheduleReady);
            return count;
        }

        @Override
        public SendResult send(ArrayDeque<byte[]> datagrams) {
            while (!datagrams.isEmpty()) {
                Socket to = peer == null ? null : bound.get(peer);
                if (to == null || to.peer != null && !local.equals(to.peer)) {
                    return SendResult.PEER_GONE;
                } else if (to.queue.size() >= QUEUE_LENGTH) {
                    return SendResult.PEER_IS_FULL;
                }
                to.enqueue(datagrams.remove(), local);
            }
            return SendResult.ALL;
        }

        private void enqueue(byte[] bytes, DatagramAddress from) {
            queue.add(new Datagram(bytes, from));
            scheduleReady();
        }

        @Override
        public boolean send(byte[] datagram, DatagramAddress to) {
            Socket socket = bound.get(to);
            if (socket == null
                    || socket.peer != null && !local.equals(socket.peer)
                    || socket.queue.size() >= QUEUE_LENGTH) {
                return false;
            }
            socket.enqueue(datagram, local);
            return true;
        }

        @Override
        public boolean isPeerBound() {
            return peer == null || bound.containsKey(peer);
        }

        @Override
        public void setAwaitsRoom(boolean isAwaited) {
            awaitsRoom = isAwaited;
        }

        @Override
        public void close() {
            isClosed = true;
            bound.remove(local, this);
        }
    }
}
