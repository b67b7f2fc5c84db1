package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A device whose responses are false in one byte affects no other device, and its damage is repaired within
 * two light sweeps (ADR 17).
 */
class LyingDeviceTest {
    /** The byte of NodeInfo with LocalPortNum. */
    private static final int LOCAL_PORT_NUM = 36;

    private static final int[] VALUES = {0, 1, 255, LieTrial.VALUE_OF_ANOTHER_DEVICE};

    /** Trials in each run of the tests. */
    private static final int SAMPLE = 24;

    @TempDir
    Path dir;

    private static List<LieTrial.Case> allCases() {
        List<LieTrial.Case> all = new ArrayList<>();
        for (String engine : LieTrial.ENGINES.keySet()) {
            for (LieTrial.Moment moment : LieTrial.Moment.values()) {
                for (String liar : List.of(LieTrial.SWITCH, LieTrial.HOST)) {
                    LieTrial.BYTES.forEach((attributeId, bytes) -> {
                        for (int index = 0; index < bytes; index++) {
                            for (int value : VALUES) {
                                all.add(new LieTrial.Case(engine, moment, liar, attributeId, index, value));
                            }
                        }
                    });
                }
            }
        }
        return all;
    }

    private List<String> violations(List<LieTrial.Case> cases) throws IOException {
        List<String> broken = new ArrayList<>();
        int number = 0;
        for (LieTrial.Case each : cases) {
            Path state = Files.createDirectory(dir.resolve(Integer.toString(number++)));
            List<String> violations = LieTrial.run(each, state);
            if (!violations.isEmpty()) {
                broken.add(each + ": " + violations.size() + " " + violations.get(0) + " .. "
                        + violations.get(violations.size() - 1));
            }
        }
        return broken;
    }

    private static List<LieTrial.Case> sample(long seed, int count) {
        List<LieTrial.Case> matrix = allCases();
        return Seeds.random(seed)
                .ints(count, 0, matrix.size())
                .mapToObj(matrix::get)
                .toList();
    }

    /** Set {@code -Dseed} for other cases, {@code -Dlies} for more. */
    @Test
    @Tag("slow")
    void otherDevicesAreServedAndTheLieIsRepaired() throws IOException {
        assertThat(violations(sample(Long.getLong("seed", 1), Integer.getInteger("lies", SAMPLE))))
                .isEmpty();
    }

    /** A switch that claims to be entered at its port 0 has no cable there: it is left out, and asked again. */
    @ParameterizedTest
    @CsvSource({"dnup, COLD_START", "nue, WHOLE_SWEEP"})
    void noCableEndsAtPortZero(String engine, LieTrial.Moment moment) throws IOException {
        assertThat(violations(List.of(
                        new LieTrial.Case(engine, moment, LieTrial.SWITCH, NodeInfo.TYPE.id(), LOCAL_PORT_NUM, 0))))
                .isEmpty();
    }

    /**
     * A host keeps its membership, since its link stays up. A switch is asked by what it reports now, not by what it
     * reported falsely, and gets groups again.
     */
    @ParameterizedTest
    @CsvSource({
        "torus-2QoS, WHOLE_SWEEP, host-2-1-0-0, 0x11, 2, 255",
        "minhop, WHOLE_SWEEP, host-2-1-0-0, 0x11, 18, 0",
        "nue, TAKEOVER, sw-2-1-0, 0x11, 3, -1",
        "updn, COLD_START, sw-2-1-0, 0x15, 63, 1",
        "dnup, WHOLE_SWEEP, sw-2-1-0, 0x12, 4, 0",
    })
    void allIsAsBeforeTheLie(String engine, LieTrial.Moment moment, String liar, String attribute, int index, int value)
            throws IOException {
        assertThat(violations(
                        List.of(new LieTrial.Case(engine, moment, liar, Integer.decode(attribute), index, value))))
                .isEmpty();
    }

    /**
     * MTU and VLs of a link that is up come from both of its ends: a false value of one is not written back. Bytes
     * of PortInfo: 36 has NeighborMTU, 43 OperationalVLs.
     */
    @ParameterizedTest
    @CsvSource({
        "TAKEOVER, host-2-1-0-0, 36, 0x20",
        "TAKEOVER, sw-2-1-0, 36, 0x20",
        "WHOLE_SWEEP, host-2-1-0-0, 36, 0x20",
        "TAKEOVER, host-2-1-0-0, 43, 0x10",
        "TAKEOVER, sw-2-1-0, 43, 0x20",
    })
    void noEndOfALinkKeepsAFalseMtuOrFalseVls(LieTrial.Moment moment, String liar, int index, String value)
            throws IOException {
        assertThat(violations(List.of(
                        new LieTrial.Case("minhop", moment, liar, PortInfo.TYPE.id(), index, Integer.decode(value)))))
                .isEmpty();
    }

    /** The whole matrix; takes about an hour. */
    @Test
    @Tag("campaign")
    void theWholeMatrixOfLies() throws IOException {
        assertThat(violations(allCases())).isEmpty();
    }
}
