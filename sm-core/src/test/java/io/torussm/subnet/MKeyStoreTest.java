package io.torussm.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The M_Keys that requests carry, by route and try. The SM's host is at port 2 of a switch, another host at port 5. */
class MKeyStoreTest {
    private static final long LOCAL = 0x10;
    private static final long SWITCH = 0x20;
    private static final long HOST = 0x30;
    private static final DrPath TO_SWITCH = DrPath.of(1);
    private static final DrPath TO_HOST = DrPath.of(1, 5);

    @TempDir
    Path dir;

    private final VirtualLoop loop = new VirtualLoop();
    private long configured = 100;
    private boolean looksUp = true;

    /** Writes the cables of the SM at port 1 of a host, a switch, and another host. */
    @BeforeEach
    void writeCables() throws IOException {
        Files.writeString(
                dir.resolve("neighbors"), "0x10:1 0x20:2\n\n0x20:2 0x10:1\n\n0x20:5 0x30:1\n\n0x30:1 0x20:5\n\n");
    }

    private MKeyStore openStore(String... lines) throws IOException {
        Files.write(dir.resolve("guid2mkey"), lines.length == 0 ? List.of("") : List.of(lines));
        return reopen();
    }

    private MKeyStore reopen() throws IOException {
        StateDirectory state = StateDirectory.open(dir, loop);
        return new MKeyStore(state, new Neighbors(state), LOCAL, () -> configured, () -> looksUp);
    }

    /** Returns the M_Keys of a request and its repetitions. */
    private static List<Long> keysOfRequest(MKeyStore ring, DrPath path) {
        return IntStream.range(0, 4)
                .mapToObj(attempt -> ring.key(path, attempt))
                .toList();
    }

    private static PortInfo portInfoWithKey(long key, int bits) {
        return PortInfo.TYPE.zero().with(PortInfo.M_KEY, key).with(PortInfo.M_KEY_PROTECT_BITS, bits);
    }

    @Test
    void knowsNothingAtFirstAndShowsItsConfiguration() throws IOException {
        MKeyStore ring = openStore();
        assertThat(keysOfRequest(ring, DrPath.LOCAL)).containsOnly(100L);
        assertThat(keysOfRequest(ring, TO_HOST)).containsOnly(100L);
        configured = 101;
        assertThat(keysOfRequest(ring, TO_HOST)).containsOnly(101L);
    }

    @Test
    void keysThatAnotherSmGaveAreShownBesideThoseKnown() throws Exception {
        Files.write(dir.resolve("guid2mkey"), List.of("0x20 0x2"));
        StateDirectory state = StateDirectory.open(dir, loop);
        MKeyStore ring = new MKeyStore(state, new Neighbors(state), LOCAL, () -> configured, () -> looksUp);
        state.examine("guid2mkey", "0x20 0x3\n\n0x30 0x4\n\n".getBytes(StandardCharsets.UTF_8))
                .complete();
        loop.runFor(0);
        for (MKeyStore each : List.of(ring, reopen())) {
            assertThat(keysOfRequest(each, TO_SWITCH)).contains(2L, 3L);
            assertThat(keysOfRequest(each, TO_HOST)).contains(4L);
            assertThat(each.currentKey(SWITCH)).isEqualTo(2);
        }
    }

    @Test
    void aPortAcceptsItsKeyThePendingKeyAndTheConfiguredKey() throws IOException {
        MKeyStore ring = openStore("0x10 0x1", "0x20 0x2");
        ring.expect(LOCAL, 7);
        for (long key : new long[] {1, 7, 100}) {
            assertThat(ring.isAcceptedBy(LOCAL, key)).as("key %d", key).isTrue();
        }
        assertThat(ring.isAcceptedBy(LOCAL, 2)).as("the key of another port").isFalse();
        assertThat(ring.isAcceptedBy(LOCAL, 0)).isFalse();
        assertThat(ring.isAcceptedBy(HOST, 0))
                .as("not known, but a key is configured")
                .isFalse();
        configured = 0;
        assertThat(ring.isAcceptedBy(HOST, 9))
                .as("neither known nor configured")
                .isTrue();
        assertThat(ring.isAcceptedBy(LOCAL, 9)).as("known to have one").isFalse();
    }

    @Test
    void followsTheCablesOfTheLastRunFromTheFirstAnswer() throws IOException {
        MKeyStore ring = openStore("0x10 0x1", "0x20 0x2", "0x30 0x3");
        assertThat(keysOfRequest(ring, DrPath.LOCAL)).containsExactly(1L, 100L, 1L, 100L);
        assertThat(keysOfRequest(ring, TO_SWITCH)).containsExactly(2L, 100L, 2L, 100L);
        assertThat(keysOfRequest(ring, TO_HOST)).containsExactly(3L, 100L, 3L, 100L);
        ring.beginDiscovery();
        ring.recordRoute(TO_SWITCH, HOST);
        assertThat(keysOfRequest(ring, TO_HOST)).containsOnly(100L);
        ring.recordRoute(TO_HOST, SWITCH);
        assertThat(ring.key(TO_HOST, 0)).isEqualTo(2);
    }

    @Test
    void withoutLookupKnowsOnlyAnsweringDevices() throws IOException {
        looksUp = false;
        MKeyStore ring = openStore("0x20 0x2", "0x77 0x9");
        assertThat(keysOfRequest(ring, TO_SWITCH)).containsOnly(100L);
        ring.beginDiscovery();
        ring.recordRoute(TO_SWITCH, SWITCH);
        assertThat(ring.key(TO_SWITCH, 0)).isEqualTo(2);
        ring.beginDiscovery();
        assertThat(ring.key(TO_SWITCH, 0)).isEqualTo(2);
    }

    /** Keys that an operator enters for an unknown device. */
    @Test
    void triesKeysWithoutAPlaceOnDevicesWithoutAName() throws IOException {
        MKeyStore ring = openStore("0x77 0x9", "0x78 0x9", "0x79 0xa", "0x20 0x2");
        List<Long> shown = keysOfRequest(ring, DrPath.of(1, 6));
        assertThat(shown.get(0)).isEqualTo(100);
        assertThat(shown).contains(9L, 10L).doesNotContain(2L);
        assertThat(keysOfRequest(ring, TO_SWITCH)).doesNotContain(9L, 10L);
    }

    @Test
    void learnsFromPorts() throws IOException {
        MKeyStore ring = openStore("0x20 0x2");
        ring.learn(SWITCH, portInfoWithKey(0, 1));
        assertThat(ring.currentKey(SWITCH)).isEqualTo(2);
        ring.learn(SWITCH, portInfoWithKey(7, 2));
        assertThat(ring.currentKey(SWITCH)).isEqualTo(7);
        ring.learn(SWITCH, portInfoWithKey(0, 0));
        assertThat(ring.currentKey(SWITCH)).isEqualTo(100);
        assertThat(keysOfRequest(ring, TO_SWITCH)).containsOnly(100L);
    }

    @Test
    void remembersBothKeysUntilThePortTellsWhichOneItHas() throws IOException {
        MKeyStore ring = openStore("0x20 0x2");
        ring.expect(SWITCH, 100);
        ring.save();
        loop.runFor(0);
        Path file = dir.resolve("guid2mkey");
        assertThat(Files.readString(file))
                .contains("0x0000000000000020 0x0000000000000002\n\n0x0000000000000020 0x0000000000000064\n\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        MKeyStore restarted = reopen();
        configured = 5;
        assertThat(keysOfRequest(restarted, TO_SWITCH)).containsExactly(2L, 100L, 5L, 2L);
        restarted.learn(SWITCH, portInfoWithKey(100, 3));
        restarted.save();
        loop.runFor(0);
        assertThat(keysOfRequest(reopen(), TO_SWITCH)).containsExactly(100L, 5L, 100L, 5L);
    }

    @Test
    void beginsWithTheKeyThatWasAnsweredLast() throws IOException {
        MKeyStore ring = openStore("0x20 0x2");
        ring.expect(SWITCH, 3);
        ring.answered(TO_SWITCH, 1);
        assertThat(keysOfRequest(ring, TO_SWITCH)).containsExactly(3L, 2L, 100L, 3L);
        ring.answered(TO_SWITCH, 2);
        assertThat(keysOfRequest(ring, TO_SWITCH)).containsExactly(100L, 3L, 2L, 100L);
    }

    @Test
    void givesUpTheOldestOfTooManyKeysButNotTheLikelyOne() throws IOException {
        MKeyStore ring = openStore("0x20 0x2");
        for (long key = 3; key < 9; key++) {
            ring.expect(SWITCH, key);
        }
        configured = 8;
        assertThat(keysOfRequest(ring, TO_SWITCH)).containsExactly(2L, 6L, 7L, 8L);
    }

    @Test
    void thePendingKeyOfAPortWithoutAKeyIsStored() throws IOException {
        MKeyStore ring = openStore("0x20 0x2");
        ring.expectFirst(SWITCH);
        ring.expectFirst(HOST);
        assertThat(ring.currentKey(SWITCH)).isEqualTo(2);
        configured = 0;
        assertThat(ring.currentKey(HOST)).isEqualTo(100);
        ring.expectFirst(LOCAL);
        assertThat(ring.currentKey(LOCAL)).isZero();
    }

    @Test
    void setsADamagedFileAsideWithoutShowingAKey() throws IOException {
        for (String line : List.of("0x20", "0x20 key", "0x20 0x5 0x6", "0x20 0x2")) {
            MKeyStore ring = openStore("0x20 0x2", line);
            assertThat(ring.currentKey(SWITCH)).isEqualTo(100);
            assertThat(dir.resolve("guid2mkey.bad")).exists();
        }
        assertThat(openStore("0x0 0x5", "0x20 0x0", "0x30 0x3").currentKey(HOST))
                .isEqualTo(3);
    }
}
