package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.history.PastState;
import io.torussm.routing.Lattice;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.util.Objects;
import java.util.Optional;

/** A comparison of a restored state with the original one, by all that a reader may ask of it. */
final class SameState {

    private final PublishedView was;
    private final PublishedView is;
    private final Fabric then;
    private final Fabric now;

    private SameState(FabricState state, PastState past) {

        this.was = Objects.requireNonNull(state.view());
        this.is = past.view();
        this.then = was.subnet().fabric();
        this.now = is.subnet().fabric();
    }

    static void check(FabricState state, PastState past) {
        SameState same = new SameState(state, past);
        assertThat(past.reason()).isEqualTo(state.reason());
        assertThat(past.state().routing()).isEqualTo(state.routing());
        assertThat(past.state().since()).isEqualTo(state.since());
        assertThat(past.state().ruledSince()).isEqualTo(state.ruledSince());
        assertThat(past.state().absences().cables())
                .containsExactlyInAnyOrderElementsOf(state.absences().cables());
        same.fabric();
        same.addresses();
        same.tables();
        same.torus();
    }

    private void fabric() {
        assertThat(now.nodeCount()).isEqualTo(then.nodeCount());
        assertThat(now.switchCount()).isEqualTo(then.switchCount());
        assertThat(now.localPort()).isEqualTo(then.localPort());
        for (int node = 0; node < then.nodeCount(); node++) {
            assertThat(now.nodeGuid(node)).isEqualTo(then.nodeGuid(node));
            assertThat(now.nodeName(node)).isEqualTo(then.nodeName(node));
            assertThat(now.numPorts(node)).isEqualTo(then.numPorts(node));
            assertThat(is.placed().place(node)).isEqualTo(was.placed().place(node));
        }
        for (int port = 0; port < then.portCount(); port++) {
            assertThat(now.peer(port)).isEqualTo(then.peer(port));
            assertThat(now.isEndport(port)).isEqualTo(then.isEndport(port));
            if (then.isEndport(port)) {
                assertThat(now.portGuid(port)).isEqualTo(then.portGuid(port));
            }
        }
        assertThat(is.smPortGuid()).isEqualTo(was.smPortGuid());
    }

    private void addresses() {
        Subnet before = was.subnet();
        Subnet after = is.subnet();
        assertThat(after.topLid()).isEqualTo(before.topLid());
        assertThat(after.gidPrefix()).isEqualTo(before.gidPrefix());
        for (int port = 0; port < then.portCount(); port++) {
            assertThat(after.lid(port)).isEqualTo(before.lid(port));
            assertThat(after.lmc(port)).isEqualTo(before.lmc(port));
        }
    }

    private void tables() {
        Plan before = was.plan();
        Plan after = is.plan();
        assertThat(after.engine()).isEqualTo(before.engine());
        for (int sw = 0; sw < then.switchCount(); sw++) {
            assertThat(after.lft(sw)).isEqualTo(before.lft(sw));
            for (int out = 1; out <= then.numPorts(sw); out++) {
                for (int in = 0; in <= then.numPorts(sw) && isLinked(sw, out); in++) {
                    if (in == 0 || isLinked(sw, in)) {
                        assertThat(after.sl2vl(sw, in, out)).isEqualTo(before.sl2vl(sw, in, out));
                    }
                }
            }
        }
        for (int src = 0; src < then.portCount(); src++) {
            int from = was.subnet().lid(src);
            if (from != 0) {
                assertThat(after.sl2vl(src)).isEqualTo(before.sl2vl(src));
            }
            for (int to = 1; from != 0 && to <= was.subnet().topLid(); to++) {
                for (int wanted = 0; was.subnet().portOfLid(to) >= 0 && wanted < 16; wanted++) {
                    assertThat(after.pathSl(from, to, wanted)).isEqualTo(before.pathSl(from, to, wanted));
                }
            }
        }
    }

    private boolean isLinked(int sw, int portNum) {
        return then.peer(then.port(sw, portNum)) != Fabric.NONE;
    }

    private void torus() {
        assertThat(is.plan().explainer().rings())
                .containsExactlyInAnyOrderElementsOf(was.plan().explainer().rings());
        Optional<Lattice> before = was.plan().explainer().lattice();
        Optional<Lattice> after = is.plan().explainer().lattice();
        assertThat(after.isPresent()).isEqualTo(before.isPresent());
        for (int position = 0; before.isPresent() && position < before.get().positions(); position++) {
            assertThat(after.orElseThrow().guidAt(position))
                    .isEqualTo(before.get().guidAt(position));
        }
        MulticastTree treeBefore = was.multicast();
        MulticastTree treeAfter = is.multicast();
        assertThat(treeAfter == null).isEqualTo(treeBefore == null);
        if (treeBefore != null && treeAfter != null) {
            assertThat(treeAfter.root()).isEqualTo(treeBefore.root());
            for (int sw = 0; sw < then.switchCount(); sw++) {
                assertThat(treeAfter.parent(sw)).isEqualTo(treeBefore.parent(sw));
                assertThat(treeAfter.cableCount(sw)).isEqualTo(treeBefore.cableCount(sw));
            }
        }
    }
}
