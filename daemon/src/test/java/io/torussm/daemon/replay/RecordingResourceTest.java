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

/**
 * A recording of a real SM, and the decisions that every version must make on it. A 3x3 torus comes up; then a cable is
 * bounced by the command of that name.
 */
class RecordingResourceTest {
    private static final String RECORDING = "bounce.pcap.gz";

    /** The time at which a replay of the whole recording stops. */
    private static final long NO_LIMIT = Long.MAX_VALUE;

    @Test
    void theSameTablesAreActiveBeforeAndAfterABouncedCable() throws Exception {
        List<Decision> decisions = new ArrayList<>();
        Replay.Outcome outcome = replay().run(NO_LIMIT, decisions::add);
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
        assertThat(tables).as("checksums of tables and SLs").hasSize(1);
    }

    @Test
    void aReplayStopsAtTheTimeThatIsItsLimit() throws Exception {
        List<Decision> all = new ArrayList<>();
        replay().run(NO_LIMIT, all::add);
        List<Decision> first = new ArrayList<>();
        replay().run(all.get(9).atNs(), first::add);
        assertThat(first).hasSizeBetween(10, all.size() - 1).isEqualTo(all.subList(0, first.size()));
    }

    @Test
    void aReplayIsShownOnThePage() throws Exception {
        VirtualLoop loop = new VirtualLoop();
        Replay replay = replay();
        ReplayObserver observer = new ReplayObserver(replay::options, loop, "test");
        replay.setFabricListener(observer::recordFabric);
        replay.run(NO_LIMIT, decision -> observer.recordDecision(decision, Instant.EPOCH));
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

    private static Replay replay() throws Exception {
        try (InputStream in = Objects.requireNonNull(RecordingResourceTest.class.getResourceAsStream(RECORDING))) {
            Recording recording = RecordingFile.read(in, RECORDING);
            assertThat(recording.isFromStart()).isTrue();
            return new Replay(recording, RECORDING);
        }
    }

    private static String get(String address) throws Exception {
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }
}
