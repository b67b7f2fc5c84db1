package io.torussm.trap;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.DrPath;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Neighbors;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.SweepHarness;
import io.torussm.view.CableHistory;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Reports of many switches that flap simultaneously, and of one of several cables between two switches. */
class FlappingLinksTest extends TrapCase {
    /** The state of a harness, with changed cables from a test. */
    private record FixedEffects(SweepHarness harness, Supplier<List<CableHistory.Ends>> changed)
            implements Traps.Effects {
        @Override
        public boolean isMaster() {
            return true;
        }

        @Override
        public Subnet addressed() {
            return harness.publishedView().subnet();
        }

        @Override
        public @Nullable PublishedView view() {
            return harness.publishedView();
        }

        @Override
        public FabricState state() {
            return harness.sweeper.state();
        }

        @Override
        public boolean mayDisablePorts() {
            return false;
        }

        @Override
        public List<CableHistory.Ends> changedCables() {
            return changed.get();
        }

        @Override
        public List<CableHistory.Entry> changesOf(CableHistory.Ends cable, Instant since) {
            return List.of();
        }

        @Override
        public Instant timeOfDay() {
            return harness.loop.timeOfDay();
        }

        @Override
        public void onLinkChange(int lid) {}

        @Override
        public void onDeviceChange(UnaryOperator<Fabric> change) {}

        @Override
        public void onSmChange(DrPath path) {}
    }

    private FlappingLinks links(SweepHarness of, Supplier<List<CableHistory.Ends>> changed) {
        Neighbors neighbors = new Neighbors(StateDirectory.none(of.loop));
        neighbors.remember(of.publishedView().subnet().fabric());
        return new FlappingLinks(new FixedEffects(of, changed), neighbors, lid -> DeviceText.ofDevice("LID " + lid));
    }

    @Test
    void theHistoryIsReadOnceForEachReport() {
        int[] reads = {0};
        FlappingLinks flapping = links(harness, () -> {
            reads[0]++;
            return List.of();
        });
        List<Long> lids = IntStream.range(0, subnet.fabric().switchCount())
                .mapToObj(sw -> (long) switchLid(sw))
                .toList();
        lids.forEach(lid -> flapping.onFlapping(lid, 5, 0, lids));
        assertThat(log.of(SmEvent.LINK_FLAPPING)).isNotEmpty();
        assertThat(reads[0]).isBetween(1, lids.size());
    }

    @Test
    void onlyTheChangedOneOfSeveralCablesIsNamed() {
        SweepHarness two = new SweepHarness("torus:3x3x1,links=2");
        two.sweep();
        Subnet doubled = two.publishedView().subnet();
        Fabric fabric = doubled.fabric();
        int[] near = IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isSwitch(fabric.nodeOf(port))
                        && fabric.peer(port) > port
                        && fabric.isSwitch(fabric.nodeOf(fabric.peer(port))))
                .limit(2)
                .toArray();
        long one = doubled.lid(fabric.port(fabric.nodeOf(near[1]), 0));
        long other = doubled.lid(fabric.port(fabric.nodeOf(fabric.peer(near[1])), 0));
        CableHistory.Ends changed = new CableHistory.Ends(end(fabric, near[1]), end(fabric, fabric.peer(near[1])));
        links(two, () -> List.of(changed)).onFlapping(one, 5, 0, List.of(one, other));
        assertThat(log.only(SmEvent.LINK_FLAPPING).get(EventField.NAME)).endsWith(fabric.portName(near[1]));
        assertThat(log.only(SmEvent.LINK_FLAPPING).get(EventField.TEXT))
                .endsWith(fabric.portName(fabric.peer(near[1])));
    }

    /** A condition without a port would also be ended by the end of another link of the same switch. */
    @Test
    void aSwitchWithoutAKnownCableHasAConditionOfItsOwn() {
        long lid = switchLid(2);
        FlappingLinks flapping = links(harness, List::of);
        flapping.onFlapping(lid, 5, 0, List.of(lid));
        flapping.onQuiet(lid, 9, 0);
        assertThat(log.only(SmEvent.LINK_FLAPPING).get(EventField.PORT)).isEqualTo("0");
        assertThat(log.only(SmEvent.LINK_QUIET).get(EventField.PORT)).isEqualTo("0");
    }

    private static Neighbors.CableEnd end(Fabric fabric, int port) {
        return new Neighbors.CableEnd(fabric.portGuid(fabric.port(fabric.nodeOf(port), 0)), fabric.portNum(port));
    }
}
