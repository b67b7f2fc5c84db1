package io.torussm.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchPortStateTable;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests for the states of ports, and responses in which all ports are in INITIALIZE. */
class PortStateRequestsTest {
    private static final DrPath PATH = DrPath.of(1, 2);

    private final Map<Integer, Integer> states = new TreeMap<>();

    @Test
    void aSwitchAnnouncesTheTableAtPort0() {
        PortInfo plain = PortInfo.TYPE.zero().with(PortInfo.CAPABILITY_MASK, PortInfo.CAP_CAPABILITY_MASK2);
        assertThat(PortStateRequests.areAnnounced(null)).isFalse();
        assertThat(PortStateRequests.areAnnounced(plain)).isFalse();
        assertThat(PortStateRequests.areAnnounced(
                        plain.with(PortInfo.CAPABILITY_MASK2, PortInfo.CAP2_SWITCH_PORT_STATE_TABLE)))
                .isTrue();
    }

    /** The block count, and the first and the last port of the last block. */
    @ParameterizedTest(name = "{0} ports")
    @CsvSource({"1, 1, 1, 1", "36, 1, 1, 36", "127, 1, 1, 127", "128, 2, 128, 128", "254, 2, 128, 254"})
    void theLastBlockEndsWithTheLastPort(int numPorts, int blocks, int first, int last) {
        assertThat(PortStateRequests.blockCount(numPorts)).isEqualTo(blocks);
        SmpRequest<SwitchPortStateTable> request =
                PortStateRequests.get(PATH, numPorts, blocks - 1, (portNum, state) -> states.put(portNum, state));
        assertThat(request.path()).isEqualTo(PATH);
        assertThat(request.attributeModifier()).isEqualTo(blocks - 1);
        assertThat(request.isSet()).isFalse();
        int[] table = new int[SwitchPortStateTable.PORTS_PER_BLOCK];
        Arrays.fill(table, PortInfo.STATE_INITIALIZE);
        request.continuation().accept(new Outcome.Reply<>(SwitchPortStateTable.of(table)));
        assertThat(states).hasSize(last - first + 1).containsKeys(first, last);
        assertThat(states.values()).containsOnly(PortInfo.STATE_INITIALIZE);
    }

    @Test
    void withoutAResponseNoStateIsReceived() {
        SmpRequest<SwitchPortStateTable> request =
                PortStateRequests.get(PATH, 36, 0, (portNum, state) -> states.put(portNum, state));
        request.continuation().accept(new Outcome.Failure<>(Outcome.FailureReason.TIMEOUT, 0));
        assertThat(states).isEmpty();
    }
}
