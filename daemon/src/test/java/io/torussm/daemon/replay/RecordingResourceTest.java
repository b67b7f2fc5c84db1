package io.torussm.daemon.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.http.server.HttpServer;
import io.torussm.recording.Recording;
import io.torussm.recording.RecordingFile;
import io.torussm.sim.VirtualLoop;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Recordings of real SMs, as users sent them, with the decisions that every version must make. */
class RecordingResourceTest {
    /** A 3x3 torus comes up; then a cable is bounced by the command of that name. */
    @Test
    void aBouncedCableIsBackInOneSweep() throws Exception {
        List<Decision> decisions = new ArrayList<>();
        Replay.Outcome outcome = replay("bounce.pcap.gz").run(Long.MAX_VALUE, decisions::add);
        assertThat(outcome.requests()).isGreaterThan(1_000);
        List<String> sweeps = decisions.stream()
                .filter(decision -> decision.kind() == Decision.DecisionType.SWEEP)
                .map(Decision::text)
                .toList();
        assertThat(sweeps).isNotEmpty().allMatch(text -> text.startsWith("up: "));
        assertThat(sweeps.get(sweeps.size() - 1)).contains("torus-2QoS, 9 switches, 9 host ports, 27 links");
        List<String> tables = sweeps.stream()
                .map(text -> text.substring(text.indexOf("tables ", text.indexOf("activated"))))
                .distinct()
                .toList();
        assertThat(tables).as("tables and SLs before and after").hasSize(1);
    }

    @Test
    void stopsAtItsLimit() throws Exception {
        List<Decision> all = new ArrayList<>();
        replay("bounce.pcap.gz").run(Long.MAX_VALUE, all::add);
        List<Decision> some = new ArrayList<>();
        replay("bounce.pcap.gz").run(all.get(9).atNs(), some::add);
        assertThat(some).hasSizeBetween(10, all.size() - 1).isEqualTo(all.subList(0, some.size()));
    }

    @Test
    void isShownOnThePage() throws Exception {
        VirtualLoop loop = new VirtualLoop();
        Replay replay = replay("bounce.pcap.gz");
        ReplayObserver observer = new ReplayObserver(replay::options, loop, "test");
        replay.setFabricListener(observer::recordFabric);
        replay.run(Long.MAX_VALUE, decision -> observer.recordDecision(decision, Instant.EPOCH));
        loop.runFor(0);
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (HttpServer server = HttpServer.open(anyPort, Set.of(), observer)) {
            String base = "http://127.0.0.1:" + server.address().getPort();
            assertThat(get(base + "/api/torus")).contains("sw-1-1-0");
            String changes = get(base + "/api/v1/changes");
            assertThat(changes).contains("\"sweep\"");
            assertThat(get(base + "/api/torus?at=1")).contains("sw-1-1-0");
        }
    }

    private static Replay replay(String name) throws Exception {
        try (InputStream in = Objects.requireNonNull(RecordingResourceTest.class.getResourceAsStream(name))) {
            Recording recording = RecordingFile.read(in, name);
            assertThat(recording.isFromStart()).isTrue();
            return new Replay(recording, name);
        }
    }

    private static String get(String address) throws Exception {
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }
}
