package io.torussm.daemon.sm;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.LoopedFabric;
import io.torussm.daemon.PairedSm;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.control.SmControl.KeyOrigin;
import io.torussm.event.SmEvent;
import io.torussm.mad.Guid;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys that an SM draws, on an embedded fabric whose devices outlive it. */
@Timeout(120)
class KeyRingTest {
    private static final String HOST = "host-0-0-0-0";
    private static final String AWAY = "host-3-2-0-0";

    @TempDir
    Path dir;

    private final LoopedFabric fabric = new LoopedFabric(PairedSm.TORUS);

    @AfterEach
    void end() {
        fabric.close();
    }

    private PairedSm start(String host) throws Exception {
        return new PairedSm(fabric, dir, host, 8, Map.of(Settings.REPLICATION_LISTEN, ""));
    }

    private static String change(PairedSm sm, boolean isWanted) throws Exception {
        return sm.harness.control().changeKeys(isWanted).get(60, TimeUnit.SECONDS);
    }

    private Path file() {
        return dir.resolve("state-" + HOST).resolve("keys");
    }

    private long only() {
        Set<Long> keys = fabric.mKeys();
        assertThat(keys).hasSize(1);
        return keys.iterator().next();
    }

    @Test
    void everyPortHasTheNewestKeysAlsoAfterADeathAndAnAbsence() throws Exception {
        PairedSm sm = start(HOST);
        sm.awaitUp();
        sm.harness.log.only(SmEvent.KEYS_PUBLIC);
        assertThat(sm.harness.control().keys().mKey()).isEqualTo(KeyOrigin.NONE);
        assertThat(change(sm, true)).isEmpty();
        sm.sweepUntil(() -> !fabric.mKeys().contains(0L));
        long first = only();
        assertThat(Files.getPosixFilePermissions(file())).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        sm.harness.log.only(SmEvent.KEYS_SECRET);
        assertThat(sm.harness.control().keys().smKey()).isEqualTo(KeyOrigin.GENERATED);

        fabric.unplug(AWAY);
        sm.sweepUntil(() -> true);
        assertThat(change(sm, true)).isEmpty();
        sm.die();
        String content = Files.readString(file());
        assertThat(sm.harness.log.all().toString() + sm.harness.control().keys())
                .doesNotContain(content.lines().toList().get(1).split(" ", -1))
                .doesNotContain(Guid.format(first));
        sm.harness.close();
        Files.delete(file().resolveSibling("guid2mkey")); // like a standby that did not receive its last state

        PairedSm next = start(HOST);
        next.awaitUp();
        assertThat(content).isEqualTo(Files.readString(file()));
        fabric.plugIn(AWAY);
        for (int sweep = 0; sweep < 5; sweep++) {
            next.sweepUntil(() -> true);
        }
        assertThat(only()).isNotIn(0L, first);
        assertThat(content).contains(Guid.format(only()));

        assertThat(change(next, false)).isEmpty();
        next.sweepUntil(() -> fabric.mKeys().equals(Set.of(0L)));
        next.harness.close();
    }

    @Test
    void nothingIsDrawnThatAnotherSmWouldNotLearn() throws Exception {
        PairedSm master = start(HOST);
        master.awaitUp();
        PairedSm standby = new PairedSm(fabric, dir, AWAY, 3, Map.of(Settings.REPLICATION_LISTEN, ""));
        assertThat(standby.harness.end()).contains("other master");
        master.sweepUntil(
                () -> Objects.requireNonNull(master.harness.control().statistics()).mastership().others().stream()
                        .anyMatch(other -> other.guid() == fabric.portGuid(AWAY)));
        assertThat(change(master, true)).contains("replication");
        assertThat(change(standby, true)).contains("not master");
        assertThat(file()).doesNotExist();
        standby.harness.close();
        master.harness.close();
    }
}
