package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers that are damaged at random leave nothing behind (ADR 23). */
class DamagedAnswersTest {
    /** Of ten answers one is damaged. */
    private static final double SHARE = 0.1;

    private static final int SEEDS = 6;
    private static final int SEEDS_OF_CAMPAIGN = 150;

    @TempDir
    Path dir;

    private List<String> broken(String engine, DamageTrial.Meanwhile meanwhile, int seeds) throws IOException {
        List<String> broken = new ArrayList<>();
        for (long seed = 1; seed <= seeds; seed++) {
            Path state = Files.createDirectories(dir.resolve(engine + " " + meanwhile + " " + seed));
            List<String> violations = DamageTrial.run(engine, meanwhile, seed, SHARE, state);
            if (!violations.isEmpty()) {
                broken.add("seed " + seed + ": " + violations.size() + " " + violations.get(0));
            }
        }
        return broken;
    }

    /** Set {@code -Dseeds} for more. */
    @ParameterizedTest
    @EnumSource
    @Tag("slow")
    void twoLightSweepsMendWhatDamagedAnswersHaveMoved(DamageTrial.Meanwhile meanwhile) throws IOException {
        int seeds = Integer.getInteger("seeds", SEEDS);
        assertThat(broken("torus-2QoS", meanwhile, seeds)).isEmpty();
        assertThat(broken("updn", meanwhile, seeds)).isEmpty();
    }

    /** The answer to a Set of SwitchInfo was damaged, and the next Set wrote the damage into the switch. */
    @Test
    void aDamagedAnswerToASetIsNotWrittenBack() throws IOException {
        assertThat(DamageTrial.run("dnup", DamageTrial.Meanwhile.LOST_CABLE, 111, SHARE, dir))
                .isEmpty();
    }

    /** Each answer differs from all others, so no two are alike. */
    @Test
    void aPortThatNeverRepeatsAnAnswerHoldsNoSweepUp() {
        SweepHarness harness = new SweepHarness("torus:4x3x1,hosts=1");
        harness.keepsRequests = false;
        harness.sweep();
        int liar = harness.up().subnet().lid(harness.hosts().get(0));
        AtomicInteger answers = new AtomicInteger();
        harness.tamper = mad -> {
            if (MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE
                    && MadHeader.attributeId(mad) == PortInfo.TYPE.id()
                    && PortInfo.TYPE.read(mad, Smp.DATA).lid() == liar) {
                PortInfo.M_KEY_LEASE_PERIOD.set(mad, Smp.DATA, answers.incrementAndGet() & 0xffff);
            }
        };
        harness.restart();
        harness.sweep();
        assertThat(answers).hasValueLessThan(100);
    }

    /** All engines, some minutes. */
    @Test
    @Tag("campaign")
    void ofAllEngines() throws IOException {
        List<String> broken = new ArrayList<>();
        for (String engine : LieTrial.ENGINES.keySet()) {
            for (DamageTrial.Meanwhile meanwhile : DamageTrial.Meanwhile.values()) {
                broken(engine, meanwhile, SEEDS_OF_CAMPAIGN)
                        .forEach(each -> broken.add(engine + " " + meanwhile + " " + each));
            }
        }
        assertThat(broken).isEmpty();
    }
}
