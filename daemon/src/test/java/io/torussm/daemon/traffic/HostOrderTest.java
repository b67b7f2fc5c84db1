package io.torussm.daemon.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.dataplane.Destinations;
import io.torussm.dataplane.Hosts;
import io.torussm.fabric.Fabric;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The order of hosts in patterns of traffic, in a tree of two pods whose GUIDs do not follow its leaves. */
class HostOrderTest {
    /** The order in which leaves get their hosts, one at a time: GUIDs of hosts have nothing to do with leaves. */
    private static final int[] CABLED = {3, 0, 1, 2, 2, 1, 0, 3};

    /** Golden: pods side by side, in each leaves by number, on each hosts by port. */
    @Test
    void shiftsOfATreeCountByItsLeaves() {
        Fabric fabric = tree(true).build();
        assertThat(shift(HostOrder.of(fabric).of(Subnets.of(fabric)), 3)).isEqualTo("""
                leaf-1:1 host-7 -> leaf-3:2 host-2
                leaf-1:2 host-0 -> leaf-2:1 host-4
                leaf-3:1 host-5 -> leaf-2:2 host-3
                leaf-3:2 host-2 -> leaf-4:1 host-6
                leaf-2:1 host-4 -> leaf-4:2 host-1
                leaf-2:2 host-3 -> leaf-1:1 host-7
                leaf-4:1 host-6 -> leaf-1:2 host-0
                leaf-4:2 host-1 -> leaf-3:1 host-5
                """);
    }

    @Test
    void theOrderStaysWhileCablesAreLost() {
        HostOrder order = HostOrder.of(tree(true).build());
        assertThat(shift(order.of(Subnets.of(tree(false).build())), 1))
                .isEqualTo(shift(order.of(Subnets.of(tree(true).build())), 1));
    }

    @Test
    void otherFabricsCountByGuids() {
        Fabric ring = Sketch.ring(5).build();
        HostOrder order = HostOrder.of(ring);
        assertThat(order.isTree()).isFalse();
        assertThat(shift(order.of(Subnets.of(ring)), 2))
                .startsWith("sw-0:3 host-0 -> sw-2:3 host-2\nsw-1:3 host-1 -> sw-3:3 host-3\n");
    }

    /** Returns two pods of two leaves, named across pods. GUIDs ascend as switches and hosts are added. */
    private static Sketch tree(boolean isWhole) {
        Sketch tree = new Sketch();
        for (String name : List.of("leaf-4", "leaf-3", "leaf-2", "leaf-1")) {
            tree.addSwitch(name, 4);
        }
        IntStream.range(0, 4).forEach(middle -> tree.addSwitch("middle-" + middle, 4));
        IntStream.range(0, 4).forEach(top -> tree.addSwitch("top-" + top, 4));
        for (int leaf = 0; leaf < 4; leaf++) {
            for (int way = 0; way < 2; way++) {
                int middle = 4 + leaf % 2 * 2 + way;
                if (isWhole || leaf != 1 || way != 0) {
                    tree.link(leaf, 3 + way, middle, 1 + leaf / 2);
                }
            }
        }
        for (int middle = 0; middle < 4; middle++) {
            for (int way = 0; way < 2; way++) {
                tree.link(4 + middle, 3 + way, 8 + middle % 2 * 2 + way, 1 + middle / 2);
            }
        }
        int[] used = new int[4];
        for (int leaf : CABLED) {
            tree.addHost(leaf, 2 - used[leaf]++);
        }
        return tree;
    }

    private static String shift(Hosts hosts, int places) {
        Destinations shift = Destinations.shift(hosts.count(), places);
        SplittableRandom random = new SplittableRandom(1);
        StringBuilder text = new StringBuilder();
        for (int host = 0; host < hosts.count(); host++) {
            text.append(name(hosts, host))
                    .append(" -> ")
                    .append(name(hosts, shift.next(host, random)))
                    .append('\n');
        }
        return text.toString();
    }

    private static String name(Hosts hosts, int host) {
        Fabric fabric = hosts.subnet().fabric();
        int end = fabric.peer(hosts.port(host));
        return fabric.nodeName(fabric.nodeOf(end)) + ":" + fabric.portNum(end) + " "
                + fabric.nodeName(fabric.nodeOf(hosts.port(host)));
    }
}
