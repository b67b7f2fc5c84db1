package io.torussm.daemon.http;

import io.torussm.daemon.access.Role;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A change that a client may request over HTTPS.
 *
 * @param method HTTP method: POST, PUT or DELETE
 * @param path path of the address, with variable parts {@code {name}}
 * @param role role that the user must have
 * @param meaning description in one sentence, without a full stop
 * @param body record type of the body; {@link Nothing} for an empty body
 * @param work function that starts the change, and does not wait for its end
 */
public record Operation<B>(String method, String path, Role role, String meaning, Class<B> body, Work<B> work) {
    private static final Pattern PART = Pattern.compile("\\{(\\w+)}");

    /** The pattern of a variable part. Its length permits a list of GUIDs, and fits a request line. */
    private static final String ANY = "([A-Za-z0-9.:,_-]{1,1900})";

    /** The type of an empty body. */
    public record Nothing() {
        public static final Nothing NOTHING = new Nothing();
    }

    /**
     * The outcome of an operation.
     *
     * @param done result in words
     */
    public record Done(String done) {}

    /** The function of an operation. Owner thread: {@code https-change}. */
    public interface Work<B> {
        /**
         * Starts the operation.
         *
         * @param user name of the user
         * @param parts values of the variable parts of the path
         * @return the reply at the end of the operation
         * @throws IllegalArgumentException if the request is invalid; the message is one sentence
         */
        CompletionStage<Reply> begin(String user, List<String> parts, B body);
    }

    /** Returns the names of the variable parts of the path. */
    public List<String> parts() {
        return PART.matcher(path).results().map(part -> part.group(1)).toList();
    }

    /** Returns the values of the variable parts in an address, without decoding; null if the address does not match. */
    @Nullable
    public List<String> match(String address) {
        Matcher matcher = Pattern.compile(PART.matcher(path).replaceAll(ANY)).matcher(address);
        return matcher.matches()
                ? IntStream.rangeClosed(1, matcher.groupCount())
                        .mapToObj(matcher::group)
                        .toList()
                : null;
    }

    /** Returns a description of the request for the log. */
    public String action(List<String> parts) {
        String shown = path;
        for (String part : parts) {
            shown = shown.replaceFirst("\\{\\w+}", part);
        }
        return method + " " + shown;
    }
}
