package io.torussm.daemon.access;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Files of HTTPS in a directory, and users. The certificates are made by openssl. An authority ({@code ca})
 * signed those for the server ({@code server}, {@code renewed}, and {@code ending}, for one day) and for the
 * clients {@code alice} and {@code mallory}. Another authority signed {@code stranger}, which has the name
 * alice as well.
 */
public final class TestFiles {
    /** Tokens of the users bob, olga and root. */
    public static final String READ = "read-token-of-a-test-0123456789abcdefghij";

    public static final String OPERATE = "operate-token-of-a-test-0123456789abcdefg";
    public static final String ADMIN = "admin-token-of-a-test-0123456789abcdefghi";

    private static final Map<String, SSLContext> CLIENTS = new ConcurrentHashMap<>();

    private final Path dir;

    /**
     * Copies all of them, and writes the users bob (read), olga (operate), root (admin) and alice (operate,
     * by certificate).
     */
    public TestFiles(Path dir) throws IOException {
        this.dir = dir;
        write("cert.pem", resource("server.pem"), "rw-r--r--");
        write("key.pem", resource("server-key.pem"), "rw-------");
        write("ca.pem", resource("ca.pem"), "rw-r--r--");
        writeUsers(
                Users.tokenLine("read", "bob", READ),
                Users.tokenLine("operate", "olga", OPERATE),
                Users.tokenLine("admin", "root", ADMIN),
                "operate alice certificate");
    }

    /** Users of these lines from now on. */
    public void writeUsers(String... lines) throws IOException {
        write("users", String.join("\n", lines) + "\n", "rw-------");
    }

    /** Writes a file with permissions. */
    public Path write(String name, String text, String mode) throws IOException {
        Path file = dir.resolve(name);
        Files.deleteIfExists(file);
        Files.writeString(file, text, StandardCharsets.ISO_8859_1);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    /** Returns the text of a file of this package. */
    public static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(TestFiles.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    public AccessFiles.AccessPaths paths() {
        return new AccessFiles.AccessPaths(
                dir.resolve("cert.pem"), dir.resolve("key.pem"), dir.resolve("ca.pem"), dir.resolve("users"));
    }

    /** Returns the TLS context of a client that trusts the authority, with a certificate unless its name is empty. */
    public static SSLContext clientContext(String certificate) {
        return CLIENTS.computeIfAbsent(certificate, name -> {
            try {
                return newClient(name);
            } catch (GeneralSecurityException | IOException | UnusableFileException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static SSLContext newClient(String certificate)
            throws GeneralSecurityException, IOException, UnusableFileException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(
                "ca", Pem.certificates("ca.pem", resource("ca.pem")).get(0));
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        if (!certificate.isEmpty()) {
            own.setKeyEntry(
                    "own",
                    Pem.privateKey("key", resource(certificate + "-key.pem")),
                    new char[0],
                    Pem.certificates("cert", resource(certificate + ".pem")).toArray(Certificate[]::new));
        }
        keys.init(own, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** Starts TLS over a connected socket. */
    public static Socket tlsSocket(Socket plain, String certificate) throws IOException {
        return clientContext(certificate).getSocketFactory().createSocket(plain, "localhost", plain.getPort(), true);
    }
}
