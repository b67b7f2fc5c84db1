package io.torussm.sim.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.PortInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The texts of a dump of a simulated fabric, which are those of ibsim. PortInfo has up to three fields for the speed; a
 * port of a newer speed has values in the older fields as well.
 */
class FabricTextTest {
    @ParameterizedTest
    @CsvSource({
        "SDR, ' 2.5G'", //
        "DDR, ' 5.0G'",
        "QDR, '10.0G'",
        "FDR, ' 14G'",
        "EDR, ' 25G'",
        "HDR, '50G'",
        "NDR, '100G'",
        "XDR, '200G'"
    })
    void theTextOfASpeedIsThatOfTheNewestFieldOfPortInfo(LinkSpeed speed, String text) {
        assertThat(FabricText.speed(speed.applyTo(PortInfo.TYPE.zero()))).isEqualTo(text);
    }
}
