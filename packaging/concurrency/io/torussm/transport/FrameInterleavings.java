package io.torussm.transport;

import io.torussm.Interleavings;
import io.torussm.WaitingLoop;
import io.torussm.testing.QuietTransport;
import io.torussm.transport.port.PacedPort;
import java.util.ArrayList;
import java.util.List;

/** Frames between the threads of the transport, of senders and of the loop: none is lost, and none overtakes another. */
public final class FrameInterleavings {
    private FrameInterleavings() {}

    /** Two frames arrive while the loop drains: a wake-up that is lost would leave one. */
    public static void received(int limit) {
        Interleavings.explore("InboundQueue: two frames, the loop", limit, outcome -> {
            WaitingLoop loop = new WaitingLoop();
            List<String> taken = new ArrayList<>();
            List<String> turns = new ArrayList<>();
            InboundQueue<String> queue = new InboundQueue<>(loop, taken::add);
            Thread transport = Interleavings.start(() -> {
                queue.offer("first");
                queue.offer("second");
            });
            turns.add(loop.runAll() + " turns before");
            Interleavings.join(transport);
            loop.runAll();
            Interleavings.check(taken.equals(List.of("first", "second")), "all arrive in order: " + taken);
            outcome.addAll(turns);
        });
    }

    /** Two senders and the timer of the loop. */
    public static void paced(int limit) {
        Interleavings.explore("PacedPort: two senders, the loop", limit, outcome -> {
            WaitingLoop loop = new WaitingLoop();
            List<Integer> sent = new ArrayList<>();
            PacedPort port = new PacedPort(new Wire(sent), loop, () -> 1_000);
            Thread sender = Interleavings.start(() -> {
                port.send(frame(1), 0);
                port.send(frame(2), 0);
            });
            port.send(frame(3), 0);
            loop.runAll();
            Interleavings.join(sender);
            loop.runAll();
            Interleavings.check(sent.size() == 3, "each is sent once: " + sent);
            outcome.add("" + sent);
        });
    }

    /** A sender, the end and the timer of the loop. */
    public static void closed(int limit) {
        Interleavings.explore("PacedPort: a sender, the end", limit, outcome -> {
            WaitingLoop loop = new WaitingLoop();
            List<Integer> sent = new ArrayList<>();
            PacedPort port = new PacedPort(new Wire(sent), loop, () -> 1_000);
            boolean[] accepted = new boolean[2];
            Thread sender = Interleavings.start(() -> {
                accepted[0] = port.send(frame(1), 0);
                accepted[1] = port.send(frame(2), 0);
            });
            port.close();
            loop.runAll();
            Interleavings.join(sender);
            loop.runAll();
            Interleavings.check(accepted[0] || !accepted[1], "after a refusal all are refused");
            outcome.add((accepted[0] ? "1 " : "0 ") + (accepted[1] ? "1" : "0") + " accepted, sent " + sent);
        });
    }

    private static MadFrame frame(int number) {
        return new MadFrame(new MadAddress(number, 0, 0, 0), new byte[0]);
    }

    /** A device that takes frames of any thread. */
    private static final class Wire implements MadTransport {
        private final MadTransport quiet = new QuietTransport();
        private final List<Integer> sent;

        Wire(List<Integer> sent) {
            this.sent = sent;
        }

        @Override
        public LocalPort localPort() {
            return quiet.localPort();
        }

        @Override
        public int maxOutstanding() {
            return quiet.maxOutstanding();
        }

        @Override
        public void start(Receiver receiver) {}

        @Override
        public boolean send(MadFrame frame, int responseTimeoutMs) {
            synchronized (sent) {
                return sent.add(frame.peer().lid());
            }
        }

        @Override
        public void setIsSm(boolean isSm) {}

        @Override
        public void close() {}
    }
}
