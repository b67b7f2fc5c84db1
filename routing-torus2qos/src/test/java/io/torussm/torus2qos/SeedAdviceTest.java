package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The text of a refusal about missing or reversed links of a seed. */
class SeedAdviceTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "4 5 3|xm_link|seed 0 fits this fabric with \"xm_link 0x0000000000200000 0x00000000002002d0\"",
                "4 5 3|xp_link|seed 0 fits this fabric with \"xp_link 0x0000000000200000 0x00000000002000f0\"",
                "5 6 3|zp_link|seed 0 fits this fabric with \"zp_link 0x0000000000200000 0x0000000000200010\","
                        + " or, for the opposite direction, with \"zp_link 0x0000000000200000 0x0000000000200020\"",
                "5 5 1|xp_link|seed 0 fits this fabric with \"xp_link 0x0000000000200000 0x0000000000200050\","
                        + " or, for the opposite direction, with \"xp_link 0x0000000000200000 0x0000000000200140\""
            })
    void namesTheNeighbourThatASeedLacks(String wired, String keyword, String proposal) {
        TestTorus torus = TestTorus.ofSizes(wired);
        String conf = torus.conf().replaceAll(keyword + ".*\n", "");
        assertThat(torus.refusal(conf).reason())
                .contains("add " + keyword.charAt(0))
                .contains(keyword);
        assertThat(torus.refusal(conf).reason()).contains(proposal);
    }

    @Test
    void namesNoNeighbourWhereSeveralWouldDo() {
        GoldenFabric golden = new GoldenFabric("444_oneway");
        assertThat(TestTorus.refusal(TestTorus.route(golden.conf, TestFabric.subnet(golden.fabric, 0)))
                        .reason())
                .contains("add xm_link")
                .doesNotContain("fits this fabric");
    }

    @Test
    void tellsALinkWhoseEndsWereExchanged() {
        TestTorus torus = new TestTorus(5, 5, 3);
        String conf = torus.conf().replaceFirst("yp_link 0x200000 0x200030", "yp_link 0x200030 0x200000");
        assertThat(torus.refusal(conf).reason()).contains("write 0x0000000000200000 0x0000000000200030");
    }
}
