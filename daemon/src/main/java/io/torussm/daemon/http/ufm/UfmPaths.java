package io.torussm.daemon.http.ufm;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The addresses of UFM: its three roots, one for each way to log in, lead to the same here, and a slash at the end is
 * none.
 */
public final class UfmPaths {
    public static final String ROOT = "/ufmRest/";

    private static final Pattern ADDRESS = Pattern.compile("/ufmRest(?:V[23])?/(.*?)/?");

    private UfmPaths() {}

    /** Returns the address under {@value #ROOT}; another one as it is. */
    public static String usual(String path) {
        Matcher matcher = ADDRESS.matcher(path);
        return matcher.matches() ? ROOT + matcher.group(1) : path;
    }
}
