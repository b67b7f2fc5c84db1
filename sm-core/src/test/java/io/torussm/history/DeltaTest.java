package io.torussm.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.torussm.history.RowKey.RowType;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Differences between the rows of two states. The states are equal, with 10,000 rows of 1,000 bytes, or small. */
class DeltaTest {
    private static final int ROWS = 10_000;
    private static final int ROW_BYTES = 1000;

    @Test
    void rowsThatStayTakeNoMemory() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        NavigableMap<RowKey, Row> before = rows();
        NavigableMap<RowKey, Row> after = rows();
        Delta.between(before, after);

        long allocated = threads.getCurrentThreadAllocatedBytes();
        Delta delta = Delta.between(before, after);
        allocated = threads.getCurrentThreadAllocatedBytes() - allocated;

        assertThat(delta.isEmpty()).isTrue();
        assertThat(allocated).as("nor do their keys").isLessThan(ROWS * Long.BYTES);
    }

    @Test
    void aRowThatBecomesShorterEndsWhereItEnds() throws IOException {
        NavigableMap<RowKey, Row> before = new TreeMap<>();
        NavigableMap<RowKey, Row> after = new TreeMap<>();
        put(before, 1, new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        put(after, 1, new byte[] {1, 2, 9});
        put(before, 2, new byte[] {1, 2, 3});
        put(after, 2, new byte[] {1, 2, 3, 4});

        NavigableMap<RowKey, byte[]> rows = new TreeMap<>();
        Delta.apply(Delta.between(new TreeMap<>(), before).bytes(), 0, rows);
        Delta.apply(Delta.between(before, after).bytes(), 0, rows);

        assertThat(rows.values()).containsExactly(new byte[] {1, 2, 9}, new byte[] {1, 2, 3, 4});
    }

    private static NavigableMap<RowKey, Row> rows() {
        NavigableMap<RowKey, Row> rows = new TreeMap<>();
        for (int i = 0; i < ROWS; i++) {
            put(rows, i, new byte[ROW_BYTES]);
        }
        return rows;
    }

    private static void put(NavigableMap<RowKey, Row> rows, int node, byte[] bytes) {
        rows.put(new RowKey(RowType.PORTS, node, 0), Row.of(null, out -> out.write(bytes)));
    }
}
