package io.torussm.daemon.proof;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.proof.ChannelRoutes;
import io.torussm.proof.FabricTables;
import io.torussm.proof.FabricTablesBuilder;
import io.torussm.state.BoundedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A network as JSON, of any kind: switches with tables, or nothing but routes, each a list of the channels that a packet takes. The
 * format is described in {@code docs/operator/prove.md}.
 */
public final class NetworkFile {
    /** What the member {@code format} says. */
    public static final String FORMAT = "torus-sm-network";

    private static final int MAX_BYTES = 512 << 20;
    private static final int MAX_NAME = 256;
    private static final int SLS = 16;
    private static final Set<String> MEMBERS =
            Set.of("format", "version", "routes", "switches", "hosts", "links", "sls", "comment");
    private static final ObjectMapper MAPPER = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(8)
                    .maxStringLength(4096)
                    .maxNameLength(MAX_NAME)
                    .maxNumberLength(24)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build());

    private final Path file;
    private final JsonNode root;
    private final FabricFiles.Digest digest;

    /**
     * Reads a file.
     *
     * @throws ConfigurationException if it cannot be read, or is no such file
     */
    public NetworkFile(Path file) throws ConfigurationException {
        this.file = file;
        try {
            byte[] bytes = BoundedFile.bytes(file, MAX_BYTES);
            root = MAPPER.readTree(bytes);
            digest = new FabricFiles.Digest(
                    FabricFiles.Role.NETWORK,
                    String.valueOf(file.getFileName()),
                    HexFormat.of().formatHex(FabricFiles.sha256().digest(bytes)));
        } catch (JsonProcessingException e) {
            String at = e.getLocation() == null ? ": " : ":" + e.getLocation().getLineNr() + ": ";
            throw new ConfigurationException(
                    List.of(file + at + "this is no JSON: " + e.getOriginalMessage().replaceAll("[^ -~]", " ")));
        } catch (IOException e) {
            throw new ConfigurationException(List.of("cannot read " + file + ": " + FileErrors.describe(e)));
        }
        if (!root.isObject() || !root.path("format").asText().equals(FORMAT) || root.path("version").asInt() != 1) {
            throw new ConfigurationException(List.of(
                    file + ": write \"format\": \"" + FORMAT + "\", \"version\": 1 into it, if it is a network"));
        }
        for (Map.Entry<String, JsonNode> member : root.properties()) {
            if (!MEMBERS.contains(member.getKey())) {
                throw new ConfigurationException(List.of(
                        file + ": member \"" + member.getKey() + "\" is not known; there are " + MEMBERS.stream().sorted().toList()));
            }
        }
    }

    /** The digest of what was read. */
    public FabricFiles.Digest digest() {
        return digest;
    }

    /** Whether it gives routes and no tables. */
    public boolean hasRoutes() {
        return root.has("routes");
    }

    /** The routes. */
    public ChannelRoutes routes() throws ConfigurationException {
        ChannelRoutes routes = new ChannelRoutes();
        int number = 0;
        for (JsonNode route : root.path("routes")) {
            List<String> channels = new ArrayList<>();
            for (JsonNode channel : route) {
                String name = channel.asText();
                if (!channel.isTextual() || !name.matches("[!-~][ -~]{0,254}") || name.endsWith(" ")) {
                    throw wrong("routes", number, "channels are texts of 1 to 255 printable characters of ASCII", null);
                }
                channels.add(name);
            }
            if (!route.isArray()) {
                throw wrong("routes", number, "a route is a list of channels", null);
            }
            try {
                routes.route(channels);
            } catch (IllegalArgumentException e) {
                throw wrong("routes", number, String.valueOf(e.getMessage()), e);
            }
            number++;
        }
        return routes;
    }

    /** The fabric. */
    public FabricTables tables(Assumptions assumed) throws ConfigurationException {
        FabricTablesBuilder fabric = new FabricTablesBuilder();
        fabric.groupSls(assumed.groupSls());
        assumed.sl().ifPresent(fabric::hostSl);
        assumed.switchSl().ifPresent(fabric::switchSl);
        each("switches", sw -> {
            fabric.node(guid(sw.path("guid")), number(sw, "ports"), true, name(sw));
            fabric.lid(guid(sw.path("guid")), 0, 0, sw.path("lid").asInt(), 0);
        });
        each("hosts", host -> host(host, fabric));
        each("links", link -> {
            if (!link.isArray() || link.size() != 4) {
                throw new IllegalArgumentException("a link is a list of GUID, port, GUID, port");
            }
            fabric.cable(guid(link.get(0)), number(link.get(1)), guid(link.get(2)), number(link.get(3)));
        });
        each("switches", sw -> tables(sw, fabric));
        each("sls", path -> {
            if (!path.isArray() || path.size() != 3) {
                throw new IllegalArgumentException("a path is a list of GUID, LID, SL");
            }
            fabric.sl(guid(path.get(0)), number(path.get(1)), number(path.get(2)));
        });
        return fabric.build();
    }

    private static void host(JsonNode host, FabricTablesBuilder fabric) {
        long guid = guid(host.path("guid"));
        long node = host.has("node") ? guid(host.path("node")) : guid;
        int port = host.path("port").asInt(1);
        fabric.node(node, host.path("ports").asInt(Math.max(1, port)), false, name(host));
        fabric.lid(node, port, guid, number(host, "lid"), host.path("lmc").asInt());
        if (host.has("switch")) {
            fabric.cable(guid(host.path("switch")), number(host, "switchPort"), node, port);
        }
    }

    private static void tables(JsonNode sw, FabricTablesBuilder fabric) {
        long guid = guid(sw.path("guid"));
        sw.path("lft").properties().forEach(entry -> fabric.lft(guid, number(entry.getKey()), number(entry.getValue())));
        for (JsonNode row : sw.path("sl2vl")) {
            int[] vls = new int[SLS];
            if (row.path("vls").size() != SLS) {
                throw new IllegalArgumentException("a row has a VL for each of 16 SLs");
            }
            for (int sl = 0; sl < SLS; sl++) {
                vls[sl] = number(row.path("vls").get(sl));
                if (vls[sl] < 0 || vls[sl] >= SLS) {
                    throw new IllegalArgumentException("there is no VL " + vls[sl] + "; VLs are 0 to 15");
                }
            }
            fabric.row(guid, number(row, "in"), number(row, "out"), SlToVlMappingTable.pack(vls));
        }
        sw.path("groups").properties().forEach(group -> {
            long[] ports = new long[4];
            for (JsonNode each : group.getValue()) {
                int port = number(each);
                if (port < 0 || port >= ports.length * Long.SIZE) {
                    throw new IllegalArgumentException("there is no port " + port);
                }
                ports[port >> 6] |= 1L << port;
            }
            fabric.group(guid, number(group.getKey()), ports);
        });
    }

    private interface Taker {
        void take(JsonNode element);
    }

    private void each(String member, Taker taker) throws ConfigurationException {
        int number = 0;
        for (JsonNode element : root.path(member)) {
            try {
                taker.take(element);
            } catch (IllegalArgumentException e) {
                throw wrong(member, number, String.valueOf(e.getMessage()), e);
            }
            number++;
        }
    }

    private ConfigurationException wrong(String member, int number, String what, @org.jspecify.annotations.Nullable Exception cause) {
        ConfigurationException wrong = new ConfigurationException(List.of(file + ": " + member + "[" + number + "]: " + what));
        if (cause != null) {
            wrong.initCause(cause);
        }
        return wrong;
    }

    private static String name(JsonNode node) {
        String name = node.path("name").asText(node.path("guid").asText());
        if (name.length() > MAX_NAME) {
            throw new IllegalArgumentException("names have " + MAX_NAME + " characters at most");
        }
        return name.replaceAll("[^ -~]", "?");
    }

    private static int number(JsonNode node, String member) {
        return number(node.path(member));
    }

    private static int number(JsonNode value) {
        if (!value.canConvertToInt() || !value.isIntegralNumber()) {
            throw new IllegalArgumentException("there should be a whole number instead of " + value);
        }
        return value.asInt();
    }

    private static int number(String text) {
        try {
            return Integer.decode(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("there should be a LID instead of \"" + text + '"', e);
        }
    }

    private static long guid(JsonNode value) {
        try {
            if (value.isTextual() && value.asText().startsWith("0x")) {
                return Long.parseUnsignedLong(value.asText().substring(2), 16);
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("there should be a GUID, such as \"0x2000b0\"", e);
        }
        throw new IllegalArgumentException("there should be a GUID, such as \"0x2000b0\"");
    }
}
