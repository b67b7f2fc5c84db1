package io.torussm.daemon.sm;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.sm.QuietCollection.OldGeneration;
import io.torussm.sim.VirtualLoop;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The decision to collect garbage while the SM is idle, so that no collection delays a sweep. The JVM would collect
 * when 80 bytes of the old generation are in use, and 60 are in use after each collection. A sweep may need as much as
 * the last one left as garbage.
 */
class QuietCollectionTest {
    private static final int SIZE = 80;
    private static final int USED_AFTER_COLLECTION = 60;

    /** As many bytes are free as are garbage. */
    private static final int USED_WITH_ROOM_FOR_A_SWEEP = (USED_AFTER_COLLECTION + SIZE) / 2;

    private final VirtualLoop loop = new VirtualLoop();

    /** The last measurement of the old generation; null before the first one. */
    private @Nullable OldGeneration oldGeneration;

    private boolean isResting = true;
    private int collections;

    @BeforeEach
    void begin() {
        new QuietCollection(loop, () -> oldGeneration, () -> isResting, this::collect).begin();
    }

    @Test
    void garbageOfASweepIsCollectedBeforeTheNextSweep() {
        assertThat(collectionsWith(USED_WITH_ROOM_FOR_A_SWEEP + 1)).isEqualTo(1);
    }

    @Test
    void noCollectionRunsWhileTheHeapHasRoomForAnotherSweep() {
        assertThat(collectionsWith(USED_WITH_ROOM_FOR_A_SWEEP)).isZero();
    }

    @Test
    void noCollectionRunsDuringASweep() {
        isResting = false;
        assertThat(collectionsWith(SIZE)).isZero();
        isResting = true;
        loop.runFor(QuietCollection.PAUSE_NS);
        assertThat(collections).isEqualTo(1);
    }

    @Test
    void noCollectionRunsBeforeTheFirstMeasurement() {
        loop.runFor(10 * QuietCollection.PAUSE_NS);
        assertThat(collections).isZero();
    }

    private void collect() {
        collections++;
        oldGeneration = new OldGeneration(USED_AFTER_COLLECTION, USED_AFTER_COLLECTION, SIZE);
    }

    /** Returns the number of collections while a number of bytes is in use. */
    private int collectionsWith(int used) {
        oldGeneration = new OldGeneration(USED_AFTER_COLLECTION, used, SIZE);
        loop.runFor(10 * QuietCollection.PAUSE_NS);
        return collections;
    }
}
