package io.torussm.daemon.house;

import io.torussm.daemon.house.Measurement.Measure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Habits of names, comments and calls in main code that make a reader look at a place twice, by module, and seeds of
 * tests that are not mixed.
 */
final class Habits {
    private static final Map<Measure, Pattern> PATTERNS = Map.of(
            Measure.VAGUE_VARIABLES,
            Pattern.compile("(?<![.\\w(] )\\b[A-Za-z][\\w.<>\\[\\], ?@]*[\\w>\\]] (?<!return |new |throw |case |else )"
                    + "(?:what|why|how|who|whom|which|most|said|given|wrong|named|inForce|turned|assumed|goesOn|told)"
                    + "(?= [=:]|[,;)])"),
            Measure.DOC_FRAGMENTS,
            Pattern.compile(
                    "\\* Returns the same\\b|@param \\w+ (?:its|after|attached|the same|more|less|as given|that the"
                            + "|which|must|at most|at least|called|between|from|of)\\b"
                            + "|/\\*\\* Checks (?:the|its|that)\\b|; else (?:0|none|as|no)\\b"),
            Measure.MIXED_CONDITIONS,
            Pattern.compile("\\|\\| [^()|&\\n]*&& |&& [^()|&\\n]*\\|\\| "),
            Measure.PAIRED_LITERALS,
            Pattern.compile("\\b(?:true|false|null), (?:true|false|null)\\b"),
            Measure.FALSE_PREDICATES,
            Pattern.compile("(?m)^\\s+(?:(?:private|public|protected|static|final|default|synchronized|abstract) )*"
                    + "(?!boolean |return |new |throw |else )[\\w.]+(?:<[^=\\n]*>)? (?:is|has)[A-Z]\\w*\\("));

    private static final Pattern UNMIXED =
            Pattern.compile("\\bnew Random\\((?!\\))|\\bunmixed\\(|Seeds::(?:unmixed)\\b");

    private Habits() {}

    /** Measures the Java files of main code by module, and the seeds of each test class. */
    static List<Measurement> measure(List<SourceFile> files) {
        Map<String, List<SourceFile>> modules = files.stream()
                .filter(file -> !file.isTest())
                .collect(Collectors.groupingBy(SourceFile::module, TreeMap::new, Collectors.toList()));
        List<Measurement> measured = new ArrayList<>();
        PATTERNS.forEach((measure, pattern) -> modules.forEach((module, members) -> measured.add(new Measurement(
                measure,
                module,
                members.stream()
                        .mapToInt(file ->
                                (int) pattern.matcher(file.text()).results().count())
                        .sum()))));
        files.stream()
                .filter(SourceFile::isTest)
                .map(file -> new Measurement(Measure.UNMIXED_SEEDS, file.typeName(), (int)
                        UNMIXED.matcher(file.text()).results().count()))
                .forEach(measured::add);
        return measured;
    }
}
