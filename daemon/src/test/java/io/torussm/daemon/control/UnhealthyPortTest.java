package io.torussm.daemon.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.Views;
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
    /** A port of a switch that is not in the fabric. */
    private static final NodePort ABSENT = new NodePort(0x99, 200);

    private final PublishedView view = Views.twoSwitches();

    private static Unhealthy reports(NodePort port, int linkIntegrity, int bufferOverrun, int flowControl) {
        return new Unhealthy(port, linkIntegrity, bufferOverrun, flowControl);
    }

    @Test
    void aPortIsNamedWithTheOtherEndOfItsCable() {
        NodePort port = new NodePort(view.subnet().fabric().nodeGuid(0), 3);
        UnhealthyPort described = UnhealthyPort.of(reports(port, 12, 0, 1), view);
        assertThat(described)
                .isEqualTo(new UnhealthyPort(
                        "0x0000000000200000 \"sw-a\" port 3", "0x0000000000200001 \"sw-b\" port 3", 12, 0, 1));
        assertThat(UnhealthyPort.line(List.of(described)))
                .isEqualTo("0x0000000000200000 \"sw-a\" port 3, cabled to 0x0000000000200001 \"sw-b\" port 3"
                        + " (12 link integrity, 0 buffer overrun, 1 flow control)");
    }

    @Test
    void aPortThatIsNotInTheFabricIsNamedByItsGuid() {
        UnhealthyPort absent = UnhealthyPort.of(reports(ABSENT, 10, 0, 0), view);
        assertThat(UnhealthyPort.line(List.of(absent))).startsWith("0x0000000000000099 port 200 (10 link integrity");
        assertThat(UnhealthyPort.of(reports(ABSENT, 10, 0, 0), null))
                .as("before the first view")
                .isEqualTo(absent);
    }

    @Test
    void aLineNamesFivePortsAndTheNumberOfTheOthers() {
        UnhealthyPort absent = UnhealthyPort.of(reports(ABSENT, 10, 0, 0), view);
        assertThat(UnhealthyPort.line(Collections.nCopies(7, absent))).endsWith("; and 2 more");
    }

    @Test
    void aLineWithoutPortsIsNone() {
        assertThat(UnhealthyPort.line(List.of())).isEqualTo("none");
    }
}
