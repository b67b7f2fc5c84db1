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
    static final int DEPTH = 11;

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
        private final Runnable ready;
        private final ArrayDeque<Datagram> queue = new ArrayDeque<>();
        private @Nullable DatagramAddress peer;
        private boolean awaitsRoom;
        private boolean isCalled;
        private boolean isClosed;

        Socket(DatagramAddress local, Runnable ready) {
            this.local = local;
            this.ready = ready;
        }

        @Override
        public void connect(DatagramAddress to) throws IOException {
            if (!bound.containsKey(to)) {
                throw new IOException("cannot connect " + local + " to " + to + ": errno 111");
            }
            peer = to;
            queue.clear();
        }

        private void call() {
            if (!isCalled) {
                isCalled = true;
                loop.execute(() -> {
                    isCalled = false;
                    if (!isClosed) {
                        ready.run();
                    }
                });
            }
        }

        @Override
        public int receive(Taker taker) {
            int count = 0;
            boolean isConnected = peer != null;
            for (; count < BATCH && !queue.isEmpty(); count++) {
                Datagram next = queue.remove();
                byte[] bytes = Arrays.copyOf(next.bytes, MAX_LENGTH);
                taker.take(bytes, Math.min(next.bytes.length, MAX_LENGTH), isConnected ? null : next.from);
            }
            if (!queue.isEmpty()) {
                call();
            }
            List.copyOf(bound.values()).stream()
                    .filter(other -> other.awaitsRoom && local.equals(other.peer))
                    .forEach(Socket::call);
            return count;
        }

        @Override
        public Sent send(ArrayDeque<byte[]> datagrams) {
            while (!datagrams.isEmpty()) {
                Socket to = peer == null ? null : bound.get(peer);
                if (to == null || to.peer != null && !local.equals(to.peer)) {
                    return Sent.PEER_GONE;
                } else if (to.queue.size() >= DEPTH) {
                    return Sent.PEER_IS_FULL;
                }
                to.take(datagrams.remove(), local);
            }
            return Sent.ALL;
        }

        private void take(byte[] bytes, DatagramAddress from) {
            queue.add(new Datagram(bytes, from));
            call();
        }

        @Override
        public boolean send(byte[] datagram, DatagramAddress to) {
            Socket socket = bound.get(to);
            if (socket == null || socket.peer != null && !local.equals(socket.peer) || socket.queue.size() >= DEPTH) {
                return false;
            }
            socket.take(datagram, local);
            return true;
        }

        @Override
        public boolean isPeerThere() {
            return peer == null || bound.containsKey(peer);
        }

        @Override
        public void awaitRoom(boolean isAwaited) {
            awaitsRoom = isAwaited;
        }

        @Override
        public void close() {
            isClosed = true;
            bound.remove(local, this);
        }
    }
}
