package io.torussm.trap;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.DeviceText;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.Neighbors;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The work for reports of many switches that flap simultaneously. */
class FlappingLinksTest extends TrapCase {
    @Test
    void theHistoryIsReadOnceForEachReport() {
        Fabric fabric = subnet.fabric();
        Neighbors neighbors = new Neighbors(StateDirectory.none(harness.loop));
        neighbors.remember(fabric);
        int[] reads = {0};
        FlappingLinks flapping = new FlappingLinks(
                () -> subnet,
                neighbors,
                () -> {
                    reads[0]++;
                    return List.of();
                },
                lid -> DeviceText.named("LID " + lid));
        List<Long> lids = IntStream.range(0, fabric.switchCount())
                .mapToObj(sw -> (long) switchLid(sw))
                .toList();
        lids.forEach(lid -> flapping.flaps(lid, 5, lids));
        assertThat(log.of(SmEvent.LINK_FLAPPING)).isNotEmpty();
        assertThat(reads[0]).isBetween(1, lids.size());
    }
}
