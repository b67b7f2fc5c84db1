package io.torussm.daemon.console.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.console.ConsoleCase;
import io.torussm.daemon.console.client.ConsoleClient;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.journal.SweepHistory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Clients of the console that wait for the end of a sweep, or follow events. */
class WaitingClientsTest extends ConsoleCase {
    @Test
    void aWaitForASweepReportsItsOutcome() throws Exception {
        control.becomeMaster(5);
        for (String request : List.of("sweep --wait", "sweep light --wait", "reroute --wait")) {
            control.sweepListener = sweep -> {};
            try (ConsoleClient client = ConsoleClient.connect(UnixDomainSocketAddress.of(socket))) {
                CompletableFuture<List<String>> answer = CompletableFuture.supplyAsync(() -> answer(client, request));
                while (control.requests.isEmpty()) {
                    Thread.onSpinWait();
                }
                assertThat(answer).isNotDone();
                control.sweepListener.accept(new SweepHistory.Sweep(
                        Instant.EPOCH,
                        request.contains("light") ? "quiet" : "up",
                        "all is well",
                        List.of("a path"),
                        1));
                assertThat(answer.get(60, TimeUnit.SECONDS))
                        .contains("  a path", "  SL changes: 1", "true")
                        .anyMatch(line -> line.endsWith(": all is well"));
                control.requests.clear();
            }
        }
    }

    @Test
    void aSweepThatEndsBadlyIsARefusal() throws Exception {
        control.becomeMaster(5);
        try (ConsoleClient client = ConsoleClient.connect(UnixDomainSocketAddress.of(socket))) {
            CompletableFuture<List<String>> answer =
                    CompletableFuture.supplyAsync(() -> answer(client, "sweep --wait --json"));
            while (control.requests.isEmpty()) {
                Thread.onSpinWait();
            }
            control.sweepListener.accept(new SweepHistory.Sweep(Instant.EPOCH, "refused", "no routes", List.of(), 0));
            assertThat(answer.get(60, TimeUnit.SECONDS))
                    .contains("    \"outcome\" : \"refused\",", "false")
                    .contains("    \"ended\" : \"1970-01-01T00:00:00Z\",");
        }
    }

    /** More waiting clients than threads do not block requests, and each may stop waiting. */
    @Test
    void waitingForSweepsKeepsNoClientOut() throws Exception {
        control.becomeMaster(5);
        List<SocketChannel> waiting = new ArrayList<>();
        for (int i = 0; i <= ConsoleServer.MAX_FOLLOWERS; i++) { // workers may hand over their answers in any order
            SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
            waiting.add(channel);
            channel.write(ByteBuffer.wrap("sweep --wait\n".getBytes(StandardCharsets.US_ASCII)));
        }
        SocketChannel refused = firstAnswered(waiting);
        assertThat(error(refused)).contains("end one of them");
        assertThat(execute("version")).contains("ok");
        SocketChannel one = waiting.get(waiting.indexOf(refused) == 0 ? 1 : 0);
        one.write(ByteBuffer.wrap("\n".getBytes(StandardCharsets.US_ASCII)));
        assertThat(error(one)).as("its wait is over").doesNotContain("end one of them");
        control.journal.add(Instant.EPOCH, "info", "", "an event", Map.of());
        one.write(ByteBuffer.wrap("events --follow\n".getBytes(StandardCharsets.US_ASCII)));
        ByteBuffer buffer = ByteBuffer.allocate(100);
        assertThat(one.read(buffer)).as("there is room again").isPositive();
        assertThat(new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII))
                .contains("an event");
        for (SocketChannel channel : waiting) {
            channel.close();
        }
    }

    @Test
    void aClientThatStopsWaitingForAnEventLeavesNoListener() throws Exception {
        int before = control.journal.listeners();
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.write(ByteBuffer.wrap("export health --after 99\n".getBytes(StandardCharsets.US_ASCII)));
            while (control.journal.listeners() == before) {
                Thread.onSpinWait();
            }
            channel.write(ByteBuffer.wrap("\n".getBytes(StandardCharsets.US_ASCII)));
            assertThat(error(channel)).contains("not waited for any longer");
        }
        assertThat(control.journal.listeners()).isEqualTo(before);
    }

    @Test
    void aRequestThatStartsNoSweepIsNotAwaited() throws IOException {
        assertThat(execute("sweep off --wait")).contains("usage: sweep [heavy|light|on|off] [--wait]", "error");
        assertThat(execute("sweep --wait")).containsExactly("the SM has not begun yet", "error");
        assertThat(control.requests).isEmpty();
    }

    @Test
    void onlySomeMayFollowEvents() throws IOException {
        List<SocketChannel> followers = new ArrayList<>();
        for (int i = 0; i < ConsoleServer.MAX_FOLLOWERS; i++) {
            SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
            followers.add(channel);
            control.journal.add(Instant.EPOCH, "info", "", "an event", Map.of());
            channel.write(ByteBuffer.wrap("events 1 --follow\n".getBytes(StandardCharsets.US_ASCII)));
            assertThat(channel.read(ByteBuffer.allocate(1000))).isPositive();
        }
        assertThat(execute("events --follow")).contains("error");
        assertThat(execute("version")).contains("ok");
        for (SocketChannel channel : followers) {
            channel.close();
        }
    }

    @Test
    void followsEventsUntilALineIsSent() throws Exception {
        control.journal.add(Instant.EPOCH, "info", "", "before", Map.of());
        try (ConsoleClient client = ConsoleClient.connect(UnixDomainSocketAddress.of(socket))) {
            BlockingQueue<String> lines = new LinkedBlockingQueue<>();
            CompletableFuture<Boolean> end = CompletableFuture.supplyAsync(() -> {
                try {
                    return client.execute("events 1 --follow", SILENCE_MS, lines::add);
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(lines.poll(60, TimeUnit.SECONDS)).isEqualTo("1970-01-01T00:00:00Z info before");
            control.journal.add(Instant.EPOCH, "warn", "", "after\nit", Map.of());
            assertThat(lines.poll(60, TimeUnit.SECONDS)).isEqualTo("1970-01-01T00:00:00Z warn after | it");
            client.interrupt();
            assertThat(end.get(60, TimeUnit.SECONDS)).isTrue();
            List<String> more = new ArrayList<>();
            assertThat(client.execute("events --json", SILENCE_MS, more::add)).isTrue();
            JsonNode document = new ObjectMapper().readTree(String.join("\n", more));
            assertThat(document.path("events").get(1).path("number").asInt()).isEqualTo(2);
        }
    }

    @Test
    void tellsASlowReaderHowManyEventsItMissed() throws IOException {
        control.journal.add(Instant.EPOCH, "info", "", "begin", Map.of());
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.write(ByteBuffer.wrap("events 1 --follow --json\n".getBytes(StandardCharsets.US_ASCII)));
            assertThat(channel.read(ByteBuffer.allocate(200))).isPositive();
            for (int i = 1; i < 20 * Journal.CAPACITY; i++) {
                control.journal.add(Instant.EPOCH, "info", "", "x".repeat(1000), Map.of());
            }
            assertThat(execute("version")).containsExactly("torus-sm test", "ok");
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
            long last = 1;
            long told = 1;
            while (last < 20L * Journal.CAPACITY) {
                JsonNode event = new ObjectMapper().readTree(reader.readLine());
                told += event.path("leftOut").asLong(event.has("number") ? 1 : 0);
                last = Math.max(last, event.path("number").asLong());
            }
            assertThat(told).isEqualTo(20L * Journal.CAPACITY);
        }
    }

    private static List<String> answer(ConsoleClient client, String request) {
        List<String> lines = new ArrayList<>();
        try {
            boolean isGood = client.execute(request, SILENCE_MS, lines::add);
            lines.add(String.valueOf(isGood));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines;
    }

    private static SocketChannel firstAnswered(List<SocketChannel> channels) throws IOException {
        SocketChannel firstClient;
        try (Selector selector = Selector.open()) {
            for (SocketChannel channel : channels) {
                channel.configureBlocking(false).register(selector, SelectionKey.OP_READ);
            }
            selector.select();
            firstClient =
                    (SocketChannel) selector.selectedKeys().iterator().next().channel();
        }
        for (SocketChannel channel : channels) {
            channel.configureBlocking(true);
        }
        return firstClient;
    }

    private static String error(SocketChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(200);
        String text = "";
        while (!text.endsWith(".error\n")) {
            assertThat(channel.read(buffer)).isPositive();
            text = new String(buffer.array(), 0, buffer.position(), StandardCharsets.US_ASCII);
        }
        return text;
    }
}
