package io.torussm.transport.umad;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Guid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.testing.RealLoop;
import io.torussm.transport.MKeySource;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadScope;
import io.torussm.transport.MadTransport;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import io.torussm.transport.TransportException;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The program that {@code UmadInteropTest} runs in another JVM with umad2sim preloaded. Also for a real HCA by hand:
 * {@code look} only reads; {@code issm} claims the port; {@code raw} waits for the return of a request;
 * {@code rate WINDOW COUNT} measures.
 */
final class UmadProbe {
    private UmadProbe() {}

    /** Prints one fact a line. For a {@link TransportException} prints its message and exits with 1. */
    public static void main(String[] arguments) throws Exception {
        try (UmadTransport transport = UmadTransport.open(choice());
                RealLoop loop = new RealLoop()) {
            System.out.println("port " + transport.localPort());
            if (arguments[0].equals("raw")) {
                raw(transport);
                return;
            }
            int window = arguments[0].equals("rate") ? Integer.parseInt(arguments[1]) : 4;
            MadClient client = new MadClient(
                    transport,
                    loop,
                    MKeySource.fixed(0),
                    () -> new MadClient.Settings(window, window, 2_000, 0),
                    1,
                    new Ignore());
            switch (arguments[0]) {
                case "look" -> look(client, loop);
                case "issm" -> isSm(transport, client, loop);
                case "rate" -> rate(client, loop, window, Integer.parseInt(arguments[2]));
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        } catch (TransportException e) {
            System.out.println(e.getMessage());
            System.exit(1);
        }
    }

    /** Returns the port that {@code -Dguid} or {@code -Dca} selects. */
    private static PortChoice choice() {
        String guid = System.getProperty("guid");
        String ca = System.getProperty("ca");
        if (guid != null) {
            return PortChoice.byGuid(Guid.parse(guid));
        }
        return ca == null ? PortChoice.firstUsable() : PortChoice.byName(ca, Integer.getInteger("port", 0));
    }

    /** Asks the host two hops away for SMInfo: no subnet manager runs there, so ibsim returns the request. */
    private static void raw(UmadTransport transport) throws Exception {
        CompletableFuture<MadFrame> back = new CompletableFuture<>();
        transport.start(new MadTransport.Receiver() {
            @Override
            public void received(MadFrame frame) {
                back.complete(frame);
            }

            @Override
            public void transportFailed(String reason) {
                back.completeExceptionally(new IllegalStateException(reason));
            }
        });
        byte[] request = Smp.directed(Method.GET, 0x1234, SmInfo.TYPE.id(), 0, 0, DrPath.of(1, 2));
        System.out.println("sent " + transport.send(new MadFrame(MadAddress.DIRECTED, request), 2_000));
        MadFrame frame = back.get(30, TimeUnit.SECONDS);
        System.out.println("undelivered " + frame.isUndelivered() + " tid "
                + Long.toHexString(MadHeader.tid(frame.mad()) & 0xffffffffL));
        transport.close();
        System.out.println("sent after close " + transport.send(new MadFrame(MadAddress.DIRECTED, request), 0));
    }

    private static void look(MadClient client, RealLoop loop) throws Exception {
        System.out.println("local " + get(client, loop, NodeInfo.TYPE, DrPath.LOCAL, 0));
        System.out.println("localPort " + get(client, loop, PortInfo.TYPE, DrPath.LOCAL, 1));
        System.out.println("neighbour " + get(client, loop, NodeInfo.TYPE, DrPath.of(1), 0));
        System.out.println("neighbourPort " + get(client, loop, PortInfo.TYPE, DrPath.of(1), 1));
        System.out.println("nowhere " + outcome(client, loop, NodeInfo.TYPE, DrPath.of(1, 7), 0));
    }

    private static void isSm(UmadTransport transport, MadClient client, RealLoop loop) throws Exception {
        System.out.println(
                "before " + get(client, loop, PortInfo.TYPE, DrPath.LOCAL, 1).hasCapability(PortInfo.CAP_IS_SM));
        transport.setIsSm(true);
        System.out.println(
                "set " + get(client, loop, PortInfo.TYPE, DrPath.LOCAL, 1).hasCapability(PortInfo.CAP_IS_SM));
        transport.setIsSm(false);
        System.out.println(
                "cleared " + get(client, loop, PortInfo.TYPE, DrPath.LOCAL, 1).hasCapability(PortInfo.CAP_IS_SM));
        transport.setIsSm(true);
        transport.close();
        try (UmadTransport again = UmadTransport.open(choice())) {
            MadClient second = new MadClient(
                    again, loop, MKeySource.fixed(0), () -> new MadClient.Settings(1, 1, 2_000, 0), 1, new Ignore());
            System.out.println("closed "
                    + get(second, loop, PortInfo.TYPE, DrPath.LOCAL, 1).hasCapability(PortInfo.CAP_IS_SM));
        }
    }

    private static void rate(MadClient client, RealLoop loop, int window, int count) throws Exception {
        for (int round = 0; round < 4; round++) {
            long startNs = System.nanoTime();
            Burst burst = new Burst(count);
            CompletableFuture<Void> done = new CompletableFuture<>();
            loop.execute(() -> {
                MadScope scope = client.scope();
                scope.pull(burst);
                scope.whenIdle(() -> done.complete(null));
            });
            done.get(600, TimeUnit.SECONDS);
            double seconds = (System.nanoTime() - startNs) / 1e9;
            System.out.printf(
                    "window %d: %.0f SubnGet per second, %d of %d answered%n",
                    window, count / seconds, burst.answered, count);
        }
    }

    /** A number of equal requests to the neighbour. */
    private static final class Burst implements Iterator<SmpRequest<NodeInfo>> {
        private final DrPath path = DrPath.of(1);
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
            return SmpRequest.get(NodeInfo.TYPE, path, 0, outcome -> {
                if (outcome instanceof Outcome.Reply<NodeInfo>) {
                    answered++;
                }
            });
        }
    }

    private static <A extends Attribute<A>> A get(
            MadClient client, RealLoop loop, AttributeType<A> type, DrPath path, int modifier) throws Exception {
        Outcome<A> outcome = outcome(client, loop, type, path, modifier);
        if (outcome instanceof Outcome.Reply<A> reply) {
            return reply.value();
        }
        throw new IllegalStateException(type.layout().name() + " of " + path + ": " + outcome);
    }

    private static <A extends Attribute<A>> Outcome<A> outcome(
            MadClient client, RealLoop loop, AttributeType<A> type, DrPath path, int modifier) throws Exception {
        CompletableFuture<Outcome<A>> answer = new CompletableFuture<>();
        loop.execute(() -> client.scope().get(type, path, modifier, answer::complete));
        return answer.get(30, TimeUnit.SECONDS);
    }

    private static final class Ignore implements MadClient.UnsolicitedReceiver {
        @Override
        public void subnetManagement(MadFrame frame) {}

        @Override
        public void subnetAdministration(MadFrame frame) {}

        @Override
        public void portLost(String reason) {
            System.out.println("lost " + reason);
        }
    }
}
