package io.torussm.daemon.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.Views;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.multicast.MulticastGroup;
import io.torussm.multicast.MulticastView;
import io.torussm.routing.MulticastTree;
import io.torussm.subnet.Subnet;
import io.torussm.testing.ViewDraft;
import io.torussm.view.PublishedView;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The dump files of {@link Views#twoSwitches}, in the formats of OpenSM that ibdmchk and other programs read. */
class DumpsTest {
    @TempDir
    Path dir;

    @BeforeEach
    void dump() throws IOException {
        Dumps.write(Views.twoSwitches(), MulticastView.EMPTY, dir);
    }

    @Test
    void leavesNothingButTheFiles() throws IOException {
        Dumps.write(Views.twoSwitches(), MulticastView.EMPTY, dir);
        try (Stream<Path> files = Files.list(dir)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "opensm-subnet.lst",
                            "opensm.fdbs",
                            "opensm.mcfdbs",
                            "opensm-lfts.dump",
                            "opensm-sl2vl.dump",
                            "opensm-path-sl.dump",
                            "opensm-torus.dump",
                            "opensm-ftree-ca-order.dump",
                            "opensm-sa.dump",
                            "fabric.topo");
        }
    }

    /** A reader with an open file continues in the old one to its end. */
    @Test
    void aFabricThatIsFoundButNotRoutedIsATopology(@TempDir Path other) throws IOException {
        Dumps.writeFound(Views.twoSwitches().subnet().fabric(), other.resolve("dumps"));
        try (Stream<Path> files = Files.list(other.resolve("dumps"))) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactly("fabric.topo");
        }
        assertThat(other.resolve("dumps/fabric.topo")).hasSameTextualContentAs(dir.resolve("fabric.topo"));
    }

    @Test
    void replacesFilesInsteadOfWritingIntoThem() throws IOException {
        Path file = dir.resolve("opensm-lfts.dump");
        List<String> before = lines("opensm-lfts.dump");
        Object inode = Files.getAttribute(file, "unix:ino");
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            String first = reader.readLine();
            Dumps.write(Views.twoSwitches(), MulticastView.EMPTY, dir);
            assertThat(Stream.concat(Stream.of(first), reader.lines())).containsExactlyElementsOf(before);
        }
        assertThat(Files.getAttribute(file, "unix:ino")).isNotEqualTo(inode);
    }

    @Test
    void leavesAllFilesAsTheyWereIfOneCannotBeWritten() throws IOException {
        Object inode = Files.getAttribute(dir.resolve("opensm-subnet.lst"), "unix:ino");
        Files.createDirectories(dir.resolve("opensm-torus.dump.tmp/full"));
        assertThatThrownBy(() -> Dumps.write(Views.twoSwitches(), MulticastView.EMPTY, dir))
                .isInstanceOf(IOException.class);
        assertThat(Files.getAttribute(dir.resolve("opensm-subnet.lst"), "unix:ino"))
                .isEqualTo(inode);
        try (Stream<Path> files = Files.list(dir)) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".tmp")))
                    .containsExactly("opensm-torus.dump.tmp");
        }
    }

    @Test
    void writesForwardingTablesWithNames() throws IOException {
        assertThat(lines("opensm-lfts.dump"))
                .startsWith(
                        "Unicast lids [0-4] of switch Lid 1 guid 0x0000000000200000 ('sw-a'):",
                        "0x0001 000 # Switch portguid 0x0000000000200000: 'sw-a'",
                        "0x0002 003 # Switch portguid 0x0000000000200001: 'sw-b'",
                        "0x0003 001 # Channel Adapter portguid 0x0000001000000001: 'host-0'",
                        "0x0004 003 # Channel Adapter portguid 0x0000001000000101: 'host-1'",
                        "4 lids dumped ");
    }

    @Test
    void writesForwardingTablesForIbdmchk() throws IOException {
        assertThat(lines("opensm.fdbs"))
                .startsWith(
                        "dump_ucast_routes: Switch 0x0000000000200000",
                        "LID    : Port : Hops : Optimal",
                        "0x0001 : 000  : HOPS UNKNOWN",
                        "0x0002 : 003  : HOPS UNKNOWN");
        assertThat(lines("opensm.mcfdbs")).isEmpty();
    }

    @Test
    void writesSl2VlMaskedByOperationalVls() throws IOException {
        List<String> lines = lines("opensm-sl2vl.dump");
        assertThat(lines)
                .startsWith(
                        "Switch 0x0000000000200000, base LID 1, \"sw-a\"",
                        "#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15",
                        "#--------------------------------------------------------",
                        "0   1   : 0  0  0  0  0  0  0  0  0  1  0  0  0  0  0  0 ",
                        "1   1   : 1  1  1  1  1  1  1  1  1  1  1  1  1  1  1  1 ",
                        "2   1   : 2  2  2  2  2  2  2  2  2  1  2  2  2  2  2  2 ");
        int host = lines.indexOf("Channel Adapter 0x0000001000000001, base LID 3, \"host-0\"");
        assertThat(lines.get(host + 3)).isEqualTo("0   0   : 0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  15");
    }

    @Test
    void writesThePathSlOfEveryPairOfHosts() throws IOException {
        assertThat(lines("opensm-path-sl.dump")).containsExactly("0x0000001000000000 4 9", "0x0000001000000100 3 9");
    }

    @Test
    void writesSwitchesInTheOrderOfTheirPlaces() throws IOException {
        assertThat(lines("opensm-torus.dump"))
                .containsExactly("switch 0,0,0 GUID 0x200001 (sw-b)", "switch 1,0,0 GUID 0x200000 (sw-a)");
    }

    @Test
    void writesEveryLinkFromBothEnds() throws IOException {
        List<String> lines = lines("opensm-subnet.lst");
        assertThat(lines).hasSize(6);
        assertThat(lines.get(1))
                .isEqualTo("{ SW-SM Ports:03 SystemGUID:0000000000000000 NodeGUID:0000000000200000"
                        + " PortGUID:0000000000200000 VenID:000000 DevID:0000 Rev:00000000 {sw-a} LID:0001 PN:03 }"
                        + " { SW Ports:03 SystemGUID:0000000000000000 NodeGUID:0000000000200001"
                        + " PortGUID:0000000000200001 VenID:000000 DevID:0000 Rev:00000000 {sw-b} LID:0002 PN:03 }"
                        + " PHY=4x LOG=ACT SPD=10 ");
    }

    @Test
    void writesMulticastTablesForIbdmchk() throws IOException {
        PublishedView off = Views.twoSwitches();
        Fabric fabric = off.subnet().fabric();
        MulticastTree tree = new MulticastTree(fabric, 0, new int[] {Fabric.NONE, 0}, new int[][] {{}, {3}});
        PublishedView view = ViewDraft.of(off).multicast(tree).build();
        MulticastView groups = new MulticastView(List.of(
                group(0xc000, off.subnet(), 3, 4), group(0xc001, off.subnet()), group(0xc021, off.subnet(), 2)));
        Dumps.writeMulticast(view, groups, dir);
        assertThat(lines("opensm.mcfdbs"))
                .containsExactly(
                        "",
                        "Switch 0x0000000000200000",
                        "LID    : Out Port(s)",
                        "0xC000 : 0x001  0x003 ",
                        "0xC021 : 0x003 ",
                        "",
                        "Switch 0x0000000000200001",
                        "LID    : Out Port(s)",
                        "0xC000 : 0x002  0x003 ",
                        "0xC021 : 0x000  0x003 ");
        Dumps.writeMulticast(off, groups, dir);
        assertThat(lines("opensm.mcfdbs")).isEmpty();
    }

    @Test
    void writesGroupsForOpenSmOnly() throws IOException {
        Subnet subnet = Views.twoSwitches().subnet();
        MCMemberRecord record = MCMemberRecord.TYPE
                .zero()
                .with(MCMemberRecord.MGID, new Gid(0xff12401bffff0000L, 0xffffffffL))
                .with(MCMemberRecord.MLID, 0xc000)
                .with(MCMemberRecord.Q_KEY, 0xb1b)
                .with(MCMemberRecord.MTU_SELECTOR, 2)
                .with(MCMemberRecord.MTU, 4)
                .with(MCMemberRecord.P_KEY, 0xffff)
                .with(MCMemberRecord.RATE_SELECTOR, 2)
                .with(MCMemberRecord.RATE, 3)
                .with(MCMemberRecord.PACKET_LIFE_TIME_SELECTOR, 2)
                .with(MCMemberRecord.PACKET_LIFE_TIME, 18)
                .with(MCMemberRecord.SL, 3)
                .with(MCMemberRecord.HOP_LIMIT, 0xff)
                .with(MCMemberRecord.SCOPE, 2);
        long guid = subnet.fabric().portGuid(subnet.portOfLid(3));
        MulticastGroup group = new MulticastGroup(
                record, List.of(new MulticastGroup.Member(new Gid(subnet.gidPrefix(), guid), 1, true)));
        Dumps.write(Views.twoSwitches(), new MulticastView(List.of(group)), dir);
        assertThat(lines("opensm-sa.dump"))
                .containsExactly(
                        "MC Group 0xc000 : mgid=0xff12401bffff0000:0x00000000ffffffff"
                                + " port_gid=0x0000000000000000:0x0000000000000000 qkey=0x00000b1b mlid=0xc000 mtu=0x84"
                                + " tclass=0x00 pkey=0xffff rate=0x83 pkt_life=0x92 sl_flow_hop=0x300000ff"
                                + " scope_state=0x20 proxy_join=0x0",
                        "",
                        "mcm_port: port_gid=0xfe80000000000000:0x0000001000000001 scope_state=0x21 proxy_join=0x1",
                        "");
        assertThat(Files.getPosixFilePermissions(dir.resolve("opensm-sa.dump")))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    }

    /** Another user may have put a link there, to a file that the SM may write and he may not. */
    @Test
    void writesThroughNoLink() throws IOException {
        Path victim = Files.writeString(dir.resolve("victim"), "mine");
        for (String name : List.of("opensm.fdbs", "opensm.fdbs.tmp", "opensm-sa.dump", "opensm-sa.dump.tmp")) {
            Files.deleteIfExists(dir.resolve(name));
            Files.createSymbolicLink(dir.resolve(name), victim);
        }
        Dumps.write(Views.twoSwitches(), MulticastView.EMPTY, dir);
        assertThat(victim).hasContent("mine");
        assertThat(dir.resolve("opensm.fdbs"))
                .satisfies(file -> assertThat(Files.isSymbolicLink(file)).isFalse());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxrwx", "rwxr-x-wx"})
    void refusesADirectoryThatOthersMayWrite(String mode) throws IOException {
        Path open = Files.createDirectory(dir.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString(mode));
        assertThatThrownBy(() -> Dumps.write(Views.twoSwitches(), MulticastView.EMPTY, open))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("chmod o-w");
        assertThat(open).isEmptyDirectory();
    }

    private List<String> lines(String name) throws IOException {
        return Files.readAllLines(dir.resolve(name));
    }

    private static MulticastGroup group(int mlid, Subnet subnet, int... lids) {
        MCMemberRecord record = MCMemberRecord.TYPE.zero().with(MCMemberRecord.MLID, mlid);
        List<MulticastGroup.Member> members = IntStream.of(lids)
                .mapToLong(lid -> subnet.fabric().portGuid(subnet.portOfLid(lid)))
                .mapToObj(guid -> new MulticastGroup.Member(new Gid(subnet.gidPrefix(), guid), 1, false))
                .toList();
        return new MulticastGroup(record, members);
    }
}
