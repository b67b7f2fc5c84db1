package io.torussm.daemon.proof;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.proof.ChannelRoutes;
import io.torussm.state.BoundedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A network of any kind as JSON: its routes, each a list of the channels that a packet takes one after the other. The format is
 * described in {@code docs/operator/prove.md}.
 */
public final class NetworkFile {
    /** What the member {@code format} says. */
    public static final String FORMAT = "torus-sm-network";

    private static final int MAX_BYTES = 512 << 20;
    private static final int MAX_NAME = 256;
    private static final Set<String> MEMBERS = Set.of("format", "version", "comment", "routes");
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
            throw new ConfigurationException(List.of(
                    file + at + "this is no JSON: " + e.getOriginalMessage().replaceAll("[^ -~]", " ")));
        } catch (IOException e) {
            throw new ConfigurationException(List.of("cannot read " + file + ": " + FileErrors.describe(e)));
        }
        if (!root.isObject()
                || !root.path("format").asText().equals(FORMAT)
                || root.path("version").asInt() != 1) {
            throw new ConfigurationException(List.of(
                    file + ": write \"format\": \"" + FORMAT + "\", \"version\": 1 into it, if it is a network"));
        }
        for (Map.Entry<String, JsonNode> member : root.properties()) {
            if (!MEMBERS.contains(member.getKey())) {
                throw new ConfigurationException(
                        List.of(file + ": member \"" + member.getKey() + "\" is not known; there are "
                                + MEMBERS.stream().sorted().toList()));
            }
        }
    }

    /** The digest of what was read. */
    public FabricFiles.Digest digest() {
        return digest;
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
                    throw wrong(number, "channels are texts of 1 to 255 printable characters of ASCII");
                }
                channels.add(name);
            }
            if (!route.isArray()) {
                throw wrong(number, "a route is a list of channels");
            }
            try {
                routes.route(channels);
            } catch (IllegalArgumentException e) {
                throw wrong(number, String.valueOf(e.getMessage()));
            }
            number++;
        }
        return routes;
    }

    private ConfigurationException wrong(int route, String what) {
        return new ConfigurationException(List.of(file + ": routes[" + route + "]: " + what));
    }
}
