package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.trap.LinkComplaints.Place;
import io.torussm.trap.LinkComplaints.Unhealthy;
import io.torussm.view.PublishedView;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnhealthyPortsTest {
    private final PublishedView view = Views.twoSwitches();

    @Test
    void namesThePortItsCableAndWhatItComplainsOf() {
        Fabric fabric = view.subnet().fabric();
        Unhealthy port = new Unhealthy(new Place(fabric.nodeGuid(0), 3), 12, 0, 1);
        assertThat(UnhealthyPorts.line(List.of(port), view))
                .isEqualTo("0x0000000000200000 \"sw-a\" port 3, cabled to 0x0000000000200001 \"sw-b\" port 3"
                        + " (12 link integrity, 0 buffer overrun, 1 flow control)");
    }

    @Test
    void saysWhatItKnowsOfAPortThatIsGoneAndNamesNoMoreThanAFew() {
        Unhealthy gone = new Unhealthy(new Place(0x99, 200), 10, 0, 0);
        assertThat(UnhealthyPorts.line(List.of(gone), view))
                .startsWith("0x0000000000000099 port 200 (10 link integrity");
        assertThat(UnhealthyPorts.line(Collections.nCopies(7, gone), null)).endsWith("; and 2 more");
        assertThat(UnhealthyPorts.line(List.of(), view)).isEqualTo("none");
    }
}
