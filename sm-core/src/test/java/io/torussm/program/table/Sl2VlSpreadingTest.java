package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Hardware.Sl2VlWildcards;
import io.torussm.sim.topology.Topology;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.LoggedEvents;
import io.torussm.view.QosTables;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The SL2VL rows of one switch that takes rows for many pairs of ports at once. */
class Sl2VlSpreadingTest {
    private static final int SWITCH = 4;
    private static final int ATTRIBUTE = SlToVlMappingTable.TYPE.id();
    private static final long BASE = 0x1111_1111_1111_1111L;
    private static final long OTHER = 0x2222_2222_2222_2222L;

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final SweptFabric swept = new SweptFabric(harness());
    private final DeviceTables held = swept.tables[SWITCH];
    private final int lastPort = swept.fabric.numPorts(SWITCH);
    private final String lastPair = Integer.toHexString(lastPort << 8 | lastPort);
    private final Set<Long> nonCompliant = new HashSet<>();

    private static SweepHarness harness() {
        DeviceModels models = DeviceModels.PERFECT.with(
                Topology.Node::isSwitch,
                model -> model.hardware(hardware -> hardware.withSl2VlWildcards(Sl2VlWildcards.EXECUTED)));
        return new SweepHarness(TorusSpec.parse("torus:3x3x1").topology(), models, FaultPlan.NONE);
    }

    /** Rows for all pairs of ports of a switch, those to outputs 1 and 2 apart. */
    private record Rows(long toOthers, long toOutput1, long toOutput2) implements QosTables {
        @Override
        public boolean hasRow(int node, int in, int out) {
            return true;
        }

        @Override
        public long row(int node, int in, int out) {
            return out == 1 ? toOutput1 : out == 2 ? toOutput2 : toOthers;
        }

        @Override
        public @Nullable VlArbitrationTable arbitration(int node, int portNum, int part) {
            return null;
        }
    }

    private Sl2VlSpreading spreading(QosTables wanted) {
        return new Sl2VlSpreading(swept.fabric, swept.tables, swept.requests, swept.scope, wanted, nonCompliant);
    }

    /** Returns the number of pairs of ports whose row is known, and checks that each is that of the switch. */
    private int knownRows() {
        int known = 0;
        for (int in = 0; in <= lastPort; in++) {
            for (int out = 0; out <= lastPort; out++) {
                if (held.knowsRow(in, out)) {
                    known++;
                    assertThat(held.row(in, out, 0))
                            .isEqualTo(swept.harness.fabric.sl2vl(swept.fabric.nodeGuid(SWITCH), in, out));
                }
            }
        }
        return known;
    }

    /** The first Set discards at the last pair; each kind of Set is verified once. */
    @Test
    void eachKindOfSetIsVerifiedOnceAtTheLastPairThatItCovers() {
        swept.send(spreading(new Rows(BASE, OTHER, OTHER)).begin(SWITCH));
        assertThat(swept.sent(ATTRIBUTE))
                .containsExactly(
                        "Set " + lastPair,
                        "Set 30000",
                        "Get " + lastPair,
                        "Set 20001",
                        "Get " + Integer.toHexString(lastPort << 8 | 1),
                        "Set 20002");
        assertThat(knownRows()).isEqualTo((lastPort + 1) * (lastPort + 1));
        assertThat(held.row(0, 2, 0)).isEqualTo(OTHER);
        assertThat(held.row(2, 0, 0)).isEqualTo(BASE);
        assertThat(nonCompliant).isEmpty();
    }

    @Test
    void rowsAreUnknownFromTheFirstSetOn() {
        held.confirmRows(new Sl2VlCover.Spread(Sl2VlCover.ALL, Sl2VlCover.ALL, OTHER));
        assertThat(spreading(new Rows(BASE, BASE, BASE)).begin(SWITCH)).isNotNull();
        assertThat(held.knowsRow(0, 0)).isFalse();
    }

    /** One row for all, and three SMPs to verify it: four SMPs. Five rows are missing, at the ends of the table. */
    @Test
    void singleRowsArePreferredIfTheyNeedNoMoreSmps() {
        held.confirmRows(new Sl2VlCover.Spread(Sl2VlCover.ALL, Sl2VlCover.ALL, BASE));
        Sl2VlSpreading spreading = spreading(new Rows(BASE, BASE, BASE));
        held.invalidateRow(lastPort, lastPort);
        held.invalidateRow(lastPort, 0);
        held.invalidateRow(0, lastPort);
        held.confirmRow(0, 0, OTHER);
        assertThat(spreading.begin(SWITCH)).isNull();
        assertThat(held.knowsRow(1, 1)).as("the known rows stay").isTrue();
        held.invalidateRow(1, 1);
        assertThat(spreading.begin(SWITCH)).isNotNull();
    }

    @Test
    void aSwitchThatDidNotComplyBeforeGetsNoWildcards() {
        nonCompliant.add(swept.fabric.nodeGuid(SWITCH));
        assertThat(spreading(new Rows(BASE, OTHER, BASE)).begin(SWITCH)).isNull();
    }

    /** A fault of one exchange. */
    private enum Fault {
        LOSS(false),
        BUSY(false),
        REJECTION(true),
        OTHER_ROW(true);

        private final boolean isRefusal;

        Fault(boolean isRefusal) {
            this.isRefusal = isRefusal;
        }

        private void applyTo(byte[] response) {
            switch (this) {
                case LOSS -> {}
                case BUSY -> response[5] = MadStatus.BUSY;
                case REJECTION -> response[5] = MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
                case OTHER_ROW -> response[Smp.DATA_OFFSET] ^= 0x11;
            }
        }
    }

    /**
     * A fault from the Set for one output on. The row for all pairs was verified before it, and is not known any more,
     * because the second Set may have had any effect.
     */
    @ParameterizedTest
    @EnumSource
    void noRowIsKnownAfterASetWithoutConfirmation(Fault fault) {
        beginWithFault(fault, Method.SET, 0x20001);
        assertThat(knownRows()).isZero();
        assertRefused(fault.isRefusal);
        assertThat(swept.sent(ATTRIBUTE)).doesNotContain("Get " + Integer.toHexString(lastPort << 8 | 1));
    }

    /** A device that rejects a Get may still comply. */
    @ParameterizedTest
    @EnumSource
    void noRowIsKnownAfterAFailedVerification(Fault fault) {
        beginWithFault(fault, Method.GET, lastPort << 8 | 1);
        assertThat(knownRows()).isZero();
        assertRefused(fault == Fault.OTHER_ROW);
        assertThat(swept.sent(ATTRIBUTE)).contains("Set 20001").doesNotContain("Set 20002");
    }

    private void beginWithFault(Fault fault, int method, int modifier) {
        swept.isLost = mad -> fault == Fault.LOSS
                && MadHeader.method(mad) == method
                && MadHeader.attributeId(mad) == ATTRIBUTE
                && MadHeader.attributeModifier(mad) == modifier;
        boolean[] isSeen = {false};
        swept.harness.changeResponse = mad -> {
            boolean isGet = swept.sent(ATTRIBUTE).stream()
                    .reduce("", (first, last) -> last)
                    .startsWith("Get ");
            if (MadHeader.attributeId(mad) == ATTRIBUTE
                    && MadHeader.attributeModifier(mad) == modifier
                    && isGet == (method == Method.GET)) {
                isSeen[0] = true;
                fault.applyTo(mad);
            }
        };
        swept.send(spreading(new Rows(BASE, OTHER, OTHER)).begin(SWITCH));
        assertThat(isSeen[0]).isEqualTo(fault != Fault.LOSS);
        assertThat(swept.sent(ATTRIBUTE)).contains("Set 30000");
    }

    private void assertRefused(boolean isRefused) {
        assertThat(nonCompliant.contains(swept.fabric.nodeGuid(SWITCH))).isEqualTo(isRefused);
        assertThat(log.of(SmEvent.SL2VL_ONE_BY_ONE)).hasSize(isRefused ? 1 : 0);
    }
}
