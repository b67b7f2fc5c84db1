package io.torussm.daemon;

import io.torussm.routing.Finding;
import io.torussm.sa.PrefixRoutes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * prefix-routes.conf, read again whenever a subnet is up. A file with an error is not used: the routes that were in force
 * stay, and that is said when it happens and whenever the errors change. Owner thread: sm.
 */
final class PrefixRoutesFile {
    /** Read if it is there and no other file is named. */
    static final Path DEFAULT_FILE = Path.of("/etc/torus-sm/prefix-routes.conf");

    private static final Logger LOG = LoggerFactory.getLogger(PrefixRoutesFile.class);
    private static final long MAX_BYTES = 1L << 20;

    private final Path usual;
    private PrefixRoutes inForce = PrefixRoutes.NONE;
    private List<Finding> told = List.of();

    /**
     * A reader.
     *
     * @param usual the file that is read if it is there and no other is named
     */
    PrefixRoutesFile(Path usual) {
        this.usual = usual;
    }

    /**
     * Reads the file without using it.
     *
     * @throws ConfigurationException with file, line and remedy of each error
     */
    static void check(SmOptions options, Path usual) throws ConfigurationException {
        PrefixRoutes.Parsed parsed = parse(options, usual);
        if (parsed.routes() == null) {
            throw new ConfigurationException(
                    parsed.findings().stream().map(Finding::text).toList());
        }
    }

    /** The routes that are to be in force. */
    PrefixRoutes routes(SmOptions options) {
        PrefixRoutes.Parsed parsed = parse(options, usual);
        PrefixRoutes routes = parsed.routes();
        if (!parsed.findings().equals(told)) {
            told = parsed.findings();
            told.forEach(finding -> LOG.error("{}", finding.text()));
            if (routes == null) {
                LOG.error(
                        "the routes to other subnets stay as they are, {} of them; correct the file, and ask for a sweep",
                        inForce.size());
            }
        }
        inForce = routes == null ? inForce : routes;
        return inForce;
    }

    private static PrefixRoutes.Parsed parse(SmOptions options, Path usual) {
        Path named = options.sa().prefixRoutes();
        if (named == null && !Files.exists(usual)) {
            return new PrefixRoutes.Parsed(PrefixRoutes.NONE, List.of());
        }
        Path file = named == null ? usual : named;
        try {
            if (Files.size(file) > MAX_BYTES) {
                return unusable(file, "it has more than " + MAX_BYTES + " bytes");
            }
            return PrefixRoutes.parse(file.toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return unusable(file, FileTrouble.describe(e));
        }
    }

    private static PrefixRoutes.Parsed unusable(Path file, String why) {
        return new PrefixRoutes.Parsed(
                null, List.of(Finding.error(file + " cannot be read: " + why + "; see prefix_routes_file")));
    }
}
