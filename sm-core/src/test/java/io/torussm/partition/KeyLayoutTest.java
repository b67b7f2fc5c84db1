package io.torussm.partition;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The indexes of P_Keys in a table of 4 entries, and the comparison of a layout with the input for another port. */
class KeyLayoutTest {
    private static final int[] WANTED = {0xffff, 0x8002};

    @Test
    void portsShareALayoutOnlyIfTheirRequestsAreEqual() {
        PortKeys held = PortKeys.of(0xffff, 0x8001);
        KeyLayout layout = new KeyLayout(4, held, PKeys.DEFAULT, WANTED);
        assertThat(layout.keys()).isEqualTo(PortKeys.of(0xffff, 0, 0x8002));
        assertThat(layout.isFor(4, PortKeys.of(0xffff, 0x8001), PKeys.DEFAULT, WANTED.clone()))
                .isTrue();
        assertThat(layout.isFor(5, held, PKeys.DEFAULT, WANTED)).as("capacity").isFalse();
        assertThat(layout.isFor(4, PortKeys.NONE, PKeys.DEFAULT, WANTED))
                .as("what it holds")
                .isFalse();
        assertThat(layout.isFor(4, held, 2, WANTED)).as("index 0").isFalse();
        assertThat(layout.isFor(4, held, PKeys.DEFAULT, new int[] {0xffff})).isFalse();
    }
}
