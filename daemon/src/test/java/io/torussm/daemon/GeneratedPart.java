package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A part of a file that is made from the program: between two lines that end in "BEGIN generated" and "END generated".
 */
public final class GeneratedPart {
    private static final String BEGIN = "BEGIN generated";
    private static final String END = "END generated";
    private static final String AGAIN = "mvn -o -q -pl daemon -am test -Dtest=ManualTest,EventCatalogueTest"
            + " -Dregenerate=true -Dsurefire.failIfNoSpecifiedTests=false";

    private GeneratedPart() {}

    /**
     * Fails unless the part is as it should be; with {@code -Dregenerate=true} writes it.
     *
     * @param file from the module's directory
     * @param wanted lines, each ended
     */
    public static void check(String file, String wanted) throws IOException {
        Path path = Path.of(file);
        String text = Files.readString(path);
        int begin = text.indexOf('\n', text.indexOf(BEGIN)) + 1;
        int end = text.lastIndexOf('\n', text.indexOf(END)) + 1;
        assertThat(begin).as("%s has its marks", file).isPositive().isLessThanOrEqualTo(end);
        if (Boolean.getBoolean("regenerate")) {
            Files.writeString(path, text.substring(0, begin) + wanted + text.substring(end));
        } else {
            assertThat(text.substring(begin, end))
                    .as("%s is not what the program says; make it anew: %s", file, AGAIN)
                    .isEqualTo(wanted);
        }
    }

    /** Escapes a text for troff, so that nothing in it is a request or an escape. */
    public static String troff(String text) {
        String escaped = text.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }
}
