package io.torussm.daemon.proof;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.daemon.json.Json;
import io.torussm.proof.ChannelRoutes;
import io.torussm.state.BoundedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The JSON file of a network of any type. It has routes; each route is the list of channels that a packet occupies, in
 * their order. The format is described in {@code docs/operator/prove.md}.
 */
public final class NetworkFile {
    /** The value of the member {@code format}. */
    public static final String FORMAT = "torus-sm-network";

    private static final int MAX_BYTES = 512 << 20;
    private static final Pattern NAME = Pattern.compile("[!-~]|[!-~][ -~]{0,253}[!-~]");

    private final Path file;
    private final List<? extends @Nullable List<@Nullable String>> routes;
    private final FabricFiles.Digest digest;

    /** The content of a file. */
    private record Network(
            @Nullable String format,
            int version,
            @Nullable String comment,
            @Nullable List<? extends @Nullable List<@Nullable String>> routes) {}

    /**
     * Reads a file.
     *
     * @throws ConfigurationException if the file cannot be read, or is no file of a network
     */
    public NetworkFile(Path file) throws ConfigurationException {
        this.file = file;
        try {
            byte[] bytes = BoundedFile.bytes(file, MAX_BYTES);
            Network network = Json.readFile(bytes, Network.class);
            if (!FORMAT.equals(network.format()) || network.version() != 1 || network.routes() == null) {
                throw new ConfigurationException(List.of(file + ": write \"format\": \"" + FORMAT
                        + "\", \"version\": 1 and \"routes\" into it, if it is a network"));
            }
            routes = network.routes();
            digest = new FabricFiles.Digest(
                    FabricFiles.Role.NETWORK,
                    String.valueOf(file.getFileName()),
                    HexFormat.of().formatHex(FabricFiles.sha256().digest(bytes)));
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of(file + ":" + e.getMessage()));
        } catch (IOException e) {
            throw new ConfigurationException(List.of("cannot read " + file + ": " + FileErrors.describe(e)));
        }
    }

    /** Returns the digest of the bytes that were read. */
    public FabricFiles.Digest digest() {
        return digest;
    }

    /**
     * Returns the routes.
     *
     * @throws ConfigurationException if a route is invalid, with the index of that route
     */
    public ChannelRoutes routes() throws ConfigurationException {
        ChannelRoutes all = new ChannelRoutes();
        for (int number = 0; number < routes.size(); number++) {
            List<@Nullable String> route = routes.get(number);
            if (route == null
                    || !route.stream()
                            .allMatch(name -> name != null && NAME.matcher(name).matches())) {
                throw routeError(
                        number,
                        "channels are texts of 1 to 255 printable characters of ASCII, without blanks at the ends");
            }
            try {
                all.addRoute(route.stream().map(String::valueOf).toList());
            } catch (IllegalArgumentException e) {
                throw routeError(number, String.valueOf(e.getMessage()));
            }
        }
        return all;
    }

    private ConfigurationException routeError(int route, String message) {
        return new ConfigurationException(List.of(file + ": routes[" + route + "]: " + message));
    }
}
