package io.torussm.daemon.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.Views;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.trap.LinkComplaints.Unhealthy;
import io.torussm.view.PublishedView;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The text of ports that report link errors repeatedly, by traps 129 to 131. The fabric is that of {@link
 * Views#twoSwitches}.
 */
class UnhealthyPortTest {
    private final PublishedView view = Views.twoSwitches();

    @Test
    void namesThePortItsCableAndItsComplaint() {
        Fabric fabric = view.subnet().fabric();
        UnhealthyPort port = UnhealthyPort.of(new Unhealthy(new NodePort(fabric.nodeGuid(0), 3), 12, 0, 1), view);
        assertThat(port)
                .isEqualTo(new UnhealthyPort(
                        "0x0000000000200000 \"sw-a\" port 3", "0x0000000000200001 \"sw-b\" port 3", 12, 0, 1));
        assertThat(UnhealthyPort.line(List.of(port)))
                .isEqualTo("0x0000000000200000 \"sw-a\" port 3, cabled to 0x0000000000200001 \"sw-b\" port 3"
                        + " (12 link integrity, 0 buffer overrun, 1 flow control)");
    }

    /** The GUID 0x99 is not in the fabric. Five ports are named. */
    @Test
    void describesAnAbsentPortAndNamesFewOthers() {
        UnhealthyPort absent = UnhealthyPort.of(new Unhealthy(new NodePort(0x99, 200), 10, 0, 0), view);
        assertThat(UnhealthyPort.line(List.of(absent))).startsWith("0x0000000000000099 port 200 (10 link integrity");
        assertThat(UnhealthyPort.of(new Unhealthy(new NodePort(0x99, 200), 10, 0, 0), null))
                .isEqualTo(absent);
        assertThat(UnhealthyPort.line(Collections.nCopies(7, absent))).endsWith("; and 2 more");
        assertThat(UnhealthyPort.line(List.of())).isEqualTo("none");
    }
}
