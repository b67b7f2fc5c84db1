package io.torussm.torus2qos;

import io.torussm.routing.RoutingChain.ChainResult;
import org.junit.jupiter.api.Test;

class ScratchTest {
    @Test
    void time() {
        int[] r = {16, 16, 16};
        TestTorus whole = new TestTorus(r.clone(), "", 1, 1, null);
        ChainResult pristine = TestTorus.chain(whole.conf(), whole.fabric.subnet(0));
        for (int kind = 0; kind < 2; kind++) {
            TestTorus damaged = new TestTorus(r.clone(), "", 1, 1, null);
            if (kind == 0) {
                damaged.fabric.remove(damaged.guid(damaged.at(1234)));
            } else {
                damaged.fabric.unplug(damaged.guid(damaged.at(1234)), damaged.plusPort(1234, 0, 0));
            }
            ChainResult result = TestTorus.chain(
                    whole.conf(),
                    OrderOfChangeTest.subnet(
                            damaged.fabric.fabric(), TestTorus.plan(pristine).subnet()));
            for (int i = 0; i < 4; i++) {
                long t0 = System.nanoTime();
                TestTorus.chain(whole.conf(), whole.fabric.subnet(0));
                long t1 = System.nanoTime();
                Change fails = new Change(TestTorus.plan(pristine), result);
                long t2 = System.nanoTime();
                Change back = new Change(TestTorus.plan(result), pristine);
                long t3 = System.nanoTime();
                System.out.println("0{ proof " + (t1 - t0) / 1000000 + " fails " + (t2 - t1) / 1000000 + " "
                        + fails.transition.droppedCount() + " repaired " + (t3 - t2) / 1000000 + " "
                        + back.transition.droppedCount());
            }
        }
    }
}
