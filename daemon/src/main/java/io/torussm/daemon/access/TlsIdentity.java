package io.torussm.daemon.access;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The TLS identity of the HTTP server: its certificate with the key, and the authority of client certificates.
 * Immutable.
 */
final class TlsIdentity {
    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

    /** Type of a dNSName among the alternative names of a certificate (RFC 5280, GeneralName). */
    private static final int DNS_NAME = 2;

    static {
        // must be set before the first use of TLS; a renegotiation costs the server more than the client
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }

    private final SSLContext context;
    private final X509Certificate certificate;
    private final boolean asksForCertificates;

    private TlsIdentity(SSLContext context, X509Certificate certificate, boolean asksForCertificates) {
        this.context = context;
        this.certificate = certificate;
        this.asksForCertificates = asksForCertificates;
    }

    /**
     * Reads the certificate and the key.
     *
     * @param authority file with the authorities that sign client certificates; null to request no client certificates
     * @throws UnusableFileException if a file cannot be read, is readable by others, or key and certificate are no pair
     */
    static TlsIdentity read(Path certificate, Path key, @Nullable Path authority) throws UnusableFileException {
        String where = "https_certificate: " + certificate;
        List<X509Certificate> chain =
                Pem.certificates(where, AccessFile.read("https_certificate", certificate, AccessFile.Openness.PUBLIC));
        PrivateKey privateKey =
                Pem.privateKey("https_key: " + key, AccessFile.read("https_key", key, AccessFile.Openness.GROUP_READS));
        try {
            if (!isPair(chain.get(0).getPublicKey(), privateKey)) {
                throw new UnusableFileException(
                        "https_key: " + key + " is not the key of the first certificate in " + certificate);
            }
            KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
            KeyStore own = emptyStore();
            own.setKeyEntry("torus-sm", privateKey, new char[0], chain.toArray(Certificate[]::new));
            keys.init(own, new char[0]);
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(authorities(authority, chain.get(0)));
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return new TlsIdentity(context, chain.get(0), authority != null);
        } catch (GeneralSecurityException | IOException e) {
            throw new UnusableFileException(where + " and its key cannot be used: " + e.getMessage());
        }
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    /**
     * Returns the authorities of client certificates. Without an authority the store contains the server's certificate,
     * since a trust store must not be empty; no client is asked for a certificate then.
     */
    private static KeyStore authorities(@Nullable Path authority, X509Certificate own)
            throws UnusableFileException, GeneralSecurityException, IOException {
        KeyStore store = emptyStore();
        if (authority == null) {
            store.setCertificateEntry("own", own);
            return store;
        }
        List<X509Certificate> trusted = Pem.certificates(
                "https_client_ca: " + authority,
                AccessFile.read("https_client_ca", authority, AccessFile.Openness.PUBLIC));
        for (X509Certificate each : trusted) {
            store.setCertificateEntry("ca-" + store.size(), each);
        }
        return store;
    }

    /** Checks whether a signature by the private key is valid for the public key. */
    private static boolean isPair(PublicKey publicKey, PrivateKey privateKey) throws GeneralSecurityException {
        String algorithm =
                switch (privateKey.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> privateKey.getAlgorithm();
                };
        if (privateKey.getAlgorithm().equals("RSA") != publicKey.getAlgorithm().equals("RSA")
                || privateKey.getAlgorithm().equals("EC")
                        != publicKey.getAlgorithm().equals("EC")) {
            return false;
        }
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(privateKey);
        signature.update(PROTOCOLS[0].getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        byte[] signed = signature.sign();
        signature.initVerify(publicKey);
        signature.update(PROTOCOLS[0].getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        return signature.verify(signed);
    }

    /** Creates the TLS engine for one connection of a client: TLS 1.2 with forward secrecy, or 1.3. */
    SSLEngine engine() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setWantClientAuth(asksForCertificates);
        engine.setEnabledProtocols(PROTOCOLS);
        engine.setEnabledCipherSuites(Arrays.stream(engine.getSupportedCipherSuites())
                .filter(suite -> suite.matches("TLS_(AES|CHACHA20)_.*|TLS_ECDHE_.*_(GCM|CHACHA20)_.*"))
                .toArray(String[]::new));
        return engine;
    }

    /** Checks whether clients are asked for a certificate. */
    boolean asksForCertificates() {
        return asksForCertificates;
    }

    /** Returns the end of the validity of the certificate. */
    Instant notAfter() {
        return certificate.getNotAfter().toInstant();
    }

    /** Returns the DNS names of the certificate, in lower case. */
    Set<String> names() {
        Set<String> names = new HashSet<>();
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            for (List<?> each : alternatives == null ? List.<List<?>>of() : alternatives) {
                if (each.get(0).equals(DNS_NAME)) {
                    names.add(each.get(1).toString().toLowerCase(Locale.ROOT));
                }
            }
        } catch (CertificateParsingException e) {
            return Set.of(); // the operator can still set http_names
        }
        return names;
    }
}
