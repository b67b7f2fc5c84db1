package io.torussm.torus2qos;

import io.torussm.event.Finding;
import io.torussm.event.Finding.Severity;
import io.torussm.fabric.Fabric;
import io.torussm.torus2qos.discovery.Placement;
import io.torussm.torus2qos.discovery.Torus;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of placement. */
record PlacementResult(Fabric fabric, @Nullable Torus torus, List<Finding> findings) {
    static PlacementResult of(Fabric fabric, String conf, boolean acceptsUnplaced) {
        List<Finding> findings = new ArrayList<>();
        Torus torus = new Placement(fabric, TestTorus.conf(conf), acceptsUnplaced).place(findings);
        return new PlacementResult(fabric, torus, findings);
    }

    static PlacementResult of(TestTorus torus, String conf) {
        return of(torus.fabric.fabric(), conf, false);
    }

    Torus completeTorus() {
        if (torus == null) {
            throw new AssertionError(findings);
        }
        return torus;
    }

    String place(long guid) {
        int slot = completeTorus().slotOfSwitch(fabric.nodeByGuid(guid));
        return slot < 0
                ? "none"
                : completeTorus().formatPosition(completeTorus().positionOf(slot));
    }

    List<String> texts(Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .map(Finding::text)
                .toList();
    }

    List<String> errors() {
        return texts(Severity.ERROR);
    }

    List<String> warnings() {
        return texts(Severity.WARNING);
    }
}
