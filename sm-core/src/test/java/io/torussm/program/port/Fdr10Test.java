package io.torussm.program.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.MlnxExtPortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.model.FaultPlan;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.LinkSpeeds;
import io.torussm.sweep.SweepHarness;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The speed FDR10, on two switches and three adapters, of which all but one have it, and on an FDR cable. */
class Fdr10Test {
    private static final String FABRIC = """
            vendid=0x2c9
            devid=0xc738
            switchguid=0x10
            Switch 3 "S-1" # "sw 1"
            [1] "H-1"[1] # 4xQDR
            [2] "H-2"[1] # 4xQDR
            [3] "S-2"[1] # 4xQDR
            vendid=0x2c9
            devid=0xc738
            switchguid=0x20
            Switch 2 "S-2" # "sw 2"
            [1] "S-1"[3] # 4xQDR
            [2] "H-3"[1] # 4xFDR
            vendid=0x2c9
            devid=0x1003
            caguid=0x100
            Ca 1 "H-1" # "host-0-0-0-0"
            [1](101) "S-1"[1] # 4xQDR
            vendid=0x1234
            devid=0x1
            caguid=0x200
            Ca 1 "H-2" # "another"
            [1](201) "S-1"[2] # 4xQDR
            vendid=0x2c9
            devid=0x1003
            caguid=0x300
            Ca 1 "H-3" # "newer"
            [1](301) "S-2"[2] # 4xFDR
            """;

    private final Map<String, Long> enabled = new HashMap<>();
    private int requestCount;
    private final SweepHarness harness = new SweepHarness(SweepHarness.topology(FABRIC), FaultPlan.NONE);

    private void answer(byte[] mad) {
        if (MadHeader.attributeId(mad) != MlnxExtPortInfo.TYPE.id()) {
            return;
        }
        requestCount++;
        String port = Smp.path(mad) + " " + MadHeader.attributeModifier(mad);
        MadHeader.STATUS.set(mad, 0, MadStatus.OK);
        if (MlnxExtPortInfo.STATE_CHANGE_ENABLE.get(mad, Smp.DATA_OFFSET) != 0) {
            enabled.put(port, MlnxExtPortInfo.LINK_SPEED_ENABLED.get(mad, Smp.DATA_OFFSET));
        }
        MlnxExtPortInfo.LINK_SPEED_SUPPORTED.set(mad, Smp.DATA_OFFSET, MlnxExtPortInfo.FDR10);
        MlnxExtPortInfo.LINK_SPEED_ENABLED.set(mad, Smp.DATA_OFFSET, enabled.getOrDefault(port, 0L));
    }

    private long sets() {
        return harness.requests.stream()
                .filter(mad -> MadHeader.attributeId(mad) == MlnxExtPortInfo.TYPE.id())
                .filter(mad -> MadHeader.method(mad) == Method.SET)
                .count();
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "1, 4, 4", "2, 4, 0"})
    void isEnabledAtBothEndsOfLinksThatTrainedAtQdr(int fdr10, int gets, int sets) {
        harness.changeResponse = this::answer;
        harness.settings = SweepHarness.settings(
                new LinkSettings(5, 18, 16, 7, 7, 8, 8, new LinkSpeeds(255, 15, 31, fdr10, List.of())));
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(sets()).isEqualTo(sets);
        assertThat(requestCount).isEqualTo(gets + sets);
        assertThat(enabled).hasSize(sets);
        harness.awaitRest();
        harness.sweep();
        assertThat(requestCount).as("a link that carries traffic").isEqualTo(gets + sets);
    }

    @Test
    void aDeviceThatRefusesIsLeftAsItIs() {
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(sets()).isZero();
        assertThat(harness.lastLine()).doesNotContain("MlnxExtPortInfo");
    }
}
