package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.routing.Finding;
import io.torussm.torus2qos.Torus2QosConf.Link;
import io.torussm.torus2qos.Torus2QosConf.Seed;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** From a file and a fabric to a torus: which seed is used, and what came of it. */
final class Placement {
    private final Fabric fabric;
    private final Torus2QosConf conf;

    Placement(Fabric fabric, Torus2QosConf conf) {
        this.fabric = fabric;
        this.conf = conf;
    }

    /**
     * Places the switches.
     *
     * @param findings takes what is to say, errors where null is returned
     * @return null if the fabric and the file cannot belong together
     */
    @Nullable
    Torus place(List<Finding> findings) {
        Seed seed = chooseSeed(findings);
        return seed == null ? null : new TorusDiscovery(fabric, conf).place(seed, findings);
    }

    /** The first seed all of whose switches are there. */
    private @Nullable Seed chooseSeed(List<Finding> findings) {
        List<String> absences = new ArrayList<>();
        for (int index = 0; index < conf.seeds().size(); index++) {
            Seed seed = conf.seeds().get(index);
            String absence = absence(seed);
            if (absence.isEmpty()) {
                absences.forEach(text -> findings.add(Finding.warning(text + "; seed " + indexAndLine(seed))));
                return seed;
            }
            absences.add(absence);
        }
        absences.stream()
                .limit(TorusCheck.LISTED)
                .forEach(text -> findings.add(Finding.error(text + "; correct it or add a seed (next_seed)")));
        return null;
    }

    private String indexAndLine(Seed seed) {
        return conf.seeds().indexOf(seed) + " of line " + seed.line() + " is used";
    }

    private String absence(Seed seed) {
        for (int group = 0; group < Dim.LOCAL; group++) {
            Link link = seed.link(group);
            if (link == null || conf.radix(group / 2) == 1) {
                continue;
            }
            for (long guid : new long[] {link.from(), link.to()}) {
                if (Capture.switchByGuid(fabric, guid) == Fabric.NONE) {
                    return conf.at(link.line()) + "no switch of the fabric has the NodeGUID " + Guid.format(guid);
                }
            }
        }
        return "";
    }
}
