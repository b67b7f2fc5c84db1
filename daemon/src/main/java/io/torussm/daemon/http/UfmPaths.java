package io.torussm.daemon.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The addresses of UFM: its three roots, one for each way to log in, lead to the same here, and a slash at the end is none. */
final class UfmPaths {
    static final String ROOT = "/ufmRest/";

    private static final Pattern ADDRESS = Pattern.compile("/ufmRest(?:V[23])?/(.*?)/?");

    private UfmPaths() {}

    /** The address under {@value #ROOT}; another one as it is. */
    static String usual(String path) {
        Matcher matcher = ADDRESS.matcher(path);
        return matcher.matches() ? ROOT + matcher.group(1) : path;
    }
}
