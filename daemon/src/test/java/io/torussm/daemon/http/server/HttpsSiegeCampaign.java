package io.torussm.daemon.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.Views;
import io.torussm.daemon.access.AccessFiles;
import io.torussm.daemon.access.TestFiles;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.http.RawHttp;
import io.torussm.daemon.http.RawHttps;
import io.torussm.daemon.http.metrics.HttpCounts;
import io.torussm.event.SmEvent;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.Seeds;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Noise at HTTPS for {@code -Dseconds}, default 60, by two clients without a token. A third with one asks for
 * the health over HTTPS, and a fourth over plain HTTP. Prints the responses, and the waits of the honest
 * clients.
 */
@Tag("campaign")
class HttpsSiegeCampaign {
    private static final InetSocketAddress ANY = InetSocketAddress.createUnresolved("127.0.0.1", 0);

    @TempDir
    Path dir;

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final FakeControl control = new FakeControl();
    private final Map<String, Long> answers = Collections.synchronizedMap(new TreeMap<>());
    private final AtomicLong sent = new AtomicLong();

    @Test
    void attackersStayOutAndTheHonestAreAnswered() throws Exception {
        control.becomeMaster(5);
        control.view = Views.twoSwitches();
        AccessFiles access = AccessFiles.open(new TestFiles(dir).paths());
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Long.getLong("seconds", 60));
        try (HttpServer server = HttpServer.openSecure(ANY, Set.of(), control, access, new HttpCounts());
                HttpServer plain = HttpServer.open(ANY, Set.of(), control)) {
            List<CompletableFuture<?>> attackers = new ArrayList<>();
            for (int seed = 1; seed <= 2; seed++) {
                Random random = Seeds.random(seed);
                attackers.add(CompletableFuture.runAsync(() -> attack(server, random, endNs)));
            }
            List<Long> secure = new ArrayList<>();
            List<Long> open = new ArrayList<>();
            while (System.nanoTime() < endNs) {
                secure.add(health(RawHttps.from(server.address(), "127.0.0.2"), RawHttps.token(TestFiles.READ)));
                open.add(health(new RawHttp(plain.address(), "127.0.0.2"), ""));
            }
            CompletableFuture.allOf(attackers.toArray(CompletableFuture[]::new)).get();
            System.out.println(sent + " hostile requests: " + answers);
            System.out.println("health over HTTPS " + shown(secure) + "; over HTTP " + shown(open));
        }
        assertThat(answers.keySet()).noneMatch(status -> status.startsWith("2"));
        assertThat(control.requests).isEmpty();
        assertThat(log.of(SmEvent.HTTP_DEFECT)).isEmpty();
        System.out.println("events: " + log.all().size());
    }

    private void attack(HttpServer server, Random random, long endNs) {
        Noise noise = new Noise(random);
        while (System.nanoTime() < endNs) {
            try (RawHttp client =
                    random.nextInt(4) == 0 ? noise.sendPlain(server.address()) : noise.send(server.address())) {
                String answer = RawHttps.rest(client);
                answers.merge(answer.startsWith("HTTP/1.1 ") ? answer.substring(9, 12) : "none", 1L, Long::sum);
            } catch (Exception e) {
                answers.merge("no connection", 1L, Long::sum);
            }
            sent.incrementAndGet();
        }
    }

    private static long health(RawHttp client, String token) throws Exception {
        long startNs = System.nanoTime();
        try (client) {
            client.send(RawHttps.request("GET", "/healthz", token, ""));
            assertThat(client.readAll()).startsWith("HTTP/1.1 200 ");
        }
        return System.nanoTime() - startNs;
    }

    private static String shown(List<Long> latenciesNs) {
        List<Long> sorted = latenciesNs.stream().sorted().toList();
        return sorted.size() + " times, p50 " + sorted.get(sorted.size() / 2) / 1000 + " us, p99 "
                + sorted.get(sorted.size() * 99 / 100) / 1000 + " us, at most " + sorted.get(sorted.size() - 1) / 1000
                + " us";
    }
}
