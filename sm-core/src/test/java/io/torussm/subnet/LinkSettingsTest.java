package io.torussm.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings that a port gets by its abilities and those of its peer. VL codes 1 to 5 are 1, 2, 4, 8 and 15 VLs. */
class LinkSettingsTest {
    private static Fabric cable(int vlCap, int farVlCap) {
        Sketch sketch = new Sketch();
        sketch.vlCap(vlCap).addSwitch("near", 2);
        sketch.vlCap(farVlCap).addSwitch("far", 2);
        sketch.link(0, 1, 1, 2);
        return sketch.build();
    }

    private static LinkSettings withMaxOpVls(int maxOpVls) {
        return new LinkSettings(maxOpVls, 0, 0, 1, 1, 0, 0);
    }

    @Test
    void bothEndsOperateTheVlsThatBothHaveAndTheOperatorAllows() {
        for (int near = 1; near <= 5; near++) {
            for (int far = 1; far <= 5; far++) {
                for (int max = 1; max <= 5; max++) {
                    Fabric fabric = cable(near, far);
                    int agreed = Math.min(max, Math.min(near, far));
                    assertThat(withMaxOpVls(max).operationalVls(fabric, fabric.port(0, 1)))
                            .isEqualTo(agreed);
                    assertThat(withMaxOpVls(max).operationalVls(fabric, fabric.port(1, 2)))
                            .isEqualTo(agreed);
                }
            }
        }
    }

    @Test
    void aPortWithoutACableHasItsOwnVls() {
        Fabric fabric = cable(3, 2);
        assertThat(withMaxOpVls(5).operationalVls(fabric, fabric.port(0, 2))).isEqualTo(3);
        assertThat(withMaxOpVls(2).operationalVls(fabric, fabric.port(0, 0))).isEqualTo(2);
    }

    /** OperationalVLs may only change while a link trains. */
    @ParameterizedTest
    @CsvSource({"2, 4", "3, 2", "4, 2"})
    void aLinkThatIsArmedOrActiveKeepsWhatItHas(int state, int expected) {
        Fabric fabric = cable(4, 4);
        int port = fabric.port(0, 1);
        PortInfo trained = PortInfo.TYPE
                .zero()
                .with(PortInfo.VL_CAP, 4)
                .with(PortInfo.PORT_STATE, state)
                .with(PortInfo.OPERATIONAL_VLS, 2);
        assertThat(withMaxOpVls(5).operationalVls(fabric.with(port, trained), port))
                .isEqualTo(expected);
    }

    /** One false answer, or another program: the far end shows the value of both. */
    @ParameterizedTest
    @CsvSource({"4, 4, 4", "4, 3, 2", "2, 4, 2"})
    void anEndThatDiffersGetsWhatTheFarEndAndBothCapsSay(int farState, int farValue, int expected) {
        Fabric fabric = cable(4, 4);
        int port = fabric.port(0, 1);
        PortInfo near = trained(4, 2);
        Fabric differing = fabric.with(port, near).with(fabric.peer(port), trained(farState, farValue));
        assertThat(withMaxOpVls(5).operationalVls(differing, port)).isEqualTo(expected);
        assertThat(withMaxOpVls(5).mtu(differing, port)).isEqualTo(expected);
        assertThat(withMaxOpVls(5).mtu(differing, fabric.peer(port))).isEqualTo(farState == 2 ? 4 : farValue);
    }

    private static PortInfo trained(int state, int value) {
        return PortInfo.TYPE
                .zero()
                .with(PortInfo.VL_CAP, 4)
                .with(PortInfo.MTU_CAP, 4)
                .with(PortInfo.PORT_STATE, state)
                .with(PortInfo.NEIGHBOR_MTU, value)
                .with(PortInfo.OPERATIONAL_VLS, value);
    }

    @ParameterizedTest
    @CsvSource({"7, 1, 0", "7, 2, 1", "7, 3, 3", "7, 4, 7", "14, 4, 6", "14, 5, 14", "15, 1, 15"})
    void vlsAreFoldedIntoThoseThatAPortOperatesButForVl15(int vl, int vlCode, int folded) {
        assertThat(LinkSettings.foldVl(vl, vlCode)).isEqualTo(folded);
    }

    @Test
    void aRowIsFoldedAsEachOfItsEntries() {
        Random random = Seeds.random(23);
        for (int i = 0; i < 1000; i++) {
            long row = random.nextLong() | (random.nextBoolean() ? 0xfL << 4 * random.nextInt(16) : 0);
            for (int vlCode = 1; vlCode <= 5; vlCode++) {
                long folded = LinkSettings.foldRow(row, vlCode);
                for (int sl = 0; sl < 16; sl++) {
                    assertThat(SlToVlMappingTable.vl(folded, sl))
                            .isEqualTo(LinkSettings.foldVl(SlToVlMappingTable.vl(row, sl), vlCode));
                }
            }
        }
    }
}
