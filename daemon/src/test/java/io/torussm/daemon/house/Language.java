package io.torussm.daemon.house;

import io.torussm.daemon.house.Measurement.Measure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Widths and phrases of comments, strings, pages and names of tests. */
final class Language {
    private static final int COMMENT_COLUMNS = 120;
    private static final int PAGE_COLUMNS = 110;
    private static final int CELL_CHARACTERS = 160;

    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
    private static final Pattern STRING = Pattern.compile("\"\"\".*?\"\"\"|\"(?:[^\"\\\\\n]|\\\\.)*\"", Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("[A-Za-z][A-Za-z'-]*");
    private static final Pattern DIALECT = Pattern.compile(
            "\\b(?:what|whoever|whatever|those (?:that|who|of)|all that|who(?:ever)?)\\s+(?:is|are|was|were|has|have|had|does|do"
                    + "|comes?|came|becomes?|became|stands?|rules?|asks?|answers?|sends?|waits?|it|they|an?|the|this|that"
                    + "|nobody|somebody|operators?|switches|devices?|hosts?|ports?)\\b"
                    + "|\\b(?:nobody|somebody|anybody|everybody)\\b"
                    + "|\\b(?:told of|is told|are told|was told|be told|is said|are said|said of|says of|hears? of|heard of"
                    + "|asks? of|asked of|tells? of)\\b",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern PRONOUN = Pattern.compile(
            "/\\*\\*\\s*(?:\\*\\s*)?(?:What|Whether|Those|Who|Whoever|That|Nobody)\\b.*", Pattern.DOTALL);
    private static final Pattern TEST = Pattern.compile(
            "@(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\\b[^{;]*?\\b(?:what|who|those|nobody)[A-Z]\\w*\\(");

    private Language() {}

    /** Measures the Java files by module. */
    static List<Measurement> ofSources(List<SourceFile> files) {
        List<Measurement> measured = new ArrayList<>();
        Map<String, List<SourceFile>> modules =
                files.stream().collect(Collectors.groupingBy(SourceFile::module, TreeMap::new, Collectors.toList()));
        modules.forEach((module, members) -> {
            List<String> comments = members.stream()
                    .flatMap(file -> matches(COMMENT, blankStrings(file.text())))
                    .toList();
            List<String> javadocs = comments.stream()
                    .filter(comment -> comment.startsWith("/**"))
                    .toList();
            int pronouns = (int) javadocs.stream()
                    .filter(comment -> PRONOUN.matcher(comment).matches())
                    .count();
            measured.add(new Measurement(Measure.WIDE_COMMENTS, module, wideComments(members)));
            measured.add(new Measurement(Measure.DIALECT_RATE, module + " comments", rate(comments)));
            measured.add(new Measurement(
                    Measure.JAVADOC_PRONOUNS, module, 10_000 * pronouns / Math.max(1, javadocs.size())));
            measured.add(new Measurement(
                    Measure.DIALECT_RATE,
                    module + " strings",
                    rate(members.stream()
                            .filter(file -> !file.isTest())
                            .flatMap(file -> matches(STRING, blankComments(file.text())))
                            .toList())));
            measured.add(new Measurement(Measure.TEST_PRONOUNS, module, (int)
                    members.stream().flatMap(file -> matches(TEST, file.text())).count()));
        });
        return measured;
    }

    /** Measures the pages by directory. */
    static List<Measurement> ofPages(Path root) throws IOException {
        List<Measurement> measured = new ArrayList<>();
        for (String directory : List.of("docs/operator", "docs/developer", "docs/developer/adr")) {
            List<String> pages = new ArrayList<>();
            try (Stream<Path> files = Files.list(root.resolve(directory))) {
                for (Path page : files.filter(file -> file.toString().endsWith(".md"))
                        .sorted()
                        .toList()) {
                    pages.add(Files.readString(page));
                }
            }
            measured.add(new Measurement(Measure.DIALECT_RATE, directory, rate(pages)));
            measured.add(new Measurement(Measure.WIDE_PAGES, directory, (int) pages.stream()
                    .flatMap(String::lines)
                    .filter(line -> line.length() > PAGE_COLUMNS && !line.startsWith("|") && !line.startsWith("    "))
                    .count()));
            measured.add(new Measurement(Measure.LONG_CELLS, directory, (int) pages.stream()
                    .flatMap(String::lines)
                    .filter(line -> line.startsWith("|"))
                    .flatMap(line -> Stream.of(line.split("(?<!\\\\)\\|")))
                    .filter(cell -> cell.strip().length() > CELL_CHARACTERS)
                    .count()));
        }
        return measured;
    }

    private static int wideComments(List<SourceFile> files) {
        return (int) files.stream()
                .flatMap(file -> file.text().lines())
                .filter(line -> line.length() > COMMENT_COLUMNS && line.strip().matches("(?s)(/\\*|\\*|//).*"))
                .count();
    }

    /** Returns phrases of the word list for each 100,000 words. */
    static int rate(List<String> texts) {
        long words = texts.stream().flatMap(text -> matches(WORD, text)).count();
        long phrases = texts.stream()
                .flatMap(text -> matches(DIALECT, text.replaceAll("\n\\s*\\*?\\s*", " ")))
                .count();
        return (int) (phrases * 100_000 / Math.max(1, words));
    }

    private static Stream<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(MatchResult::group);
    }

    private static String blankStrings(String text) {
        return text.replaceAll("\"(?:[^\"\\\\\n]|\\\\.)*\"", "\"\"");
    }

    private static String blankComments(String text) {
        return COMMENT.matcher(text).replaceAll("");
    }
}
