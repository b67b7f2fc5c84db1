package io.torussm.sim.serve;

import io.torussm.transport.Loop;
import io.torussm.transport.TransportException;
import io.torussm.transport.datagram.DatagramAddress;
import io.torussm.transport.datagram.DatagramEndpoint;
import io.torussm.transport.datagram.DatagramNetwork;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The control socket of a client. The server responds in the order of the requests. */
final class ServedControl {
    /** Max wait for a response in seconds. */
    private static final long TIMEOUT_S = 10;

    private final Loop loop;
    private final DatagramEndpoint socket;

    /** Requests without a response, the oldest first. */
    private final ArrayDeque<CompletableFuture<byte[]>> pendingRequests = new ArrayDeque<>();

    /** Opens the socket and connects it to the server. Called on the loop. */
    ServedControl(Loop loop, DatagramNetwork network, DatagramAddress local, DatagramAddress server)
            throws IOException {
        this.loop = loop;
        socket = network.bind(local, this::handleReady);
        try {
            socket.connect(server);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private void handleReady() {
        if (socket.receive(this::receive) == DatagramEndpoint.PEER_GONE) {
            fail("the server is gone");
        }
    }

    private void receive(byte[] bytes, int length, @Nullable DatagramAddress from) {
        CompletableFuture<byte[]> next = ControlMessage.isValid(bytes, length) ? pendingRequests.poll() : null;
        if (next != null) {
            next.complete(Arrays.copyOf(bytes, length));
        }
    }

    private void fail(String reason) {
        for (CompletableFuture<byte[]> next = pendingRequests.poll(); next != null; next = pendingRequests.poll()) {
            next.completeExceptionally(new IOException(reason));
        }
    }

    /** Sends a request whose response is ignored. Called on the loop. */
    void send(byte[] message) {
        request(message, new CompletableFuture<>());
    }

    private void request(byte[] message, CompletableFuture<byte[]> answer) {
        pendingRequests.add(answer);
        ArrayDeque<byte[]> request = new ArrayDeque<>();
        request.add(message);
        if (socket.send(request) != DatagramEndpoint.SendResult.ALL) {
            pendingRequests.removeLast();
            answer.completeExceptionally(new IOException("the server does not take requests"));
        }
    }

    /**
     * Sends a request and returns the response. Not to be called on the loop, which receives the response.
     *
     * @throws TransportException if the server is absent or does not respond within 10 s
     */
    byte[] requestAndWait(byte[] message) throws TransportException {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        loop.execute(() -> request(message, answer));
        return await(answer);
    }

    /**
     * Waits for the result of a task of the loop.
     *
     * @throws TransportException if the task failed, or has no result after 10 s
     */
    static <T> T await(CompletableFuture<T> result) throws TransportException {
        try {
            return result.get(TIMEOUT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TransportException("interrupted while the fabric was asked");
        } catch (ExecutionException e) {
            throw new TransportException("the fabric cannot be reached: "
                    + (e.getCause() == null ? e.getMessage() : e.getCause().getMessage()));
        } catch (TimeoutException e) {
            throw new TransportException("the fabric does not answer within " + TIMEOUT_S + " s");
        }
    }

    void close() {
        fail("closed");
        socket.close();
    }
}
