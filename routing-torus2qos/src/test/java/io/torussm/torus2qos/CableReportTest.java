package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.testing.Seeds;
import io.torussm.torus2qos.discovery.CableReport;
import io.torussm.torus2qos.discovery.Torus;
import io.torussm.torus2qos.discovery.TorusCheck;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The findings about cables that lead to the wrong place. */
class CableReportTest {

    private static List<String> report(TestTorus torus) {
        return new CableReport(TestTorus.place(torus.fabric.fabric(), TestTorus.conf(torus.conf()), 0))
                .findings(SmEvent.TORUS_DEGRADED).stream()
                        .peek(finding -> assertThat(finding.severity()).isEqualTo(Finding.Severity.WARNING))
                        .map(Finding::text)
                        .toList();
    }

    private static void crossCables(TestTorus torus, int a, int b) {
        int portA = torus.plusPort(a, 0, 0);
        int portB = torus.plusPort(b, 0, 0);
        int[] nextA = torus.at(a);
        int[] nextB = torus.at(b);
        nextA[0]++;
        nextB[0]++;
        torus.fabric.unplug(torus.guid(torus.at(a)), portA);
        torus.fabric.unplug(torus.guid(torus.at(b)), portB);
        torus.fabric.cable(
                torus.guid(torus.at(a)), portA, torus.guid(nextB), torus.minusPort(torus.index(nextB), 0, 0));
        torus.fabric.cable(
                torus.guid(torus.at(b)), portB, torus.guid(nextA), torus.minusPort(torus.index(nextA), 0, 0));
    }

    @Test
    void saysNothingOfAPristineTorus() {
        assertThat(report(new TestTorus(5, 4, 3))).isEmpty();
        assertThat(report(new TestTorus(new int[] {3, 4, 2}, "y", 2, 1, Seeds.random(1))))
                .isEmpty();
    }

    @Test
    void tellsTwoCrossedCables() {
        TestTorus torus = new TestTorus(5, 5, 3);
        crossCables(torus, torus.index(2, 1, 0), torus.index(2, 2, 0));
        assertThat(report(torus))
                .containsExactly(
                        "this cable should go from (2,1,0) 0x0000000000200210 \"sw-2-1-0\" port 1 to (3,1,0)"
                                + " 0x0000000000200300 \"sw-3-1-0\" port 2, but goes to (3,2,0)"
                                + " 0x0000000000200330 \"sw-3-2-0\" port 2",
                        "this cable should go from (2,2,0) 0x0000000000200240 \"sw-2-2-0\" port 1 to (3,2,0)"
                                + " 0x0000000000200330 \"sw-3-2-0\" port 2, but goes to (3,1,0)"
                                + " 0x0000000000200300 \"sw-3-1-0\" port 2");
    }

    @Test
    void namesThePortThatTheCableIsInWhereNumbersFollowNoPattern() {
        TestTorus torus = new TestTorus(new int[] {5, 5, 3}, "", 1, 1, Seeds.random(2));
        int a = torus.index(2, 1, 0);
        int next = torus.index(3, 2, 0);
        crossCables(torus, a, torus.index(2, 2, 0));
        assertThat(report(torus))
                .hasSize(2)
                .first()
                .asString()
                .contains("\"sw-2-1-0\" port " + torus.plusPort(a, 0, 0) + " to (3,1,0) ")
                .endsWith("\"sw-3-2-0\" port " + torus.minusPort(next, 0, 0));
    }

    @Test
    void reportsAMissingCableByItsPortsAndAStrayCable() {
        TestTorus torus = new TestTorus(5, 5, 3);
        torus.fabric.removeCables(torus.guid(2, 1, 0), torus.guid(3, 1, 0));
        torus.fabric.unplug(torus.guid(0, 0, 0), 7);
        torus.fabric.unplug(torus.guid(2, 2, 2), 7);
        torus.fabric.cable(torus.guid(0, 0, 0), 7, torus.guid(2, 2, 2), 7);
        assertThat(report(torus))
                .hasSize(2)
                .anyMatch(text -> text.contains("the cable from (2,1,0) ")
                        && text.contains("\"sw-2-1-0\" port 1 in +x to (3,1,0) ")
                        && text.endsWith("\"sw-3-1-0\" port 2 is missing or down"))
                .anyMatch(text -> text.contains("the cable from (0,0,0) ")
                        && text.contains("port 7 joins switches that are no neighbours;"));
    }

    @Test
    void reportsACableWithOneMovedEndOnce() {
        TestTorus torus = new TestTorus(5, 5, 3);
        torus.fabric.removeCables(torus.guid(2, 1, 0), torus.guid(3, 1, 0));
        torus.fabric.removeCables(torus.guid(2, 2, 0), torus.guid(3, 2, 0));
        torus.fabric.cable(torus.guid(2, 1, 0), 1, torus.guid(3, 2, 0), 2);
        assertThat(report(torus))
                .hasSize(2)
                .anyMatch(text -> text.contains("this cable should go from (2,1,0) ")
                        && text.contains("to (3,1,0) ")
                        && text.contains(", but goes to (3,2,0) "))
                .anyMatch(text -> text.contains("the cable from (2,2,0) ") && text.endsWith("is missing or down"));
    }

    @Test
    void tellsWhereTheCableToAMissingSwitchGoes() {
        TestTorus torus = new TestTorus(5, 5, 3);
        torus.fabric.remove(torus.guid(3, 1, 0));
        assertThat(report(torus)).isEmpty();
        torus.fabric.addSwitch(0x700, 3, "new");
        torus.fabric.cable(0x700, 1, torus.guid(2, 1, 0), 1);
        assertThat(report(torus))
                .containsExactly("this cable should go from (2,1,0) 0x0000000000200210 \"sw-2-1-0\" port 1 to (3,1,0),"
                        + " where the switch is missing, but goes to 0x0000000000000700 \"new\" port 1");
    }

    @Test
    void tellsStraysApart() {
        TestTorus torus = new TestTorus(new int[] {5, 5, 3}, "", 1, 4, null);
        for (int port = 7; port <= 10; port++) {
            torus.fabric.unplug(torus.guid(1, 1, 1), port);
        }
        torus.fabric.addSwitch(0x700, 3, "leaf");
        torus.fabric.cable(0x700, 1, torus.guid(1, 1, 1), 7);
        torus.fabric.cable(torus.guid(1, 1, 1), 8, torus.guid(1, 1, 1), 9);
        assertThat(report(torus))
                .hasSize(2)
                .anyMatch(text -> text.contains("leads to a switch without a place"))
                .anyMatch(text -> text.contains("joins a switch to itself"));
    }

    @Test
    void tellsCablesBeyondAPortGroup() {
        TestTorus torus = new TestTorus(new int[] {2, 2, 1}, "", 3, 1, null);
        String conf = torus.conf() + "portgroup_max_ports 2\n";
        Torus placed = TestTorus.place(torus.fabric.fabric(), TestTorus.conf(conf), 0);
        assertThat(new CableReport(placed).findings(SmEvent.TORUS_BROKEN))
                .isNotEmpty()
                .allMatch(finding -> finding.text().contains("is one more than portgroup_max_ports allows"));
    }

    @Test
    void boundsItsLength() {
        TestTorus torus = new TestTorus(7, 7, 1);
        for (int x = 0; x < 7; x++) {
            for (int y = 1; y < 7; y++) {
                torus.fabric.removeCables(torus.guid(x, y, 0), torus.guid((x + 1) % 7, y, 0));
            }
        }
        Torus placed = TestTorus.place(new TestTorus(7, 7, 1).fabric.fabric(), TestTorus.conf(torus.conf()), 0);
        assertThat(placed.slots()).isEqualTo(49);
        assertThat(report(torus)).hasSizeLessThan(3 * (TorusCheck.MAX_LISTED + 1));
    }
}
