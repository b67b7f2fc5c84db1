package io.torussm.daemon.http;

import io.torussm.daemon.access.Role;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Something that can be asked for over HTTPS.
 *
 * @param method of HTTP: POST, PUT or DELETE
 * @param path exact, but for parts {@code {name}} that stand for something
 * @param role that it takes
 * @param meaning one sentence, without a full stop
 * @param body a record that the body is read as; {@link Nothing} if there is to be none
 * @param work does it; may take a while, but waits for nothing
 */
public record Operation<B>(String method, String path, Role role, String meaning, Class<B> body, Work<B> work) {
    private static final Pattern PART = Pattern.compile("\\{(\\w+)}");

    /** What may stand in such a part; no more of it than a list of GUIDs has in a request line. */
    private static final String ANY = "([A-Za-z0-9.:,_-]{1,1900})";

    /** No body. */
    public record Nothing() {
        public static final Nothing NOTHING = new Nothing();
    }

    /**
     * What came of it.
     *
     * @param done in words
     */
    public record Done(String done) {}

    /** Does what is asked for. Owner thread: {@code https-change}. */
    public interface Work<B> {
        /**
         * Begins it.
         *
         * @param user who asks
         * @param parts what the parts of the path are that stand for something
         * @return the answer once it is done
         * @throws IllegalArgumentException if what is asked for makes no sense; with a sentence
         */
        CompletionStage<Reply> begin(String user, List<String> parts, B body);
    }

    /** The names of the parts of the path that stand for something. */
    public List<String> parts() {
        return PART.matcher(path).results().map(part -> part.group(1)).toList();
    }

    /** What an address has in these parts; null if it is another address. Nothing in it is decoded. */
    @Nullable
    public List<String> match(String address) {
        Matcher matcher = Pattern.compile(PART.matcher(path).replaceAll(ANY)).matcher(address);
        return matcher.matches()
                ? IntStream.rangeClosed(1, matcher.groupCount())
                        .mapToObj(matcher::group)
                        .toList()
                : null;
    }

    /** What is asked for, for the log. */
    public String action(List<String> parts) {
        String shown = path;
        for (String part : parts) {
            shown = shown.replaceFirst("\\{\\w+}", part);
        }
        return method + " " + shown;
    }
}
