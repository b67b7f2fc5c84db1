package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.PortInfo;
import io.torussm.program.table.DrainTime;
import io.torussm.sim.model.FaultPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The times between the steps of a change, in which packets on old paths leave the fabric. */
class DrainPausesTest {
    /** The times of requests, in nanoseconds. */
    private record Times(List<Long> tables, List<Long> links) {
        /** Records the Sets of forwarding tables, and those that bring links up. */
        static Times recorded(SweepHarness harness) {
            Times times = new Times(new ArrayList<>(), new ArrayList<>());
            harness.isRequestLost = mad -> {
                if (ChangeOnTheWireTest.isTableSet(mad)) {
                    times.tables.add(harness.loop.nowNs());
                } else if (Devices.wantedState(mad) >= PortInfo.STATE_ARMED) {
                    times.links.add(harness.loop.nowNs());
                }
                return false;
            };
            return times;
        }

        /** Returns the number of pauses between two writes of tables. */
        long pauses(long ns) {
            return IntStream.range(1, tables.size())
                    .filter(i -> tables.get(i) - tables.get(i - 1) >= ns)
                    .count();
        }

        /** Returns the time from the last write of a table to the first link that comes up. */
        long nsBeforeLinks() {
            return links.get(0) - tables.get(tables.size() - 1);
        }
    }

    private static long drainNs(SweepHarness harness) {
        return DrainTime.ns(harness.publishedView().subnet().fabric());
    }

    /** On 5x5x1 steps drop nothing. A lost cable has entries that come last, a repaired one entries that come first. */
    @Test
    void stepsBetweenWhichNoPacketIsUnderWayFollowEachOtherAtOnce() {
        SweepHarness harness = ChangeOnTheWireTest.startedHarness("torus:5x5x1,hosts=1", FaultPlan.NONE);
        long ns = drainNs(harness);
        long guid = ChangeOnTheWireTest.guid(harness, "sw-3-1-0");
        Times loss = Times.recorded(harness);
        harness.fabric.unlink(guid, 1);
        harness.await(2);
        assertThat(loss.pauses(ns)).as("before late entries").isEqualTo(1);

        Times repair = Times.recorded(harness);
        harness.fabric.relink(guid, 1);
        harness.await(3);
        assertThat(repair.pauses(ns)).as("after early entries").isEqualTo(1);
    }

    /** Packets on the old paths may still be in the fabric when all tables are written. */
    @Test
    void aLinkOfEarlyEntriesComesUpWhenPacketsOnOldPathsHaveLeft() {
        SweepHarness harness = ChangeOnTheWireTest.startedHarness("torus:5x5x1,hosts=1", FaultPlan.NONE);
        long guid = ChangeOnTheWireTest.guid(harness, "sw-3-1-0");
        harness.fabric.unlink(guid, 1);
        harness.await(2);
        Times repair = Times.recorded(harness);
        harness.fabric.relink(guid, 1);
        harness.await(3);
        assertThat(harness.fabric.portInfo(guid, 1).portState()).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(repair.nsBeforeLinks()).isGreaterThanOrEqualTo(drainNs(harness));
    }

    @Test
    void stepsAreApartByTheTimeThatPacketsNeedToLeave() {
        SweepHarness harness = ChangeOnTheWireTest.harnessWithSteps();
        Times loss = Times.recorded(harness);
        harness.fabric.unlink(ChangeOnTheWireTest.guid(harness, "sw-3-1-0"), 1);
        harness.await(2);
        assertThat(loss.pauses(drainNs(harness))).isEqualTo(2);
    }
}
