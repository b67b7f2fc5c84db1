package io.torussm.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.history.RowKey.RowType;
import io.torussm.view.RoutingState;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Differences of SLs and SL2VL tables between two states of one switch. */
class DifferencesTest {
    private static final Change CHANGE =
            new Change(Instant.EPOCH, 1, true, RoutingState.ROUTED, "hand", 0, Change.Counts.NONE);
    private static final byte NONE = PastSls.NO_PATH;

    /**
     * Returns a state with one switch.
     *
     * @param sls by LID
     * @param tables by pairs of in and out: the SL2VL tables
     */
    private static NavigableMap<RowKey, byte[]> state(boolean qos, byte[] sls, long[][] tables) throws IOException {
        NavigableMap<RowKey, byte[]> rows = new TreeMap<>();
        rows.put(new RowKey(RowType.SUBNET, 0, 0), subnet(qos));
        rows.put(new RowKey(RowType.LFT, 1, 0), new byte[sls.length]);
        rows.put(new RowKey(RowType.SL, 1, 0), sls);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (long[] table : tables) {
            out.writeByte((int) table[1]);
            out.writeByte((int) table[0]);
            out.writeLong(table[2]);
            out.writeByte(StateWriter.NO_PORT);
        }
        out.writeByte(StateWriter.NO_PORT);
        out.writeLong(0);
        rows.put(new RowKey(RowType.SL2VL, 1, 0), bytes.toByteArray());
        return rows;
    }

    private static byte[] subnet(boolean qos) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        new SubnetRow("hand", RoutingState.ROUTED, "", null, null, qos, 1, 18, 16, 1, 1, 0, 3, 0, false, true, 1, 0)
                .write(new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static StateDifference between(NavigableMap<RowKey, byte[]> then, NavigableMap<RowKey, byte[]> now)
            throws IOException {
        return Differences.of(CHANGE, then, CHANGE, now);
    }

    /** LID 1 is lost, LID 2 has another SL, LID 3 is new, LID 4 is beyond the end of the later row. */
    @Test
    void aLidThatWentOrCameHasNoOtherSl() throws IOException {
        long[][] none = {};
        StateDifference found = between(
                state(true, new byte[] {NONE, 0x11, 0x22, NONE, 0x33}, none),
                state(true, new byte[] {NONE, NONE, 0x21, 0x44}, none));
        assertThat(found.sls()).isEqualTo(1);
    }

    @Test
    void tablesOfPortsThatLostTheirCableAreNoOthers() throws IOException {
        byte[] sls = {NONE};
        long[][] whole = {{1, 2, 0x55}, {2, 1, 0x66}};
        long[][] cut = {{1, 2, 0x55}};
        long[][] other = {{1, 2, 0x77}};
        assertThat(between(state(true, sls, whole), state(true, sls, cut)).sl2vl())
                .isZero();
        assertThat(between(state(true, sls, whole), state(true, sls, other)).sl2vl())
                .isEqualTo(1);
        assertThat(between(state(false, sls, whole), state(false, sls, other)).sl2vl())
                .as("QoS is off: nothing is programmed")
                .isZero();
    }
}
