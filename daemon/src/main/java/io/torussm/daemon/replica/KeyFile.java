package io.torussm.daemon.replica;

import io.torussm.state.BoundedFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * The key that all SMs of a subnet share: a PKCS #12 file with one private key and its certificate. Both ends of a
 * connection reject a peer that has another certificate or does not prove that it has the private key.
 *
 * <p>The operator creates the file once, with {@code keytool}, and copies it to all SMs; see
 * {@code docs/operator/replication.md}. A PKCS #12 file must have a password, which is a constant here, because the
 * permissions of the file protect the key.
 */
public final class KeyFile {
    /** Password of all key files. */
    static final String PASSWORD = "torus-sm";

    private static final int MAX_BYTES = 1 << 16;
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.GROUP_EXECUTE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE,
            PosixFilePermission.OTHERS_EXECUTE);

    private final KeyStore store;

    /** The failure to use a key file. The message has the fault and the remedy. */
    public static final class Unusable extends Exception {
        private static final long serialVersionUID = 1;

        Unusable(String message) {
            super(message);
        }

        Unusable(String message, Exception cause) {
            super(message, cause);
        }
    }

    private KeyFile(KeyStore store) {
        this.store = store;
    }

    /**
     * Reads a key file.
     *
     * @throws Unusable if other users may read or write the file, or if it does not contain exactly one key
     */
    public static KeyFile read(Path file) throws Unusable {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (!Collections.disjoint(permissions, OTHERS)) {
                throw new Unusable(file + " is open to other users (" + PosixFilePermissions.toString(permissions)
                        + "); run chmod 600 on it, and make a new key if they may have read it");
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(BoundedFile.bytes(file, MAX_BYTES)), PASSWORD.toCharArray());
            return new KeyFile(requireOneKey(file, store));
        } catch (NoSuchFileException e) {
            throw new Unusable("there is no " + file + "; make it with keytool and copy it to all SMs", e);
        } catch (IOException | GeneralSecurityException e) {
            throw new Unusable(
                    file + " is no PKCS #12 file with password \"" + PASSWORD + "\" (" + e.getMessage()
                            + "); make it with keytool and copy it to all SMs",
                    e);
        }
    }

    private static KeyStore requireOneKey(Path file, KeyStore store) throws GeneralSecurityException, Unusable {
        List<String> aliases = Collections.list(store.aliases());
        if (aliases.size() != 1 || !store.isKeyEntry(aliases.get(0))) {
            throw new Unusable(file + " must hold one private key with its certificate and nothing else");
        }
        return store;
    }

    /**
     * Creates the TLS context.
     *
     * @param onStranger callback; called on any thread with the address of a peer that has another certificate
     */
    SSLContext context(Consumer<String> onStranger) throws GeneralSecurityException, IOException {
        String alias = store.aliases().nextElement();
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, PASSWORD.toCharArray());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        Certificate own = store.getCertificate(alias);
        trusted.setCertificateEntry(alias, own);
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        TrustManager trustManager =
                new SameKey((X509ExtendedTrustManager) trust.getTrustManagers()[0], own, onStranger);
        context.init(keys.getKeyManagers(), new TrustManager[] {trustManager}, null);
        return context;
    }

    /** The trust manager that accepts only the certificate of the key file. */
    private static final class SameKey extends X509ExtendedTrustManager {
        private final X509ExtendedTrustManager standardManager;
        private final Certificate own;
        private final Consumer<String> onStranger;

        SameKey(X509ExtendedTrustManager delegate, Certificate own, Consumer<String> onStranger) {
            this.standardManager = delegate;
            this.own = own;
            this.onStranger = onStranger;
        }

        private void requireSame(X509Certificate[] chain, String peer) throws CertificateException {
            if (chain.length != 1 || !chain[0].equals(own)) {
                onStranger.accept(peer);
                throw new CertificateException("another replication key");
            }
        }

        private static String address(Socket socket) {
            return String.valueOf(socket.getInetAddress());
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            requireSame(chain, address(socket));
            standardManager.checkClientTrusted(chain, type, socket);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            requireSame(chain, address(socket));
            standardManager.checkServerTrusted(chain, type, socket);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            requireSame(chain, String.valueOf(engine.getPeerHost()));
            standardManager.checkClientTrusted(chain, type, engine);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            requireSame(chain, String.valueOf(engine.getPeerHost()));
            standardManager.checkServerTrusted(chain, type, engine);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            requireSame(chain, "");
            standardManager.checkClientTrusted(chain, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            requireSame(chain, "");
            standardManager.checkServerTrusted(chain, type);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return standardManager.getAcceptedIssuers();
        }
    }
}
