package io.torussm.daemon.config;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.sa.PrefixRoutes;
import java.nio.file.Path;
import java.util.List;

/**
 * prefix-routes.conf, read again whenever a subnet is up. A file with an error is not used: the routes that were in force
 * stay, and that is said when it happens and whenever the errors change. Owner thread: sm.
 */
public final class PrefixRoutesFile {
    /** Read if it is there and no other file is named. */
    public static final Path DEFAULT_FILE = Path.of("/etc/torus-sm/prefix-routes.conf");

    private static final EventLog EVENTS = EventLog.of(PrefixRoutesFile.class);
    private static final long MAX_BYTES = 1L << 20;

    private final Path usual;
    private PrefixRoutes inForce = PrefixRoutes.NONE;
    private List<Finding> told = List.of();

    /**
     * A reader.
     *
     * @param usual the file that is read if it is there and no other is named
     */
    public PrefixRoutesFile(Path usual) {
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
    public PrefixRoutes routes(SmOptions options) {
        PrefixRoutes.Parsed parsed = parse(options, usual);
        PrefixRoutes routes = parsed.routes();
        if (!parsed.findings().equals(told)) {
            told = parsed.findings();
            told.forEach(EVENTS::report);
            if (routes == null) {
                EVENTS.report(SmEvent.PREFIX_ROUTES_KEPT, EventField.COUNT.of(inForce.size()));
            }
        }
        inForce = routes == null ? inForce : routes;
        return inForce;
    }

    private static PrefixRoutes.Parsed parse(SmOptions options, Path usual) {
        ConfFile file = ConfFile.read(options.sa().prefixRoutes(), usual, MAX_BYTES, Setting.PREFIX_ROUTES_FILE);
        if (file == null) {
            return new PrefixRoutes.Parsed(PrefixRoutes.NONE, List.of());
        }
        return file.text() == null
                ? new PrefixRoutes.Parsed(null, file.trouble())
                : PrefixRoutes.parse(file.name(), file.text());
    }
}
