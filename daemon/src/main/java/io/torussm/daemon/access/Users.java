package io.torussm.daemon.access;

import io.torussm.conf.ConfLines;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The users of a file. A line {@code ROLE NAME SHA256} is a user with a token; the last word is the digest of the
 * token. A line {@code ROLE NAME certificate} is a user with a client certificate whose common name is NAME. Immutable.
 */
public final class Users {
    /** Maximum number of users in a file. */
    private static final int MAX_USERS = 1000;

    private static final int TOKEN_BYTES = 32;
    private static final String NAME = "[A-Za-z0-9._@-]{1,64}";
    private static final String DIGEST = "[0-9a-f]{64}";
    private static final String CERTIFICATE = "certificate";
    private static final String LINE_FORMS = "wanted: ROLE NAME SHA256 or ROLE NAME certificate";

    private final List<Token> tokens;
    private final Map<String, User> byCommonName;

    /** The digest of a token, and its user. */
    private record Token(User user, byte[] digest) {}

    private Users(List<Token> tokens, Map<String, User> byCommonName) {
        this.tokens = List.copyOf(tokens);
        this.byCommonName = Map.copyOf(byCommonName);
    }

    /**
     * Reads a file.
     *
     * @param setting name of the setting, for messages
     * @throws UnusableFileException with file and line of each error; also if the file has no user
     */
    static Users read(String setting, Path file) throws UnusableFileException {
        return parse(file.toString(), AccessFile.read(setting, file, AccessFile.Openness.PRIVATE));
    }

    static Users parse(String file, String text) throws UnusableFileException {
        Parser parser = new Parser(file);
        parser.lines.read(text, "list of users", "a line is for one user", parser::parseLine);
        if (parser.lines.isClean() && parser.size() == 0) {
            parser.lines.error(0, "the file names no user; torus-sm new-token ROLE NAME makes a line");
        }
        if (!parser.lines.isClean()) {
            throw new UnusableFileException(
                    parser.lines.findings().stream().map(Finding::text).toList());
        }
        return new Users(parser.tokens, parser.byCommonName);
    }

    private static final class Parser {
        private final ConfLines lines;
        private final List<Token> tokens = new ArrayList<>();
        private final Map<String, User> byCommonName = new HashMap<>();
        private final Set<String> digests = new HashSet<>();

        Parser(String file) {
            lines = new ConfLines(file, SmEvent.CONFIGURATION_ERROR, SmEvent.CONFIGURATION_WARNING);
        }

        int size() {
            return tokens.size() + byCommonName.size();
        }

        void parseLine(String line) {
            String shown = ConfLines.withoutComment(line);
            if (shown.isEmpty()) {
                return;
            }
            String[] words = shown.split("\\s+", -1);
            Optional<Role> role = Role.of(words[0]);
            if (words.length != 3) {
                lines.error(LINE_FORMS);
            } else if (role.isEmpty()) {
                lines.error("the first word is no role; roles are " + Role.NAMES);
            } else if (!words[1].matches(NAME)) {
                lines.error("a name has 1 to 64 letters, digits, dots, hyphens, underscores and at signs");
            } else if (size() == MAX_USERS) {
                lines.error("no more than " + MAX_USERS + " users");
            } else {
                add(new User(words[1], role.get()), words[2]);
            }
        }

        /**
         * Adds the user of a line. The last word may by mistake be a token instead of its digest, so error messages do
         * not repeat it.
         */
        private void add(User user, String proof) {
            if (proof.equals(CERTIFICATE)) {
                if (byCommonName.put(user.name(), user) != null) {
                    lines.error("this common name has a line already");
                }
            } else if (!proof.matches(DIGEST)) {
                lines.error("the last word is no SHA-256 digest of 64 lower case hexadecimal digits; " + LINE_FORMS);
            } else if (!digests.add(proof)) {
                lines.error("this token has a line already");
            } else {
                tokens.add(new Token(user, HexFormat.of().parseHex(proof)));
            }
        }
    }

    /** Returns the number of users. */
    public int size() {
        return tokens.size() + byCommonName.size();
    }

    /** Checks whether any user authenticates by a certificate. */
    boolean needsCertificates() {
        return !byCommonName.isEmpty();
    }

    /**
     * Returns the user with a token. The duration does not depend on the user, so it reveals nothing.
     *
     * @param name required name of the user; null for any user
     * @return null if no such user has the token
     */
    @Nullable
    User byToken(@Nullable String name, String token) {
        byte[] digest = digest(token);
        User match = null;
        for (Token each : tokens) {
            boolean isSame = MessageDigest.isEqual(each.digest(), digest);
            if (isSame && (name == null || name.equals(each.user().name()))) {
                match = each.user();
            }
        }
        return match;
    }

    /** Returns the user of a certificate with a common name; null if no user has it. */
    @Nullable
    User byCommonName(String commonName) {
        return byCommonName.get(commonName);
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Returns a new token. */
    public static String newToken(SecureRandom random) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * Returns the line of a file for a token.
     *
     * @throws IllegalArgumentException if the role or the name is invalid
     */
    public static String tokenLine(String role, String name, String token) {
        if (Role.of(role).isEmpty() || !name.matches(NAME)) {
            throw new IllegalArgumentException("roles are " + Role.NAMES
                    + "; a name has 1 to 64 letters, digits, dots, hyphens, underscores and at signs");
        }
        return role + " " + name + " " + HexFormat.of().formatHex(digest(token));
    }

    /** Returns a text without digests. */
    @Override
    public String toString() {
        return size() + " users";
    }
}
