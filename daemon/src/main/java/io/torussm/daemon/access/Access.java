package io.torussm.daemon.access;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/** The content of the {@link AccessFiles} at one time: the parameters of TLS, and the users. Immutable. */
public final class Access {
    private static final Pattern CREDENTIALS = Pattern.compile("(?i:(bearer|basic)) +([A-Za-z0-9._~+/=-]{1,2048})");
    private static final String COMMON_NAME = "CN";

    private final TlsIdentity tls;
    private final Users users;

    /**
     * The outcome of an authentication.
     *
     * @param user authenticated user; null on failure
     * @param reason reason of a failure; empty on success, or if the request had no credentials
     */
    public record Login(@Nullable User user, String reason) {
        private static Login failed(String reason) {
            return new Login(null, reason);
        }
    }

    Access(TlsIdentity tls, Users users) {
        this.tls = tls;
        this.users = users;
    }

    /** Creates the TLS engine for one connection of a client. */
    public SSLEngine engine() {
        return tls.engine();
    }

    /** Returns the DNS names of the server in its certificate, in lower case. */
    public Set<String> names() {
        return tls.names();
    }

    /** Returns the end of the validity of the certificate. */
    public Instant certificateEnds() {
        return tls.notAfter();
    }

    /** Returns the number of users. */
    public int users() {
        return users.size();
    }

    /**
     * Authenticates a request. A token takes precedence over a certificate.
     *
     * @param authorization header Authorization: {@code Bearer TOKEN}, {@code Basic} with name and token, or {@code
     *     Basic TOKEN} as for UFM; null without the header
     * @param certificate client certificate that TLS has verified; null without a certificate
     */
    public Login login(@Nullable String authorization, @Nullable X509Certificate certificate) {
        if (authorization != null) {
            return byToken(authorization);
        }
        if (certificate == null) {
            return Login.failed("");
        }
        String name = commonName(certificate);
        User user = users.byCommonName(name);
        return user == null
                ? Login.failed("the certificate of " + printable(name) + " has no line in https_users")
                : new Login(user, "");
    }

    private Login byToken(String authorization) {
        Matcher matcher = CREDENTIALS.matcher(authorization);
        if (!matcher.matches()) {
            return Login.failed("its Authorization is neither Bearer nor Basic");
        }
        User user = users.byToken(null, matcher.group(2));
        if (user == null && matcher.group(1).equalsIgnoreCase("basic")) {
            user = byPassword(matcher.group(2));
        }
        return user == null ? Login.failed("its token has no line in https_users") : new Login(user, "");
    }

    private @Nullable User byPassword(String base64) {
        try {
            String[] pair = new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8).split(":", 2);
            return pair.length == 2 ? users.byToken(pair[0], pair[1]) : null;
        } catch (IllegalArgumentException e) {
            return null; // no Base64, so no name and password
        }
    }

    /** Returns the most specific common name of the subject; empty if the subject has none. */
    private static String commonName(X509Certificate certificate) {
        try {
            LdapName subject =
                    new LdapName(certificate.getSubjectX500Principal().getName());
            for (int i = subject.size() - 1; i >= 0; i--) {
                Rdn part = subject.getRdn(i);
                if (part.getType().equalsIgnoreCase(COMMON_NAME)) {
                    return part.getValue().toString();
                }
            }
        } catch (InvalidNameException e) {
            return "";
        }
        return "";
    }

    private static String printable(String name) {
        String shown = name.length() > 64 ? name.substring(0, 64) : name;
        return '"' + shown.replaceAll("[^ -~]", "?") + '"';
    }
}
