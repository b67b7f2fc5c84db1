package io.torussm.daemon.sm;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.sm.QuietCollection.OldGeneration;
import io.torussm.sim.VirtualLoop;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The decision to collect garbage while the SM is idle. The JVM would collect at 80 bytes, and 60 are in use after each
 * collection.
 */
class QuietCollectionTest {
    private static final int SIZE = 80;
    private static final int USED_AFTER_COLLECTION = 60;

    private final VirtualLoop loop = new VirtualLoop();
    private @Nullable OldGeneration old;
    private boolean isResting = true;
    private int collections;

    @BeforeEach
    void begin() {
        new QuietCollection(loop, () -> old, () -> isResting, this::collect).begin();
    }

    @Test
    void garbageOfASweepIsCollectedBeforeTheNextSweep() {
        assertThat(collectionsWith(USED_AFTER_COLLECTION + 11)).isEqualTo(1);
    }

    @Test
    void noCollectionRunsWhileTheHeapHasRoomForAnotherSweep() {
        assertThat(collectionsWith(USED_AFTER_COLLECTION + 10)).isZero();
    }

    @Test
    void aSweepIsNotStoppedForIt() {
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
        old = new OldGeneration(USED_AFTER_COLLECTION, USED_AFTER_COLLECTION, SIZE);
    }

    private int collectionsWith(int used) {
        old = new OldGeneration(USED_AFTER_COLLECTION, used, SIZE);
        loop.runFor(10 * QuietCollection.PAUSE_NS);
        return collections;
    }
}
