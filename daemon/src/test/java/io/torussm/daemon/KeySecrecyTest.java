package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.console.Commands;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.system.NettyLoop;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.congestion.CongestionKeyInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import io.torussm.transport.port.ForwardingTransport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The places in which the secret keys of a whole SM may appear, with all of its managers: M_Key and CC_Key in the
 * header of requests, and in the attribute that sets them. The test searches all MADs of a tap for other places, and
 * the log, the files that other users may read, and the answers to all commands.
 */
class KeySecrecyTest {
    private static final long M_KEY = 0x1122_3344_5566_7788L;
    private static final long SM_KEY = 0x0102_0304_0506_0708L;
    private static final long CC_KEY = 0x2143_6587_a9cb_ed0fL;
    private static final List<Long> KEYS = List.of(M_KEY, SM_KEY, CC_KEY);
    private static final long LIMIT_S = 60;

    /** Offset of M_Key and of CC_Key in their headers. */
    private static final int HEADER_KEY = 24;

    /** Offset of the attribute, which begins with the key that a Set changes. */
    private static final int DATA = Smp.DATA_OFFSET;

    @TempDir
    Path dir;

    private final BlockingQueue<byte[]> sent = new LinkedBlockingQueue<>();

    /** Places of keys that are not permitted. */
    private final List<String> forbiddenPlaces = new ArrayList<>();

    /** Number of MADs with a key in a permitted place; without any the test would show nothing. */
    private int madsWithKey;

    /** The embedded fabric, with a tap at the port of the SM. */
    private final class TappedEnvironment implements SubnetManager.Environment {
        @Override
        public MadTransport port(SmOptions options, NettyLoop simulation)
                throws TransportException, ConfigurationException {
            return new ForwardingTransport(SubnetManager.REAL.port(options, simulation)) {
                @Override
                public boolean send(MadFrame frame, int responseTimeoutMs) {
                    sent.add(frame.mad().clone());
                    return super.send(frame, responseTimeoutMs);
                }
            };
        }

        @Override
        public PeerChannel peers(JGroupsChannel.Settings settings, KeyFile key, NettyLoop loop) {
            return SubnetManager.REAL.peers(settings, key, loop);
        }
    }

    @Test
    void secretKeysAppearOnlyInTheMadFieldsForKeys() throws Exception {
        try (ServiceHarness sm = start()) {
            sm.awaitUp();
            inspectUntilAllManagersHaveSent();
            sm.control().requestSweep(true);
            sm.awaitUp();
            executeAllCommands(new Commands(sm.control()));
            writeRecording(sm);
            sm.log.all().forEach(line -> searchKeys("log", line.toString().getBytes(StandardCharsets.UTF_8)));
        }
        sent.forEach(this::inspect);
        searchReadableFiles();
        assertThat(forbiddenPlaces).isEmpty();
        assertThat(madsWithKey).isPositive();
    }

    private void inspectUntilAllManagersHaveSent() throws InterruptedException {
        Set<Integer> classes = new TreeSet<>();
        while (!classes.containsAll(Set.of(MgmtClass.PERF_MGT, MgmtClass.CONGESTION_CONTROL))) {
            byte[] mad = Objects.requireNonNull(sent.poll(LIMIT_S, TimeUnit.SECONDS), () -> "only classes " + classes);
            classes.add(MadHeader.mgmtClass(mad));
            inspect(mad);
        }
    }

    private static void writeRecording(ServiceHarness sm) throws Exception {
        assertThat(sm.control()
                        .writeRecording("all.pcap.gz")
                        .get(LIMIT_S, TimeUnit.SECONDS)
                        .problem())
                .isEmpty();
    }

    private ServiceHarness start() throws Exception {
        Map<Setting<?>, String> settings = new TreeMap<>(Map.of(
                Settings.SIMULATE, "torus:4x3x1,hosts=1",
                Settings.M_KEY, "0x" + Long.toHexString(M_KEY),
                Settings.M_KEY_PROTECTION_LEVEL, "2",
                Settings.SM_KEY, "0x" + Long.toHexString(SM_KEY),
                Settings.PERFMGR, "true",
                Settings.PERFMGR_SWEEP_TIME_S, "1",
                Settings.VIRT_ENABLED, "2",
                Settings.DUMP_FILES_DIR, dir.resolve("dumps").toString()));
        settings.put(setting("cc_key"), "0x" + Long.toHexString(CC_KEY));
        settings.put(setting("congestion_control"), "true");
        return new ServiceHarness(dir.resolve("state"), settings, new TappedEnvironment());
    }

    private static Setting<?> setting(String key) {
        return Objects.requireNonNull(Settings.ofKey(key), key);
    }

    /** Searches a MAD for keys outside the fields for keys. */
    private void inspect(byte[] mad) {
        byte[] withoutKeys = mad.clone();
        int mgmtClass = MadHeader.mgmtClass(mad);
        int attributeId = MadHeader.attributeId(mad);
        boolean isSet = MadHeader.method(mad) == Method.SET;
        if (MgmtClass.isSmp(mgmtClass)
                && (isSet || MadHeader.method(mad) == Method.GET)
                && attributeId != SmInfo.TYPE.id()) {
            clearKey(withoutKeys, HEADER_KEY);
            if (isSet && attributeId == PortInfo.TYPE.id()) {
                clearKey(withoutKeys, DATA);
            }
        } else if (mgmtClass == MgmtClass.CONGESTION_CONTROL) {
            clearKey(withoutKeys, HEADER_KEY);
            if (isSet && attributeId == CongestionKeyInfo.TYPE.id()) {
                clearKey(withoutKeys, DATA);
            }
        }
        madsWithKey += Arrays.equals(withoutKeys, mad) ? 0 : 1;
        searchKeys("class " + mgmtClass + ", attribute " + Integer.toHexString(attributeId), withoutKeys);
    }

    private static void clearKey(byte[] mad, int offset) {
        Arrays.fill(mad, offset, offset + Long.BYTES, (byte) 0);
    }

    /** Executes all commands without arguments, and searches their answers. */
    private void executeAllCommands(Commands commands) throws IOException {
        JsonNode help = new ObjectMapper().readTree(String.join("\n", answer(commands, "help --json")));
        Set<String> names = new HashSet<>();
        help.path("commands").forEach(each -> names.add(each.path("name").asText()));
        assertThat(names).contains("status", "keys", "host");
        names.removeAll(Set.of("quit", "watch"));
        for (String name : names) {
            for (String line : List.of(name, name + " --json", "help " + name)) {
                searchKeys(line, String.join("\n", answer(commands, line)).getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static List<String> answer(Commands commands, String line) {
        Commands.Reply reply = commands.run(line, false);
        return reply.later() == null
                ? reply.lines()
                : reply.later().join().get().lines();
    }

    /** Searches the files that any user or the group may read. */
    private void searchReadableFiles() throws IOException {
        int secret = 0;
        try (Stream<Path> files = Files.walk(dir)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Set<PosixFilePermission> modes = Files.getPosixFilePermissions(file);
                if (modes.contains(PosixFilePermission.OTHERS_READ) || modes.contains(PosixFilePermission.GROUP_READ)) {
                    searchKeys(file.toString(), Files.readAllBytes(file));
                } else {
                    secret++;
                }
            }
        }
        assertThat(secret).as("files of the owner alone, such as guid2mkey").isPositive();
    }

    /** Searches bytes for keys, in the order of the wire and as text in hexadecimal or decimal. */
    private void searchKeys(String where, byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        for (long key : KEYS) {
            String raw = new String(ByteBuffer.allocate(Long.BYTES).putLong(key).array(), StandardCharsets.ISO_8859_1);
            boolean isIn = new String(bytes, StandardCharsets.ISO_8859_1).contains(raw)
                    || text.contains(Long.toHexString(key))
                    || text.contains(Long.toUnsignedString(key));
            if (isIn) {
                forbiddenPlaces.add(where + ": " + Long.toHexString(key));
            }
        }
    }
}
