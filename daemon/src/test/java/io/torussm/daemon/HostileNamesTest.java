package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.system.NettyLoop;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.NodeDescription;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.testing.LoggedEvents;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.port.ForwardingTransport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole daemon on a fabric whose devices have hostile names, and all its outputs about them. */
@Timeout(120)
class HostileNamesTest {
    private static final String TORUS = "torus:4x3x1,hosts=1";

    /** 64 bytes each, as devices send them; the last is neither UTF-8 nor ended. */
    private static final List<byte[]> NAMES = Stream.concat(
                    Stream.of(
                                    "\u001b[2J\u001b]0;owned\u0007",
                                    "a\nERROR TSM-1009 forged",
                                    "a\r\nSet-Cookie: b",
                                    "\"},{\"x\":\"",
                                    "</script><img src=x onerror=alert(1)>",
                                    "a\",state=\"y\"} 1\nb{c=\"",
                                    "$(reboot)`reboot`;reboot|reboot",
                                    "\u202egnp.exe\u2028\u2029\ufeff",
                                    "%s%n{} ${jndi:x}",
                                    "a\u0000b\u0085\u009b31m")
                            .map(name -> Arrays.copyOf(name.getBytes(StandardCharsets.UTF_8), 64)),
                    Stream.of(filled((byte) 0xff)))
            .toList();

    /** Characters that move the cursor, end a line or turn the direction of writing. */
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\u2028\\u2029&&[^\\t]]");

    private static final List<String> COMMANDS = List.of(
            "absent",
            "changes 32",
            "check",
            "conditions",
            "events 1000",
            "lids",
            "mcast",
            "names",
            "node 0x200000",
            "partitions",
            "path 0x200000 0x200010",
            "port 0x200000 1",
            "qos",
            "routing",
            "sa",
            "sms",
            "status",
            "switch 0x200000",
            "switches",
            "torus",
            "torus --draw");

    private static final Pattern SAMPLE =
            Pattern.compile("#.*|[a-z0-9_]+(\\{([a-z0-9_]+=\"([^\"\\\\]|\\\\.)*\",?)*})? [-+.0-9eEInfNa]+");

    private static final Pattern LINK = Pattern.compile("(\\{ [^{}]*( \\{[^{}]*})? [^{}]*} ){2}.*");

    @TempDir
    static Path dir;

    /** Every device has one of the names. */
    private static final class HostileNamesPort extends ForwardingTransport {
        HostileNamesPort(MadTransport inner) {
            super(inner);
        }

        @Override
        protected void received(MadFrame frame) {
            byte[] mad = frame.mad().clone();
            boolean isSmp = MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE;
            if (isSmp
                    && MadHeader.method(mad) == Method.GET_RESP
                    && MadHeader.attributeId(mad) == NodeDescription.TYPE.id()) {
                byte[] name = NAMES.get(Math.floorMod(Arrays.hashCode(Arrays.copyOfRange(mad, 64, 128)), NAMES.size()));
                System.arraycopy(name, 0, mad, Smp.DATA_OFFSET, name.length);
            }
            super.received(new MadFrame(frame.peer(), mad));
        }
    }

    @Test
    void areHarmlessInAllMessages() throws Exception {
        Map<Setting<?>, String> settings = new TreeMap<>();
        settings.put(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TorusSpec.parse(TORUS)));
        settings.put(Settings.HTTP_LISTEN, "127.0.0.1:0");
        try (LoopedFabric fabric = new LoopedFabric(TORUS);
                LoggedEvents log = new LoggedEvents().listen();
                RunningDaemon daemon = new RunningDaemon(
                        dir, settings, (options, host) -> SubnetManager.open(options, host, environment(fabric)))) {
            daemon.awaitEvent(SmEvent.SUBNET_UP.code());
            fabric.unplug("host-3-2-0-0");
            daemon.execute("sweep heavy");
            daemon.awaitEvent(SmEvent.HOST_GONE.code());
            checkConsole(daemon);
            checkHttp(log.only(SmEvent.HTTP_LISTENING).get(EventField.ADDRESS));
            checkDumps(daemon);
            assertThat(log.all())
                    .allSatisfy(event -> event.fields().values().forEach(HostileNamesTest::assertHarmless));
        }
    }

    private static byte[] filled(byte value) {
        byte[] name = new byte[64];
        Arrays.fill(name, value);
        return name;
    }

    private static void assertHarmless(String line) {
        assertThat(UNPRINTABLE.matcher(line).find()).as(line).isFalse();
    }

    private static void checkConsole(RunningDaemon daemon) throws IOException {
        for (String command : COMMANDS) {
            List<String> lines = new ArrayList<>();
            daemon.execute(command, lines);
            assertThat(lines).as(command).isNotEmpty().allSatisfy(HostileNamesTest::assertHarmless);
            List<String> json = new ArrayList<>();
            if (daemon.execute(command + " --json", json)) {
                assertThat(json).as(command).allSatisfy(HostileNamesTest::assertHarmless);
                new ObjectMapper().readTree(String.join("\n", json));
            }
        }
    }

    private static void checkHttp(String address) throws Exception {
        for (String path : List.of("/api/status", "/api/torus", "/api/path?src=0x200000&dst=0x200010", "/metrics")) {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://" + address + path))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
            assertThat(answer.body().lines()).as(path).isNotEmpty().allSatisfy(HostileNamesTest::assertHarmless);
            if (path.startsWith("/api")) {
                new ObjectMapper().readTree(answer.body());
            } else {
                assertThat(answer.body().lines())
                        .allMatch(line -> SAMPLE.matcher(line).matches());
            }
        }
    }

    /** Checks the outputs for other programs: fields are in their places. */
    private static void checkDumps(RunningDaemon daemon) throws IOException {
        daemon.execute("dump");
        try (Stream<Path> dumps = Files.list(dir.resolve("dumps"))) {
            for (Path dump :
                    dumps.filter(path -> !path.toString().endsWith(".pcap")).toList()) {
                assertThat(Files.readAllLines(dump, StandardCharsets.UTF_8))
                        .as(dump.toString())
                        .allSatisfy(HostileNamesTest::assertHarmless);
            }
        }
        assertThat(Files.readAllLines(dir.resolve("dumps/opensm-subnet.lst")))
                .isNotEmpty()
                .allMatch(line -> LINK.matcher(line).matches());
    }

    private static SubnetManager.Environment environment(LoopedFabric fabric) {
        return new SubnetManager.Environment() {
            @Override
            public MadTransport port(SmOptions options, NettyLoop simulation) {
                return new HostileNamesPort(fabric.attach("host-0-0-0-0"));
            }

            @Override
            public PeerChannel peers(JGroupsChannel.Settings settings, KeyFile key, NettyLoop loop) {
                throw new IllegalStateException("there is no replication");
            }
        };
    }
}
