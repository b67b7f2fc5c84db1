package io.torussm.torus2qos;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A recorded fabric; see src/test/resources/golden/README.md. */
final class GoldenFabric {
    private static final List<String> ROUTED_BY_THE_REFERENCE = List.of(
            "65_pristine",
            "66_pristine",
            "166_pristine",
            "333_pristine",
            "444_pristine",
            "555_pristine",
            "666_pristine",
            "888_pristine",
            "345_pristine",
            "255_pristine",
            "552_pristine",
            "222_pristine",
            "65_mesh",
            "444_mesh",
            "555_mesh_x",
            "555_mesh_z",
            "444_par2",
            "444_par2_cut",
            "333_hosts4",
            "444_hosts8",
            "333_par2_hosts3",
            "555_hosts_some",
            "333_lmc1",
            "166_sw_T_R",
            "255_sw",
            "444_par2_gone",
            "555_mesh_z_link",
            "555_seed_sw",
            "65_link_Sn",
            "65_link_mc",
            "65_link_nT",
            "65_lmc1_link",
            "65_sw_T",
            "65_sw_root",
            "666_link1",
            "666_links12",
            "666_links40",
            "666_sw1",
            "666_sw1_links8",
            "666_sw2z",
            "666_sw3z",
            "888_sw1");

    private static final List<String> REFUSED_FOR_THEIR_PATTERN_ONLY = List.of("66_sw_T_R", "666_sw2far");

    /** Names of fabrics that the reference SM routes. */
    static List<String> routedByTheReference() {
        return ROUTED_BY_THE_REFERENCE;
    }

    /** Names of fabrics that it refuses, though they can be routed. */
    static List<String> refusedForTheirPatternOnly() {
        return REFUSED_FOR_THEIR_PATTERN_ONLY;
    }

    /** Names of all fabrics that can be routed. */
    static List<String> routed() {
        return Stream.concat(ROUTED_BY_THE_REFERENCE.stream(), REFUSED_FOR_THEIR_PATTERN_ONLY.stream())
                .toList();
    }

    private static final Pattern NODE =
            Pattern.compile("(Switch|Ca)\\s+(\\d+)\\s+\"[SH]-([0-9a-f]+)\"\\s*# \"(.*?)\".*");
    private static final Pattern CABLE = Pattern.compile("\\[(\\d+)\\]\\S*\\s+\"[SH]-([0-9a-f]+)\"\\[(\\d+)\\].*");

    final String name;
    final String conf;
    final Fabric fabric;

    GoldenFabric(String name) {
        this.name = name;
        conf = new String(read("torus-2QoS.conf"), US_ASCII);
        fabric = cabling(new String(unpack("fabric.topo.gz"), US_ASCII)).fabric();
    }

    private static TestFabric cabling(String text) {
        TestFabric nodes = new TestFabric();
        for (String line : text.lines().toList()) {
            Matcher node = NODE.matcher(line);
            if (node.matches()) {
                long guid = Long.parseUnsignedLong(node.group(3), 16);
                int ports = Integer.parseInt(node.group(2));
                if (node.group(1).equals("Switch")) {
                    nodes.addSwitch(guid, ports, node.group(4));
                } else {
                    nodes.addCa(guid, ports, node.group(4));
                }
            }
        }
        long guid = 0;
        for (String line : text.lines().toList()) {
            Matcher node = NODE.matcher(line);
            Matcher cable = CABLE.matcher(line);
            if (node.matches()) {
                guid = Long.parseUnsignedLong(node.group(3), 16);
            } else if (cable.matches()) {
                nodes.cable(
                        guid,
                        Integer.parseInt(cable.group(1)),
                        Long.parseUnsignedLong(cable.group(2), 16),
                        Integer.parseInt(cable.group(3)));
            }
        }
        return nodes;
    }

    /** Returns the subnet with the LIDs of the recording. */
    Subnet subnet() {
        int[] lids = new int[fabric.portCount()];
        byte[] lmcs = new byte[lids.length];
        for (String line : new String(unpack("lids.gz"), US_ASCII).lines().toList()) {
            String[] words = line.split(" ", -1);
            int node = fabric.nodeByGuid(Long.parseUnsignedLong(words[0], 16));
            int port = fabric.port(node, Integer.parseInt(words[1]));
            lids[port] = Integer.parseInt(words[2]);
            lmcs[port] = Byte.parseByte(words[3]);
        }
        return new Subnet(fabric, lids, lmcs, 0xfe80000000000000L);
    }

    /** Rows of forwarding tables by switch. */
    byte[] tables() {
        return unpack("lft.gz");
    }

    /** Returns the SLs of paths by source and destination LID. */
    byte[] sls() {
        return unpack("sl.gz");
    }

    /**
     * Returns the multicast entries of MLID 0xC000, 32 bytes by switch, with all ports of channel adapters as members.
     */
    byte[] multicastEntries() {
        return unpack("mft.gz");
    }

    private byte[] unpack(String file) {
        try (InputStream in = new GZIPInputStream(open(file))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] read(String file) {
        try (InputStream in = open(file)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private InputStream open(String file) {
        String path = "/golden/" + name + "/" + file;
        @Nullable InputStream in = GoldenFabric.class.getResourceAsStream(path);
        if (in == null) {
            throw new IllegalStateException("no " + path);
        }
        return in;
    }
}
