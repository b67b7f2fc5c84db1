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

    private final PublishedView originalView;
    private final PublishedView restoredView;
    private final Fabric originalFabric;
    private final Fabric restoredFabric;

    private SameState(FabricState state, PastState past) {

        this.originalView = Objects.requireNonNull(state.view());
        this.restoredView = past.view();
        this.originalFabric = originalView.subnet().fabric();
        this.restoredFabric = restoredView.subnet().fabric();
    }

    static void check(FabricState state, PastState past) {
        SameState same = new SameState(state, past);
        assertThat(past.reason()).isEqualTo(state.reason());
        assertThat(past.state().routing()).isEqualTo(state.routing());
        assertThat(past.state().since()).isEqualTo(state.since());
        assertThat(past.state().routesActiveSince()).isEqualTo(state.routesActiveSince());
        assertThat(past.state().absences().cables())
                .containsExactlyInAnyOrderElementsOf(state.absences().cables());
        same.fabric();
        same.addresses();
        same.tables();
        same.torus();
    }

    private void fabric() {
        assertThat(restoredFabric.nodeCount()).isEqualTo(originalFabric.nodeCount());
        assertThat(restoredFabric.switchCount()).isEqualTo(originalFabric.switchCount());
        assertThat(restoredFabric.localPort()).isEqualTo(originalFabric.localPort());
        for (int node = 0; node < originalFabric.nodeCount(); node++) {
            assertThat(restoredFabric.nodeGuid(node)).isEqualTo(originalFabric.nodeGuid(node));
            assertThat(restoredFabric.nodeName(node)).isEqualTo(originalFabric.nodeName(node));
            assertThat(restoredFabric.numPorts(node)).isEqualTo(originalFabric.numPorts(node));
            assertThat(restoredView.placed().place(node))
                    .isEqualTo(originalView.placed().place(node));
        }
        for (int port = 0; port < originalFabric.portCount(); port++) {
            assertThat(restoredFabric.peer(port)).isEqualTo(originalFabric.peer(port));
            assertThat(restoredFabric.isEndport(port)).isEqualTo(originalFabric.isEndport(port));
            if (originalFabric.isEndport(port)) {
                assertThat(restoredFabric.portGuid(port)).isEqualTo(originalFabric.portGuid(port));
            }
        }
        assertThat(restoredView.smPortGuid()).isEqualTo(originalView.smPortGuid());
    }

    private void addresses() {
        Subnet before = originalView.subnet();
        Subnet after = restoredView.subnet();
        assertThat(after.topLid()).isEqualTo(before.topLid());
        assertThat(after.gidPrefix()).isEqualTo(before.gidPrefix());
        for (int port = 0; port < originalFabric.portCount(); port++) {
            assertThat(after.lid(port)).isEqualTo(before.lid(port));
            assertThat(after.lmc(port)).isEqualTo(before.lmc(port));
        }
    }

    private void tables() {
        Plan before = originalView.plan();
        Plan after = restoredView.plan();
        assertThat(after.engine()).isEqualTo(before.engine());
        for (int sw = 0; sw < originalFabric.switchCount(); sw++) {
            assertThat(after.lft(sw)).isEqualTo(before.lft(sw));
            for (int out = 1; out <= originalFabric.numPorts(sw); out++) {
                for (int in = 0; in <= originalFabric.numPorts(sw) && isLinked(sw, out); in++) {
                    if (in == 0 || isLinked(sw, in)) {
                        assertThat(after.sl2vl(sw, in, out)).isEqualTo(before.sl2vl(sw, in, out));
                    }
                }
            }
        }
        for (int src = 0; src < originalFabric.portCount(); src++) {
            int from = originalView.subnet().lid(src);
            if (from != 0) {
                assertThat(after.sl2vl(src)).isEqualTo(before.sl2vl(src));
            }
            for (int to = 1; from != 0 && to <= originalView.subnet().topLid(); to++) {
                for (int wanted = 0; originalView.subnet().portOfLid(to) >= 0 && wanted < 16; wanted++) {
                    assertThat(after.pathSl(from, to, wanted)).isEqualTo(before.pathSl(from, to, wanted));
                }
            }
        }
    }

    private boolean isLinked(int sw, int portNum) {
        return originalFabric.peer(originalFabric.port(sw, portNum)) != Fabric.NONE;
    }

    private void torus() {
        assertThat(restoredView.plan().explainer().rings())
                .containsExactlyInAnyOrderElementsOf(
                        originalView.plan().explainer().rings());
        Optional<Lattice> before = originalView.plan().explainer().lattice();
        Optional<Lattice> after = restoredView.plan().explainer().lattice();
        assertThat(after.isPresent()).isEqualTo(before.isPresent());
        for (int position = 0; before.isPresent() && position < before.get().positions(); position++) {
            assertThat(after.orElseThrow().guidAt(position))
                    .isEqualTo(before.get().guidAt(position));
        }
        MulticastTree treeBefore = originalView.multicast();
        MulticastTree treeAfter = restoredView.multicast();
        assertThat(treeAfter == null).isEqualTo(treeBefore == null);
        if (treeBefore != null && treeAfter != null) {
            assertThat(treeAfter.root()).isEqualTo(treeBefore.root());
            for (int sw = 0; sw < originalFabric.switchCount(); sw++) {
                assertThat(treeAfter.parent(sw)).isEqualTo(treeBefore.parent(sw));
                assertThat(treeAfter.cableCount(sw)).isEqualTo(treeBefore.cableCount(sw));
            }
        }
    }
}
