package io.torussm.daemon.http.ufm;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The addresses of UFM. Its three roots, one for each form of login, are equivalent here. A slash at the end is
 * ignored.
 */
public final class UfmPaths {
    public static final String ROOT = "/ufmRest/";

    private static final Pattern ADDRESS = Pattern.compile("/ufmRest(?:V[23])?/(.*?)/?");

    private UfmPaths() {}

    /** Returns the equivalent address under {@value #ROOT}; an address of another kind unchanged. */
    public static String canonical(String path) {
        Matcher matcher = ADDRESS.matcher(path);
        return matcher.matches() ? ROOT + matcher.group(1) : path;
    }
}
