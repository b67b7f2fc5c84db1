package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.testing.BothSimulators;
import io.torussm.testing.IbSim;
import io.torussm.testing.Simulator;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/**
 * Refused routing on ibsim: a ring cut twice, {@code no_fallback}, and the service that remains for the
 * operator and the hosts.
 */
@Tag("interop")
@BothSimulators(inEachBuild = false)
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RefusedInteropTest {
    private static final String SM = "H-0000000100000000";
    /** On a ring that stays whole. */
    private static final String TOOLS = "H-0000000100000200";

    private static final String RESTARTING = "H-0000000100001200";
    private static final String[] CUT = {"S-0000000000200060", "S-0000000000200150"};
    private static final int TRIES = 10;
    private static final Pattern LID = Pattern.compile("(?m)^\\s*(\\d+)\\b");

    @Parameter
    Simulator simulator = Simulator.IBSIM;

    @TempDir
    Path dir;

    private int httpPort;

    @Test
    void allHostsAreNotifiedAndTheRestIsServed() throws Exception {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            httpPort = free.getLocalPort();
        }
        try (TorusOnIbSim torus = new TorusOnIbSim(simulator, "torus:6x5x1,hosts=1", TOOLS, dir)) {
            torus.routeWith("torus-2QoS,no_fallback");
            TorusOnIbSim.Sm sm = start(torus);
            sm.await(SmEvent.SUBNET_UP.code());
            assertThat(torus.control(SM, "path", "host-1-1-0-0", "host-4-1-0-0").status())
                    .isZero();
            for (String node : CUT) {
                torus.unlink(node, 1);
            }
            sm.await(SmEvent.ROUTES_STAYING.code());
            assertAllReport(torus, "refused");

            torus.unlink(RESTARTING);
            sm.await(SmEvent.HOST_GONE.code());
            torus.relink(RESTARTING);
            sm.await(SmEvent.HOST_BACK.code());
            assertIsServed(torus, lid(torus, "host-3-3-0-0"));

            sm.kill();
            TorusOnIbSim.Sm next = start(torus);
            next.await(SmEvent.ROUTES_ADOPTED.code());
            assertAllReport(torus, "adopted");
            assertIsServed(torus, lid(torus, "host-3-3-0-0"));

            for (String node : CUT) {
                torus.relink(node, 1);
            }
            next.await(SmEvent.ROUTES_COMPUTED.code());
            next.await(SmEvent.SUBNET_UP.code());
            assertThat(torus.control(SM, "path", "host-1-1-0-0", "host-4-1-0-0").status())
                    .isZero();
        }
    }

    private TorusOnIbSim.Sm start(TorusOnIbSim torus) throws Exception {
        return torus.torusSm(SM, "--http-listen", "127.0.0.1:" + httpPort);
    }

    private void assertAllReport(TorusOnIbSim torus, String state) throws Exception {
        // It is logged a moment before it is published, and in the first sweep perhaps before a client can
        // connect.
        while (!torus.control(SM, "status").text().contains(state)) {
            torus.tool("sminfo");
        }
        IbSim.ProgramResult dead = torus.control(SM, "path", "host-1-1-0-0", "host-4-1-0-0");
        assertThat(dead.status()).as(dead.text()).isEqualTo(1);
        assertThat(torus.control(SM, "path", "host-0-0-0-0", "host-0-1-0-0").status())
                .isZero();
        assertThat(torus.control(SM, "port", "1,1,0", "1").text()).contains("DOWN");
        assertThat(get("/readyz")).contains(state);
        assertThat(get("/metrics"))
                .containsPattern("torussm_routing_state\\{[^}]*state=\"" + state + "\"[^}]*\\} 1(\\.0)?\\n");
    }

    /** Returns a page. The web server is opened after the console. */
    private String get(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path))
                .build();
        HttpResponse<String> response = null;
        while (response == null) {
            try {
                response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
            } catch (ConnectException e) {
                Thread.onSpinWait();
            }
        }
        assertThat(response.statusCode()).as(path).isEqualTo(200);
        return response.body();
    }

    private static int lid(TorusOnIbSim torus, String host) throws Exception {
        String text = torus.control(SM, "lids", host).text();
        Matcher found = LID.matcher(text);
        assertThat(found.find()).as(text).isTrue();
        return Integer.parseInt(found.group(1));
    }

    private static void assertIsServed(TorusOnIbSim torus, int lid) throws Exception {
        assertThat(runUntilSuccess(torus, "smpquery", "portinfo", String.valueOf(lid), "1"))
                .contains("LinkState:.......................Active");
        assertThat(runUntilSuccess(torus, "saquery", "--src-to-dst", "1:" + lid))
                .contains("dlid....................");
    }

    /**
     * Runs a program until it succeeds: a reported subnet is served a moment later, and ibsim has to notice that a
     * client was killed.
     */
    private static String runUntilSuccess(TorusOnIbSim torus, String... tool) throws Exception {
        IbSim.ProgramResult ended = torus.toolAt(TOOLS, tool);
        for (int i = 1; i < TRIES && ended.status() != 0; i++) {
            ended = torus.toolAt(TOOLS, tool);
        }
        return ended.text();
    }
}
