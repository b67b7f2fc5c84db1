package io.torussm.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import java.util.List;
import java.util.Random;

/** Random mutations of files. */
final class FileMutations {
    private static final String NOISE = "\"#=/(),xX09aF \t\r\n\0\u001b\u202eü\ud83d";

    private FileMutations() {}

    /** Returns the text with up to four characters, or parts, changed. */
    static String of(String whole, Random random) {
        StringBuilder text = new StringBuilder(whole);
        for (int change = random.nextInt(4); change >= 0 && text.length() > 0; change--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(5)) {
                case 0 -> text.setLength(at);
                case 1 -> text.deleteCharAt(at);
                case 2 -> text.insert(at, NOISE.charAt(random.nextInt(NOISE.length())));
                case 3 -> text.insert(at, "9".repeat(random.nextInt(300)));
                default -> text.insert(at, text.substring(0, at));
            }
        }
        return text.toString();
    }

    /**
     * Checks that each finding names an existing line and its remedy, and that there is an error if and only if the
     * file has no result.
     */
    static void checkFindings(String text, List<Finding> findings, boolean isRefused) {
        long lines = text.chars().filter(c -> c == '\n').count() + 1;
        for (Finding finding : findings) {
            assertThat(finding.text()).matches("map:[0-9]+: [ -~]+");
            assertThat(finding.text()).containsAnyOf("; ");
            assertThat(Long.parseLong(finding.text().split(":", 3)[1])).isBetween(1L, lines);
        }
        assertThat(findings.stream().anyMatch(each -> each.severity() == Finding.Severity.ERROR))
                .isEqualTo(isRefused);
    }
}
