package io.torussm.daemon.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.routing.PathSls;
import io.torussm.routing.Plan;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.state.MissingParts;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.sweep.state.SweepReport;
import io.torussm.sweep.state.SweepWork;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import io.torussm.testing.ViewDraft;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The recorded text of a successful sweep. */
class SweepTextTest {
    private final Subnet subnet = TorusSketch.of(12, 12, 1, 1, 3).subnet();
    private final Plan minHop = (Plan) new MinHopEngine().route(subnet, TestRouting.NO_QOS);
    private int asked;

    private String text(int slOfLid) {
        PathSls sls = new PathSls() {
            @Override
            public int sl(int srcLid, int dstLid, int wanted) {
                return dstLid % 7 == 0 ? slOfLid : 0;
            }

            @Override
            public int mask(int srcSw, int dstLid) {
                asked++;
                return 1 << sl(0, dstLid, 0);
            }
        };
        Plan plan = Plan.builder("test", subnet, tables()).sls(sls).build();
        PublishedView view = ViewDraft.of(plan).subnet(subnet).build();
        SweepReport report = new SweepReport(1, 144, 432, 720, SweepWork.NONE, "", Map.of(), 0, List.of());
        return Objects.requireNonNull(SweepText.of(new SweepEvent.SubnetUp(view, report, MissingParts.NONE)));
    }

    private byte[][] tables() {
        byte[][] lfts = new byte[subnet.fabric().switchCount()][];
        for (int sw = 0; sw < lfts.length; sw++) {
            lfts[sw] = minHop.lft(sw);
        }
        return lfts;
    }

    @Test
    void otherSlsAreSeenThoughNotAllPairsAreLookedAt() {
        String before = text(0);
        assertThat(asked).isBetween(1 << 13, 1 << 15).isLessThan(144 * 432);
        assertThat(text(0)).isEqualTo(before);
        assertThat(text(3)).isNotEqualTo(before);
        assertThat(text(3).substring(0, text(3).indexOf("SLs"))).isEqualTo(before.substring(0, before.indexOf("SLs")));
    }
}
