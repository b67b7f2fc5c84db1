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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The keys that an SM generates and changes, on an embedded fabric whose devices outlive the SM. */
@Timeout(120)
class KeyRingTest {
    private static final String HOST = "host-0-0-0-0";
    private static final String AWAY = "host-3-2-0-0";

    @TempDir
    Path dir;

    private final LoopedFabric fabric = new LoopedFabric(LoopedFabric.TORUS);

    @AfterEach
    void end() {
        fabric.close();
    }

    @Test
    void everyPortHasTheNewestKeysAlsoAfterADeathAndAnAbsence() throws Exception {
        MortalHost host = new MortalHost(fabric, HOST);
        ServiceHarness sm = start(host);
        sm.awaitUp();
        sm.log.only(SmEvent.KEYS_PUBLIC);
        assertThat(sm.control().keys().mKey()).isEqualTo(KeyOrigin.NONE);
        assertThat(change(sm, true)).isEmpty();
        sm.sweepUntil(() -> !fabric.mKeys().contains(0L));
        long first = only();
        assertThat(Files.getPosixFilePermissions(file())).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        sm.log.only(SmEvent.KEYS_SECRET);
        assertThat(sm.control().keys().smKey()).isEqualTo(KeyOrigin.GENERATED);

        fabric.unplug(AWAY);
        sm.sweepUntil(() -> true);
        assertThat(change(sm, true)).isEmpty();
        host.kill();
        String content = Files.readString(file());
        assertThat(sm.log.all().toString() + sm.control().keys())
                .doesNotContain(content.lines().toList().get(1).split(" ", -1))
                .doesNotContain(Guid.format(first));
        sm.close();
        Files.delete(file().resolveSibling("guid2mkey")); // like a standby that did not receive its last state

        ServiceHarness next = start(new MortalHost(fabric, HOST));
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
        next.close();
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
        assertThat(change(master, true)).contains("replication");
        assertThat(change(standby, true)).contains("not master");
        assertThat(file()).doesNotExist();
        standby.close();
        master.close();
    }

    private ServiceHarness start(MortalHost host) throws Exception {
        return new ServiceHarness(host, dir, 8, Map.of(Settings.REPLICATION_LISTEN, ""));
    }

    private static String change(ServiceHarness sm, boolean isWanted) throws Exception {
        return sm.control().changeKeys(isWanted).get(60, TimeUnit.SECONDS);
    }

    private Path file() {
        return dir.resolve("state-" + HOST).resolve("keys");
    }

    private long only() {
        Set<Long> keys = fabric.mKeys();
        assertThat(keys).hasSize(1);
        return keys.iterator().next();
    }
}
