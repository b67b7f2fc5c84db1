package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.routing.RoutingChain.ChainResult;
import io.torussm.routing.Transition;
import io.torussm.subnet.LidAssigner;
import io.torussm.subnet.Subnet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What must wait for what when a torus fails and is repaired. */
class OrderOfChangeTest {
    static Subnet subnet(Fabric fabric, Subnet before) {
        Map<Long, Integer> known = new HashMap<>();
        Fabric old = before.fabric();
        for (int port = 0; port < old.portCount(); port++) {
            if (before.lid(port) != 0) {
                known.put(old.portGuid(port), before.lid(port));
            }
        }
        return LidAssigner.assign(fabric, known, 0, false, before.gidPrefix())
                .subnet()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8 8 8", "6 5 4", "8 8 1", "5 5 5", "3 3 3", "4 4 4"})
    void countsForSingleFaults(String radix) {
        int[] r = java.util.Arrays.stream(radix.split(" ", -1))
                .mapToInt(Integer::parseInt)
                .toArray();
        Map<String, Integer> counts = new TreeMap<>();
        TestTorus whole = new TestTorus(r.clone(), "", 1, 1, null);
        ChainResult pristine = TestTorus.chain(
                whole.conf() + "next_seed\n" + whole.seed(r[0] - 1, r[1] - 1, 0), whole.fabric.subnet(0));
        int n = whole.count();
        for (int i = 0; i < 24; i++) {
            int at = (int) ((i * 7919L + 13) % n);
            for (int d = -1; d < 3; d++) {
                if (d >= 0 && r[d] == 1) {
                    continue;
                }
                TestTorus damaged = new TestTorus(r.clone(), "", 1, 1, null);
                if (d < 0) {
                    damaged.fabric.remove(damaged.guid(damaged.at(at)));
                } else {
                    damaged.fabric.unplug(damaged.guid(damaged.at(at)), damaged.plusPort(at, d, 0));
                }
                ChainResult result = TestTorus.chain(
                        whole.conf() + "next_seed\n" + whole.seed(r[0] - 1, r[1] - 1, 0),
                        subnet(damaged.fabric.fabric(), TestTorus.plan(pristine).subnet()));
                String what = d < 0 ? "switch" : "link";
                if (!result.isAccepted()) {
                    counts.merge(what + " refused", 1, Integer::sum);
                    continue;
                }
                count(counts, what + " fails", new Change(TestTorus.plan(pristine), result));
                count(counts, what + " repaired", new Change(TestTorus.plan(result), pristine));
            }
        }
        System.out.println(radix + ": " + counts);
    }

    private static void count(Map<String, Integer> counts, String what, Change change) {
        Transition transition = change.transition;
        String how = transition.isFree() ? "free" : transition.droppedCount() == 0 ? "in steps" : "dropping";
        counts.merge(what + ": " + how, 1, Integer::sum);
        if (transition.droppedCount() > 0) {
            counts.merge(what + ": dropped entries", transition.droppedCount(), Integer::sum);
        }
    }
}
