package io.torussm.sim.serve;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.transport.Loop;
import io.torussm.transport.MKeySource;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadScope;
import io.torussm.transport.MadTransport;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import io.torussm.transport.datagram.SocketLoop;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * How many SMPs a second a served fabric answers, {@code torus-sm fabric}'s or ibsim's, to a client without
 * libumad2sim: arguments are the name of its socket (IBSIM_SOCKNAME), the host, requests in flight, requests a round,
 * rounds.
 */
final class ServedRate {
    private final Loop loop;
    private final MadClient client;

    /** Creates a client of a port whose frames come on the loop. */
    ServedRate(MadTransport port, Loop loop, int window) {
        this.loop = loop;
        client = new MadClient(
                port,
                loop,
                MKeySource.fixed(0),
                () -> new MadClient.Settings(window, window, 2_000, 0),
                1,
                new Ignore());
    }

    public static void main(String[] arguments) throws Exception {
        int window = Integer.parseInt(arguments[2]);
        int count = Integer.parseInt(arguments[3]);
        int pid = (int) ProcessHandle.current().pid();
        ListenAddress.Unix server = new ListenAddress.Unix(arguments[0]);
        try (SocketLoop loop =
                        new SocketLoop("client", thrown -> Runtime.getRuntime().halt(70));
                ServedPort port = ServedPort.open(loop, loop, server, pid, arguments[1])) {
            ServedRate rate = new ServedRate(port, loop, window);
            for (int round = 0; round < Integer.parseInt(arguments[4]); round++) {
                long startNs = System.nanoTime();
                int answered = rate.round(count);
                double seconds = (System.nanoTime() - startNs) / 1e9;
                System.out.printf(
                        "window %d: %.0f SubnGet per second, %d of %d answered%n",
                        window, count / seconds, answered, count);
            }
        }
    }

    /** Sends so many requests and waits for the last answer; returns how many were answered. */
    int round(int count) throws Exception {
        Burst burst = new Burst(count);
        CompletableFuture<Void> done = new CompletableFuture<>();
        loop.execute(() -> {
            MadScope scope = client.scope();
            scope.pull(burst);
            scope.whenIdle(() -> done.complete(null));
        });
        done.get(600, TimeUnit.SECONDS);
        return burst.answered;
    }

    /** A number of requests to the neighbour and to one beyond it, in turn. */
    private static final class Burst implements Iterator<SmpRequest<NodeInfo>> {
        private final DrPath near = DrPath.of(1);
        private final DrPath far = DrPath.of(1, 1);
        private int remaining;
        private int answered;

        Burst(int count) {
            remaining = count;
        }

        @Override
        public boolean hasNext() {
            return remaining > 0;
        }

        @Override
        public SmpRequest<NodeInfo> next() {
            remaining--;
            return SmpRequest.get(NodeInfo.TYPE, remaining % 2 == 0 ? near : far, 0, outcome -> {
                if (outcome instanceof Outcome.Reply<NodeInfo>) {
                    answered++;
                }
            });
        }
    }

    private static final class Ignore implements MadClient.UnsolicitedReceiver {
        @Override
        public void subnetManagement(MadFrame frame) {}

        @Override
        public void subnetAdministration(MadFrame frame) {}

        @Override
        public void portLost(String reason) {}
    }
}
