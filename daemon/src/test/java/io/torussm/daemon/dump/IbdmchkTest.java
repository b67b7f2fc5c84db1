package io.torussm.daemon.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.Views;
import io.torussm.multicast.MulticastView;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.conf.Torus2QosConf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verdict of ibdmchk on the dumps of this SM. */
@Tag("interop")
class IbdmchkTest {
    @TempDir
    Path dir;

    @Test
    void findsAllPathsAndNoCreditLoopInATorus() throws Exception {
        Dumps.write(Views.view(torus(5, 5, 3)), MulticastView.EMPTY, dir);
        assertThat(ibdmchk())
                .contains("/150 systems/nodes", "Defined 11250 fdb entries for:75 switches")
                .contains("Defined 8 SLs in use", "Defined 8 VLs in use")
                .contains("no credit loops found")
                .doesNotContain("-E-", "-W-");
    }

    /** Were the files not read as they are meant, the good news above would mean nothing. */
    @Test
    void findsTheCreditLoopThatOneVlWouldCause() throws Exception {
        Dumps.write(Views.view(torus(5, 5, 3)), MulticastView.EMPTY, dir);
        Path sl2vl = dir.resolve("opensm-sl2vl.dump");
        Pattern row = Pattern.compile("^(\\d+ +\\d+ +:).*$");
        Files.write(
                sl2vl,
                Files.readAllLines(sl2vl).stream()
                        .map(line -> row.matcher(line).replaceFirst("$1" + " 0 ".repeat(16)))
                        .collect(Collectors.toList()));
        assertThat(ibdmchk()).contains("-E- credit loops in routing");
    }

    @Test
    void missesAPathThatATableDoesNotHave() throws Exception {
        Plan plan = torus(5, 5, 3);
        int lid = plan.subnet().topLid();
        int sw = plan.subnet().switchOfLid(lid);
        byte[] lft = plan.lft(sw == 0 ? 1 : 0);
        lft[lid] = (byte) 0xff;
        Dumps.write(Views.view(plan), MulticastView.EMPTY, dir);
        assertThat(ibdmchk()).contains("-E- ");
    }

    private static Plan torus(int x, int y, int z) {
        TorusSketch sketch = TorusSketch.of(x, y, z, 1, 1);
        String conf = String.format(
                "torus %d %d %d\nxp_link 0x200000 0x%x\nyp_link 0x200000 0x%x\nzp_link 0x200000 0x%x\n",
                x, y, z, 0x200001, 0x200000 + x, 0x200000 + x * y);
        Torus2QosEngine engine = new Torus2QosEngine(Torus2QosConf.parse("torus-2QoS.conf", conf));
        RoutingResult result = engine.route(sketch.subnet(), TestRouting.QOS);
        if (result instanceof Refusal refusal) {
            throw new AssertionError(refusal.reason());
        }
        return (Plan) result;
    }

    private String ibdmchk() throws IOException, InterruptedException {
        return Ibdmchk.verdict(dir);
    }
}
