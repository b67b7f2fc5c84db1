package io.torussm.mastership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.SmInfo;
import io.torussm.testing.Conversation;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.Seeds;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The driver: the scenes of {@code src/test/resources/mastership/driver-*.txt} in the words of {@link DriverScript},
 * and random MADs.
 */
class MastershipDriverTest {
    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    @TestFactory
    List<DynamicContainer> scenes() throws Exception {
        return Conversation.scenes(
                () -> new DriverScript(log),
                "mastership/driver-requests.txt",
                "mastership/driver-trust.txt",
                "mastership/driver-watch.txt",
                "mastership/driver-changes.txt",
                "mastership/driver-hold.txt",
                "mastership/driver-listener.txt");
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void neverThrowsAndNeverBelievesNoise(long seed) {
        Random random = Seeds.random(seed);
        DriverScript script = new DriverScript(log);
        script.on("start");
        script.on("found none");
        for (int i = 0; i < 5_000; i++) {
            byte[] mad = new byte[MadHeader.MAD_SIZE];
            random.nextBytes(mad);
            MadHeader.MGMT_CLASS.set(mad, 0, random.nextBoolean() ? MgmtClass.SUBN_LID : MgmtClass.SUBN_DIRECTED_ROUTE);
            MadHeader.METHOD.set(mad, 0, random.nextInt(3));
            MadHeader.ATTRIBUTE_ID.set(mad, 0, SmInfo.TYPE.id());
            MadHeader.ATTRIBUTE_MODIFIER.set(mad, 0, random.nextInt(7));
            script.driver.receive(new MadFrame(new MadAddress(random.nextInt(0x10000), 0, 0, 0), mad));
            script.loop.runFor(1);
        }
        assertThat(script.answers()).isGreaterThan(2_000);
        assertThat(script.driver.isMaster()).isTrue();
        assertThat(log.all()).as("strangers do not fill the log").hasSizeLessThan(1_100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"start", "hold", "release", "heavy", "light", "standstill", "down", "Get", "end"})
    void acceptsCallsOnItsLoopOnly(String command) {
        DriverScript script = new DriverScript(log);
        script.driverLoop.isInLoop = false;
        assertThatIllegalStateException().isThrownBy(() -> script.on(command)).withMessageContaining("not on the loop");
        assertThat(script.driver.state().state()).isEqualTo(SmState.NOT_ACTIVE);
    }

    @Test
    void trustDoesNotShowKeys() {
        Trust strict = new Trust(DriverScript.SM_KEY, Set.of(5L), Set.of());
        assertThat(strict.toString())
                .contains("1 keys", "0 GUIDs")
                .doesNotContain("5")
                .doesNotContain(Long.toString(DriverScript.SM_KEY));
    }
}
