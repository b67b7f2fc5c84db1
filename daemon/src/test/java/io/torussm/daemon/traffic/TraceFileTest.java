package io.torussm.daemon.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.Views;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.dataplane.Hosts;
import io.torussm.dataplane.Trace.TimedMessage;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The hosts that the lines of a trace name. */
class TraceFileTest {
    @TempDir
    Path dir;

    private Hosts hosts = new Hosts(Views.twoSwitches().subnet());

    private List<TimedMessage> read(String line) throws Exception {
        return TraceFile.read(Files.writeString(dir.resolve("trace"), line + "\n"), hosts);
    }

    private long nodeGuid(int host) {
        Fabric fabric = hosts.subnet().fabric();
        return fabric.nodeGuid(fabric.nodeOf(hosts.port(host)));
    }

    private void name(String first, String second) {
        String names =
                Guid.format(nodeGuid(0)) + " \"" + first + "\"\n" + Guid.format(nodeGuid(1)) + " \"" + second + "\"\n";
        hosts = new Hosts(Views.named(Views.twoSwitches(), names, "").subnet());
    }

    @Test
    void aHostIsNamedByLidNameOrGuid() throws Exception {
        name("first", "second");
        List<TimedMessage> expected = List.of(new TimedMessage(0, 1, 64, 5));
        long portGuid = hosts.subnet().fabric().portGuid(hosts.port(0));
        for (String from :
                List.of("first", Integer.toString(hosts.lid(0)), Guid.format(nodeGuid(0)), Guid.format(portGuid))) {
            assertThat(read(from + " second 64 5")).as(from).isEqualTo(expected);
        }
    }

    @Test
    void aNameOfSeveralNodesIsRejected() {
        name("twin", "twin");
        assertThatThrownBy(() -> read("twin " + hosts.lid(1) + " 64 5"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(":1: several nodes have the name \"twin\"; give a LID or a GUID");
    }

    /** The other host may come first or last. */
    @Test
    void aNumberIsALidEvenIfAHostHasItAsItsName() throws Exception {
        name(Integer.toString(hosts.lid(1)), Integer.toString(hosts.lid(0)));
        assertThat(read(hosts.lid(0) + " " + hosts.lid(1) + " 64 5")).containsExactly(new TimedMessage(0, 1, 64, 5));
    }
}
