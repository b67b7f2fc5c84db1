package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Names and racks of the operator in a running SM, and the effect of SIGHUP on them. The torus has 3x3 switches. */
@Timeout(120)
class NamesOnFabricTest {
    private static final String TORUS = "torus:3x3x1,hosts=1";

    /** The switch that the files name, {@code sw-0-0-0}. */
    private static final long SWITCH = 0x200000;

    private static final String NAMES = "0x200000 leaf-1\n";
    private static final String SITES = "node 0x200000 rack=R7\ncable 0x200000/1 label=C-1\n";
    private static final String SHOWN = "leaf-1, rack R7, C-1";

    @TempDir
    Path dir;

    /** Returns an SM that has swept once. */
    private ServiceHarness start() throws Exception {
        ServiceHarness harness = new ServiceHarness(dir.resolve("state"), settings());
        assertThat(harness.end()).isEqualTo("up");
        return harness;
    }

    @Test
    void aReloadShowsTheNewNamesImmediately() throws Exception {
        write(NAMES, SITES);
        try (ServiceHarness harness = start()) {
            assertThat(shown(harness)).isEqualTo(SHOWN);
            write("0x200000 renamed\n", "node 0x200000 rack=R8\n");
            reload(harness);
            assertThat(shown(harness)).isEqualTo("renamed, rack R8, ");
        }
    }

    @Test
    void aReloadOfFilesWithErrorsKeepsTheNames() throws Exception {
        write(NAMES, SITES);
        try (ServiceHarness harness = start()) {
            write("0x200000 again\noops\n", "node 0x200000 rack=R9\nnode 0x200000 rack=R9\n");
            reload(harness);
            assertThat(shown(harness)).isEqualTo(SHOWN);
            assertThat(harness.log.only(SmEvent.NODE_NAMES_KEPT).get(EventField.COUNT))
                    .isEqualTo("1");
            assertThat(harness.log.only(SmEvent.SITE_MAP_KEPT).get(EventField.FILE))
                    .isEqualTo(dir.resolve("sites").toString());
            assertThat(harness.log.all().stream()
                            .filter(logged -> logged.event() == SmEvent.NAMES_ERROR)
                            .map(logged -> logged.get(EventField.TEXT)))
                    .anyMatch(text -> text.startsWith(dir.resolve("names") + ":2: "))
                    .anyMatch(text -> text.startsWith(dir.resolve("sites") + ":2: "));
        }
    }

    @Test
    void aReloadOfFilesWithoutErrorsEndsTheConditionOfEarlierErrors() throws Exception {
        write(NAMES, SITES);
        try (ServiceHarness harness = start()) {
            write("oops\n", "oops\n");
            reload(harness);
            write("", "");
            reload(harness);
            harness.log.only(SmEvent.NODE_NAMES_TAKEN);
            harness.log.only(SmEvent.SITE_MAP_TAKEN);
            assertThat(shown(harness)).isEqualTo("sw-0-0-0, , ");
        }
    }

    @Test
    void eventsAboutACableHaveItsLabelAndSite() throws Exception {
        write("", SITES);
        try (ServiceHarness harness = start()) {
            harness.log.take();
            harness.control().requestBounce(SWITCH, 1);
            assertThat(harness.end()).isEqualTo("up");
            assertThat(harness.log.only(SmEvent.PORT_BOUNCED).get(EventField.CABLE))
                    .isEqualTo("C-1");
            assertThat(harness.log.only(SmEvent.PORT_BOUNCED).get(EventField.SITE))
                    .isEqualTo("rack R7");
        }
    }

    @Test
    void findingsOfRoutesHaveTheSiteByPlaceAndByNode() throws Exception {
        write("", "place 0,0,0 row=B\nplace 1,0,0 row=C\n" + SITES);
        try (ServiceHarness harness = start()) {
            PublishedView view = Objects.requireNonNull(harness.control().view());
            assertThat(view.plan().device(0).fields())
                    .anyMatch(field ->
                            field.field() == EventField.SITE && field.text().equals("row B, rack R7"));
        }
    }

    @Test
    void namesOutliveTheProcessIfTheFilesHaveErrorsAtTheNextStart() throws Exception {
        write(NAMES, SITES);
        start().close();
        write("oops\n", "oops\n");
        try (ServiceHarness harness = start()) {
            assertThat(shown(harness)).isEqualTo(SHOWN);
        }
    }

    private Map<Setting<?>, String> settings() {
        return Map.of(
                Settings.SIMULATE, TORUS,
                Settings.NODE_NAME_MAP_NAME, dir.resolve("names").toString(),
                Settings.SITE_MAP, dir.resolve("sites").toString());
    }

    private void write(String names, String sites) throws Exception {
        Files.writeString(dir.resolve("names"), names);
        Files.writeString(dir.resolve("sites"), sites);
    }

    /** Reloads the configuration as SIGHUP does. */
    private void reload(ServiceHarness harness) throws Exception {
        harness.log.take();
        harness.service().reconfigure(ServiceHarness.options(dir.resolve("state"), settings()));
        harness.control().requestSweep(true);
        assertThat(harness.end()).isEqualTo("up");
    }

    /** Returns name, site and label of port 1 of the switch, as they are shown to operators. */
    private static String shown(ServiceHarness harness) {
        PlacedSubnet placed = Objects.requireNonNull(harness.control().view()).placed();
        Fabric fabric = placed.fabric();
        int node = fabric.nodeByGuid(SWITCH);
        assertThat(fabric.node(node).description())
                .as("the NodeDescription, which hosts read")
                .isEqualTo("sw-0-0-0");
        return fabric.nodeName(node) + ", " + placed.site(node) + ", " + fabric.cableLabel(fabric.port(node, 1));
    }
}
