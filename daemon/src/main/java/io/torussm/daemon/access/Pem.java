package io.torussm.daemon.access;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A parser of certificates and private keys in PEM (RFC 7468), the format of openssl and of authorities. */
final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,40})-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");
    private static final int MAX_CERTIFICATES = 100;
    private static final Logger LOG = LoggerFactory.getLogger(Pem.class);
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

    private Pem() {}

    /** Returns all certificates of a text, in their order. */
    static List<X509Certificate> certificates(String where, String text) throws UnusableFileException {
        List<X509Certificate> all = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Matcher block = BLOCK.matcher(text); block.find() && all.size() < MAX_CERTIFICATES; ) {
                if (block.group(1).equals("CERTIFICATE")) {
                    Certificate certificate =
                            factory.generateCertificate(new ByteArrayInputStream(decodeBase64(block.group(2))));
                    all.add((X509Certificate) certificate);
                }
            }
        } catch (CertificateException | IllegalArgumentException e) {
            throw new UnusableFileException(where + " has a certificate that cannot be read: " + e.getMessage());
        }
        if (all.isEmpty()) {
            throw new UnusableFileException(
                    where + " has no certificate in PEM; openssl x509 makes PEM of other forms");
        }
        return all;
    }

    /** Returns the one private key of a text. */
    static PrivateKey privateKey(String where, String text) throws UnusableFileException {
        for (Matcher block = BLOCK.matcher(text); block.find(); ) {
            if (block.group(1).equals("PRIVATE KEY")) {
                return decodeKey(where, block.group(2));
            } else if (block.group(1).endsWith("PRIVATE KEY")) {
                throw new UnusableFileException(where + " has a key in another form (" + block.group(1)
                        + "); openssl pkcs8 -topk8 -nocrypt -in OLD -out NEW makes one in PKCS #8 without a password");
            }
        }
        throw new UnusableFileException(where + " has no private key in PEM (BEGIN PRIVATE KEY)");
    }

    private static PrivateKey decodeKey(String where, String base64) throws UnusableFileException {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(decodeBase64(base64)));
            } catch (InvalidKeySpecException e) {
                LOG.debug("no key of {}", algorithm); // the key may be of another algorithm
            } catch (GeneralSecurityException | IllegalArgumentException e) {
                throw new UnusableFileException(where + " has a private key that cannot be read");
            }
        }
        throw new UnusableFileException(where + " has a private key that is damaged, or not of RSA, EC or EdDSA");
    }

    private static byte[] decodeBase64(String base64) {
        return Base64.getMimeDecoder().decode(base64);
    }
}
