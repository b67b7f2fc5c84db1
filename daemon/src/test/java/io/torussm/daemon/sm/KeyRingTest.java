package io.torussm.daemon.sm;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.LoopedFabric;
import io.torussm.daemon.MortalHost;
import io.torussm.daemon.ServiceHarness;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.control.SmControl.KeyOrigin;
import io.torussm.event.SmEvent;
import io.torussm.mad.Guid;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The keys that an SM generates and changes, on an embedded fabric whose devices outlive the SM. Port 1 of a host that
 * is away keeps its previous M_Key, so the SM has to remember earlier keys in its file "keys".
 */
@Timeout(120)
class KeyRingTest {
    private static final String HOST = "host-0-0-0-0";

    /** A host that is absent for a time, or has the other SM. */
    private static final String AWAY = "host-3-2-0-0";

    private static final boolean WANTED = true;
    private static final boolean UNWANTED = false;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    /** Sweeps in which the SM tries the earlier keys of a port, and writes the newest one. */
    private static final int SWEEPS_TO_FIND_A_KEY = 5;

    @TempDir
    Path dir;

    private final LoopedFabric fabric = new LoopedFabric(LoopedFabric.TORUS);

    @AfterEach
    void end() {
        fabric.close();
    }

    @Test
    void generatedKeysAreSecretAndReplaceThePublicOnes() throws Exception {
        try (ServiceHarness sm = start(new MortalHost(fabric, HOST))) {
            sm.awaitUp();
            sm.log.only(SmEvent.KEYS_PUBLIC);
            assertThat(sm.control().keys().mKey()).isEqualTo(KeyOrigin.NONE);
            generateKeys(sm);
            sm.log.only(SmEvent.KEYS_SECRET);
            assertThat(sm.control().keys().smKey()).isEqualTo(KeyOrigin.GENERATED);
            assertThat(Files.getPosixFilePermissions(keyFile())).isEqualTo(OWNER_ONLY);
            assertThat(sm.log.all().toString() + sm.control().keys())
                    .doesNotContain(newestKeys(Files.readString(keyFile())))
                    .doesNotContain(Guid.format(onlyMKey()));
        }
    }

    /**
     * A host is away while keys are changed, and the SM dies. Its successor, without the file of M_Keys by port, finds
     * the previous key of the host among the earlier keys.
     */
    @Test
    void aHostThatMissedAChangeHasTheNewestKeyAfterTheDeathOfTheSm() throws Exception {
        MortalHost host = new MortalHost(fabric, HOST);
        ServiceHarness sm = start(host);
        sm.awaitUp();
        generateKeys(sm);
        long firstKey = onlyMKey();
        fabric.unplug(AWAY);
        sweep(sm);
        assertThat(changeKeys(sm, WANTED)).isEmpty();
        host.kill();
        sm.close();
        String content = Files.readString(keyFile());
        Files.delete(keyFile().resolveSibling("guid2mkey"));

        try (ServiceHarness successor = start(new MortalHost(fabric, HOST))) {
            successor.awaitUp();
            assertThat(keyFile()).hasContent(content);
            fabric.plugIn(AWAY);
            for (int i = 0; i < SWEEPS_TO_FIND_A_KEY; i++) {
                sweep(successor);
            }
            assertThat(onlyMKey()).isNotIn(0L, firstKey);
            assertThat(content).contains(Guid.format(onlyMKey()));
        }
    }

    @Test
    void portsHaveNoKeyAfterKeysWereSwitchedOff() throws Exception {
        try (ServiceHarness sm = start(new MortalHost(fabric, HOST))) {
            sm.awaitUp();
            generateKeys(sm);
            assertThat(changeKeys(sm, UNWANTED)).isEmpty();
            sm.sweepUntil(() -> fabric.mKeys().equals(Set.of(0L)));
        }
    }

    /** Generates keys, and sweeps until all ports have them. */
    private void generateKeys(ServiceHarness sm) throws Exception {
        assertThat(changeKeys(sm, WANTED)).isEmpty();
        sm.sweepUntil(() -> !fabric.mKeys().contains(0L));
    }

    private static void sweep(ServiceHarness sm) throws Exception {
        sm.sweepUntil(() -> true);
    }

    /** Returns the keys of the first line of the file after its header. */
    private static String[] newestKeys(String content) {
        return content.lines().toList().get(1).split(" ", -1);
    }

    @Test
    void noKeyIsDrawnThatAnotherSmCannotLearn() throws Exception {
        ServiceHarness master = start(new MortalHost(fabric, HOST));
        master.awaitUp();
        ServiceHarness standby =
                new ServiceHarness(new MortalHost(fabric, AWAY), dir, 3, Map.of(Settings.REPLICATION_LISTEN, ""));
        assertThat(standby.end()).contains("other master");
        master.sweepUntil(() -> Objects.requireNonNull(master.control().statistics()).mastership().others().stream()
                .anyMatch(other -> other.guid() == fabric.portGuid(AWAY)));
        assertThat(changeKeys(master, WANTED)).contains("replication");
        assertThat(changeKeys(standby, WANTED)).contains("not master");
        assertThat(keyFile()).doesNotExist();
        standby.close();
        master.close();
    }

    private ServiceHarness start(MortalHost host) throws Exception {
        return new ServiceHarness(host, dir, 8, Map.of(Settings.REPLICATION_LISTEN, ""));
    }

    /** Generates new keys, or switches keys off. Returns the reason if the SM does not; otherwise it is empty. */
    private static String changeKeys(ServiceHarness sm, boolean isWanted) throws Exception {
        return sm.control().changeKeys(isWanted).get(60, TimeUnit.SECONDS);
    }

    private Path keyFile() {
        return dir.resolve("state-" + HOST).resolve("keys");
    }

    /** Returns the M_Key that all ports have. */
    private long onlyMKey() {
        Set<Long> keys = fabric.mKeys();
        assertThat(keys).hasSize(1);
        return keys.iterator().next();
    }
}
