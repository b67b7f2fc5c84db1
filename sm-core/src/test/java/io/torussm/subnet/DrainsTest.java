package io.torussm.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Drains.Drain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The drains of another SM; their effects on routes are in the tests of the daemon. */
class DrainsTest {
    private static final Drain ONE = new Drain(1, 1, "one", Instant.EPOCH);
    private static final Drain TWO = new Drain(2, Drains.WHOLE_SWITCH, "two", Instant.EPOCH);
    private static final Drain THREE = new Drain(3, 3, "three", Instant.EPOCH);

    @TempDir
    Path dir;

    private final VirtualLoop loop = new VirtualLoop();
    private final List<String> notifications = new ArrayList<>();

    private byte[] fileOfOtherSm(Drain... drains) throws IOException {
        Path other = Files.createTempDirectory(dir, "other");
        Drains theirs = new Drains(StateDirectory.open(other, loop));
        for (Drain drain : drains) {
            theirs.drain(drain);
        }
        loop.runFor(0);
        return Files.readAllBytes(other.resolve("drained"));
    }

    private Drains master(StateDirectory directory) {
        Drains drains = new Drains(directory);
        drains.whenAdopted(() -> notifications.add("adopted"));
        return drains;
    }

    @Test
    void drainsOfAnotherSmCountExceptWhereChangedHere() throws Exception {
        StateDirectory directory = StateDirectory.open(dir, loop);
        new Drains(directory).drain(ONE);
        loop.runFor(0);
        Drains drains = master(directory);
        drains.drain(TWO);
        drains.undrain(THREE);
        directory.examine("drained", fileOfOtherSm(THREE)).complete();
        assertThat(drains.all()).as("one was given back there").containsExactly(TWO);
        assertThat(notifications).hasSize(1);
        loop.runFor(0);
        assertThat(new Drains(directory).all()).containsExactly(TWO);
    }

    @Test
    void knownPositionsChangeNoDrain() throws Exception {
        StateDirectory directory = StateDirectory.open(dir, loop);
        Drains drains = master(directory);
        drains.drain(ONE);
        directory.examine("drained", fileOfOtherSm(ONE)).complete();
        assertThat(drains.all()).containsExactly(ONE);
        assertThat(notifications).isEmpty();
    }

    @Test
    void aStandbyHasTheStateOfTheMaster() throws Exception {
        StateDirectory directory = StateDirectory.open(dir, loop);
        Drains drains = master(directory);
        drains.drain(ONE);
        directory.examine("drained", fileOfOtherSm(TWO)).replace();
        assertThat(drains.all()).containsExactly(TWO);
        directory.examine("drained", fileOfOtherSm(THREE)).complete();
        assertThat(drains.all()).as("nothing was changed here since").containsExactly(THREE);
    }
}
