package io.torussm.routing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.testing.TorusSketch;
import java.util.Set;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

/**
 * The multicast tree of switches 0 - 1 - 2 - 3 with two cables each and two hosts a switch, rooted at 1, without switch
 * 4.
 */
class MulticastTreeTest {
    private static final int MLID = 0xC000;

    private final TorusSketch line = TorusSketch.of(5, 1, 1, 2, 2);
    private final Fabric fabric = line.subnet().fabric();
    private final MulticastTree tree = new MulticastTree(
            fabric, 1, new int[] {1, Fabric.NONE, 1, 2, Fabric.NONE}, new int[][] {down(0), {}, down(1), down(1), {}});

    private int[] down(int group) {
        return new int[] {line.port(group, 0), line.port(group, 1)};
    }

    private int host(int sw, int i) {
        return fabric.peer(fabric.port(sw, line.port(6, i)));
    }

    private static long[] ports(int... portNums) {
        long[] mask = new long[4];
        for (int portNum : portNums) {
            mask[portNum / 64] |= 1L << portNum % 64;
        }
        return mask;
    }

    @Test
    void membersAreJoinedThroughTheRootAndNothingElseIsTouched() {
        SortedMap<Integer, long[]> masks = tree.route(MLID, new int[] {host(2, 1), fabric.port(3, 0)});
        assertEquals(Set.of(1, 2, 3), masks.keySet());
        assertArrayEquals(ports(line.port(1, 0)), masks.get(1));
        assertArrayEquals(ports(line.port(0, 0), line.port(1, 0), line.port(6, 1)), masks.get(2));
        assertArrayEquals(ports(line.port(0, 0), 0), masks.get(3));
    }

    @Test
    void theOrderOfMembersDoesNotMatter() {
        SortedMap<Integer, long[]> masks = tree.route(MLID, new int[] {host(0, 0), host(3, 0), host(2, 0)});
        SortedMap<Integer, long[]> others = tree.route(MLID, new int[] {host(2, 0), host(3, 0), host(0, 0)});
        assertEquals(masks.keySet(), others.keySet());
        masks.forEach((sw, mask) -> assertArrayEquals(mask, others.get(sw)));
    }

    @Test
    void groupsShareOutTheCables() {
        long[] odd = tree.route(MLID + 1, new int[] {host(0, 0)}).get(1);
        assertArrayEquals(ports(line.port(0, 1)), odd);
    }

    @Test
    void aMemberOutsideTheTreeIsLeftOut() {
        assertFalse(tree.spans(4));
        assertTrue(tree.spans(1) && tree.spans(3));
        assertEquals(
                Set.of(1), tree.route(MLID, new int[] {host(4, 0), host(1, 0)}).keySet());
    }

    private Fabric withoutCables(int sw, int... portNums) {
        FabricBuilder rest = FabricBuilder.of(fabric);
        for (int portNum : portNums) {
            rest.unlink(fabric.nodeGuid(sw), portNum);
        }
        return rest.build();
    }

    @Test
    void fallsIntoPartsWhereACableOfAGroupIsLost() {
        MulticastTree left = tree.remainingOn(withoutCables(2, line.port(1, 0)));
        int[] members = {host(0, 0), host(2, 0), host(3, 0), host(3, 1)};
        assertEquals(
                tree.route(MLID + 1, members).keySet(),
                left.route(MLID + 1, members).keySet());
        assertArrayEquals(
                tree.route(MLID + 1, members).get(3),
                left.route(MLID + 1, members).get(3));

        SortedMap<Integer, long[]> parts = left.route(MLID, members);
        assertArrayEquals(ports(line.port(6, 0), line.port(6, 1)), parts.get(3));
        assertArrayEquals(ports(line.port(0, 0), line.port(6, 0)), parts.get(2));
        assertTrue(left.spans(3));
    }

    @Test
    void fallsIntoPartsWhereASwitchIsLost() {
        FabricBuilder rest = FabricBuilder.of(fabric);
        for (int portNum = 1; portNum <= fabric.numPorts(1); portNum++) {
            rest.unlink(fabric.nodeGuid(1), portNum);
        }
        rest.moveSm(fabric.nodeGuid(3), 0);
        rest.retrace();
        Fabric now = rest.build();
        MulticastTree left = tree.remainingOn(now);
        int two = now.nodeByGuid(fabric.nodeGuid(2));
        int three = now.nodeByGuid(fabric.nodeGuid(3));
        assertEquals(1, fabric.nodeByGuid(fabric.nodeGuid(1)));
        assertFalse(left.spans(now.nodeByGuid(fabric.nodeGuid(4))));
        assertTrue(left.spans(two));
        assertEquals(Fabric.NONE, left.parent(two));
        SortedMap<Integer, long[]> masks = left.route(MLID, new int[] {now.port(two, 0), now.port(three, 0)});
        assertArrayEquals(ports(line.port(1, 0), 0), masks.get(two));
        assertArrayEquals(ports(line.port(0, 0), 0), masks.get(three));
        assertEquals(tree, tree.remainingOn(fabric));
    }
}
