package io.torussm.daemon.access;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The files of users and of TLS parameters, read again on the operator's request. If a file cannot be used, all
 * previous contents stay effective. {@link #active} may be called from any thread.
 */
public final class AccessFiles {
    private static final EventLog EVENTS = EventLog.of(AccessFiles.class);

    /** Remaining validity of a certificate below which a warning is logged. */
    private static final Duration EXPIRY_WARNING_PERIOD = Duration.ofDays(14);

    private final AccessPaths paths;
    private volatile Access active;

    /**
     * The paths of the files.
     *
     * @param httpsCertificate certificates in PEM, that of the server first
     * @param httpsKey private key in PEM, PKCS #8
     * @param httpsClientCa authorities of client certificates in PEM; null without client certificates
     * @param httpsUsers file of {@link Users}
     */
    public record AccessPaths(
            @Nullable Path httpsCertificate,
            @Nullable Path httpsKey,
            @Nullable Path httpsClientCa,
            @Nullable Path httpsUsers) {
        /**
         * Reads all files.
         *
         * @throws UnusableFileException with file, line and remedy
         */
        public Access read() throws UnusableFileException {
            Path certificate = httpsCertificate;
            Path key = httpsKey;
            Path list = httpsUsers;
            if (certificate == null || key == null || list == null) {
                throw new UnusableFileException(
                        "https_listen needs https_certificate, https_key and https_users; see docs/operator/api.md");
            }
            Users users = Users.read("https_users", list);
            TlsIdentity tls = TlsIdentity.read(certificate, key, httpsClientCa);
            if (users.needsCertificates() && !tls.asksForCertificates()) {
                throw new UnusableFileException(
                        "https_users: " + list
                                + " names users by their certificates, and https_client_ca does not say whose are to be believed");
            }
            return new Access(tls, users);
        }
    }

    private AccessFiles(AccessPaths named, Access active) {
        this.paths = named;
        this.active = active;
    }

    /**
     * Reads the files for the first time.
     *
     * @throws UnusableFileException with file, line and remedy
     */
    public static AccessFiles open(AccessPaths named) throws UnusableFileException {
        AccessFiles files = new AccessFiles(named, named.read());
        files.warn();
        return files;
    }

    /** Returns the effective content. */
    public Access active() {
        return active;
    }

    /**
     * Reads the files again. Open connections keep the certificate, but requests on them are checked against the new
     * users.
     */
    public void reload() {
        try {
            active = paths.read();
            EVENTS.report(
                    SmEvent.HTTPS_FILES_READ,
                    EventField.COUNT.of(active.users()),
                    EventField.TEXT.of(active.certificateEnds()));
            warn();
        } catch (UnusableFileException e) {
            e.problems().forEach(problem -> EVENTS.report(SmEvent.HTTPS_FILES_KEPT, EventField.REASON.of(problem)));
        }
    }

    private void warn() {
        Instant end = active.certificateEnds();
        if (Instant.now().plus(EXPIRY_WARNING_PERIOD).isAfter(end)) {
            EVENTS.report(
                    SmEvent.HTTPS_CERTIFICATE_ENDS,
                    EventField.FILE.of(paths.httpsCertificate()),
                    EventField.TEXT.of(end));
        }
    }
}
