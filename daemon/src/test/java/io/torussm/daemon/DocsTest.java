package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All names in the documentation exist: types, packages, settings, commands, options, files, and the targets
 * of links.
 */
class DocsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path OPERATOR = ROOT.resolve("docs/operator");
    private static final Path DEVELOPER = ROOT.resolve("docs/developer");
    private static final String SNAKE = "[a-z][a-z0-9]*(_[a-z0-9]+)+";
    private static final String LOWER = "[a-z][a-z0-9]*(_[a-z0-9]+)*";

    private static final String PAGE = "docs/(?:operator|developer)/[\\w/-]+\\.md|docs/[a-z][\\w-]*\\.md";
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern SPAN = Pattern.compile("`([^`\n]+)`");
    private static final Pattern TYPE_NAME =
            Pattern.compile("[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*(?:[.#][\\w.]+(?:\\(.*\\))?)?");
    private static final Pattern FILE =
            Pattern.compile("(?:docs|packaging|daemon|qos|[a-z0-9]+-[a-z0-9]+)/[\\w./-]*[\\w/]");
    private static final Pattern SETTING_LINE = Pattern.compile("([a-z][a-z0-9_]*) = .*");
    private static final Pattern SMCTL =
            Pattern.compile("torus-smctl(?: --(?:socket|tcp) \\S+| --json)* ([a-z][a-z-]*)(?![a-z-]*[.(])");
    private static final Pattern DAEMON = Pattern.compile("(?:^\\s*|[$#] |[(]|bin/)torus-sm (?!is )(.*)");
    private static final Pattern RUN_TEST = Pattern.compile("-Dtest='?([\\w,]+)");

    private static DocsVocabulary vocabulary;

    @TempDir
    Path dir;

    @BeforeAll
    static void readSources() throws IOException {
        vocabulary = DocsVocabulary.read(ROOT);
    }

    @Test
    void namesOnlyWhatThereIs() throws IOException {
        List<String> problems = new ArrayList<>();
        for (Path page : pages()) {
            problems.addAll(problems(page));
        }
        assertThat(problems).isEmpty();
    }

    /** Each kind of stale name, on a page of its own: the check above can fail. */
    @Test
    void findsStaleEntries() throws IOException {
        Path page = dir.resolve("page.md");
        Files.writeString(page, """
                # A heading
                `Sweeper` and `NoSuchSweeper`; `Sweeper.noSuchMethod`; `io.torussm.sweep`, `io.torussm.nosuch`;
                `sweep_interval = 10`, `no_such_setting`, `nosuch = 1`, `nosuch`; `torus-smctl status`, `torus-smctl nosuch`;
                `torus-sm plan torus:4x4x4`, `torus-sm nosuch`, `torus-sm --check-config --no-such`;
                `packaging/test.sh`, `packaging/nosuch.sh`; [a](#a-heading), [b](#b-heading), [c](nosuch.md)

                    torus-sm --once --nosuch x
                    no_such = 1
                    mvn test -Dtest=NoSuchTest
                """);
        assertThat(problems(page))
                .containsExactlyInAnyOrder(
                        "page.md: `NoSuchSweeper`",
                        "page.md: `Sweeper.noSuchMethod`",
                        "page.md: `io.torussm.nosuch`",
                        "page.md: `no_such_setting`",
                        "page.md: `nosuch = 1`",
                        "page.md: `nosuch`",
                        "page.md: torus-smctl nosuch",
                        "page.md: torus-sm nosuch",
                        "page.md: torus-sm --no-such",
                        "page.md: torus-sm --nosuch",
                        "page.md: `packaging/nosuch.sh`",
                        "page.md: [](#b-heading)",
                        "page.md: [](nosuch.md)",
                        "page.md: no_such = 1",
                        "page.md: -Dtest=NoSuchTest");
    }

    @Test
    void operatorsPagesLinkOnlyToEachOther() throws IOException {
        List<String> leavings = new ArrayList<>();
        DocsVocabulary.eachFile(OPERATOR, ".md", (page, text) -> links(text).stream()
                .filter(link -> link.startsWith("..") || link.contains("/../"))
                .forEach(link -> leavings.add(page.getFileName() + ": " + link)));
        assertThat(leavings).as("the Debian package has docs/operator only").isEmpty();
    }

    @Test
    void theIndexHasEveryPage() throws IOException {
        Path index = ROOT.resolve("docs/README.md");
        TreeSet<Path> listed = links(DocsVocabulary.text(index)).stream()
                .map(link -> index.resolveSibling(link).normalize())
                .collect(Collectors.toCollection(TreeSet::new));
        TreeSet<Path> there = new TreeSet<>(pages());
        there.removeIf(page -> page.endsWith("README.md"));
        assertThat(listed).containsAll(there);
    }

    @Test
    void architectureNamesEveryPackage() {
        String page = DocsVocabulary.text(ROOT.resolve("docs/developer/architecture.md"));
        TreeSet<String> named = new TreeSet<>();
        Pattern.compile("(?m)^\\|[^|]*\\|([^|]*)\\|[^|]*\\|$")
                .matcher(section(page, "Modules"))
                .results()
                .forEach(row -> named.addAll(DocsVocabulary.all("`([a-z0-9.]+)`", row.group(1))));
        assertThat(named)
                .containsExactlyInAnyOrderElementsOf(vocabulary.packages().stream()
                        .map(name -> name.replaceFirst("io\\.torussm\\.", ""))
                        .toList());
    }

    @Test
    void operatingHasEveryCommandOfTheConsole() {
        String page = section(DocsVocabulary.text(OPERATOR.resolve("operating.md")), "Console");
        assertThat(DocsVocabulary.all("(?m)^- `([a-z][a-z-]*)", page + page.replace("`, `", "`\n- `")))
                .containsExactlyElementsOf(vocabulary.commands());
    }

    @Test
    void sourcesNamePagesThatExist() throws IOException {
        List<String> problems = new ArrayList<>();
        List<Path> roots = new ArrayList<>(List.of(ROOT.resolve("packaging"), ROOT.resolve("pom.xml")));
        for (String module : List.of("mad-transport", "sm-core", "routing-torus2qos", "qos", "daemon")) {
            roots.add(ROOT.resolve(module).resolve("src"));
            roots.add(ROOT.resolve(module).resolve("pom.xml"));
        }
        for (Path root : roots) {
            DocsVocabulary.eachFile(root, "", (file, text) -> DocsVocabulary.all(PAGE, text).stream()
                    .filter(name -> !Files.exists(ROOT.resolve(name)))
                    .forEach(name -> problems.add(ROOT.relativize(file) + ": " + name)));
        }
        DocsVocabulary.all("[\\w-]+\\.md", DocsVocabulary.text(OPERATOR.resolve("options.md"))).stream()
                .filter(name -> !Files.exists(OPERATOR.resolve(name)))
                .forEach(name -> problems.add("options.md: " + name));
        assertThat(problems).isEmpty();
    }

    /** Returns the text between a heading of the second level and the next one. */
    private static String section(String page, String heading) {
        return page.split("(?m)^## " + heading + "$", 2)[1].split("\n## ", 2)[0];
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(files, Stream.of(ROOT.resolve("README.md")))
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    /** Returns all names on a page of things that do not exist. */
    private static List<String> problems(Path page) {
        List<String> problems = new ArrayList<>();
        String text = DocsVocabulary.text(page);
        links(text).stream()
                .filter(link -> !isResolvable(page, link))
                .forEach(link -> problems.add("[](" + link + ")"));
        boolean isBlock = false;
        boolean wasBlank = true;
        for (String line : text.lines().toList()) {
            isBlock = line.startsWith("    ") && (isBlock || wasBlank);
            wasBlank = line.isBlank() || isBlock && wasBlank;
            if (isBlock) {
                checkCommands(line, problems);
                checkBlock(line.strip(), problems);
            } else {
                SPAN.matcher(line).results().forEach(span -> {
                    checkSpan(span.group(1), !page.startsWith(DEVELOPER), problems);
                    checkCommands(span.group(1), problems);
                });
            }
        }
        return problems.stream()
                .map(problem -> page.getFileName() + ": " + problem)
                .toList();
    }

    private static List<String> links(String text) {
        return LINK.matcher(text)
                .results()
                .map(link -> link.group(1))
                .filter(link -> !link.contains("://"))
                .toList();
    }

    private static boolean isResolvable(Path page, String link) {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
        return Files.exists(target) && (parts.length == 1 || headings(target).contains(parts[1]));
    }

    /** Returns the anchors that GitHub makes of headings. */
    private static List<String> headings(Path page) {
        return DocsVocabulary.text(page)
                .lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT))
                .map(line -> line.replaceAll("[^\\w -]", "").replace(' ', '-'))
                .toList();
    }

    private static void checkSpan(String span, boolean isForOperators, List<String> problems) {
        Matcher setting = SETTING_LINE.matcher(span);
        boolean isThere;
        if (span.startsWith("io.torussm.")) {
            isThere = vocabulary.isQualified(span);
        } else if (TYPE_NAME.matcher(span).matches()) {
            isThere = vocabulary.isType(span.replaceFirst("\\(.*", ""));
        } else if (setting.matches()) {
            isThere = vocabulary.isWord(setting.group(1));
        } else if (FILE.matcher(span).matches()) {
            isThere = Files.exists(ROOT.resolve(span))
                    || Files.exists(ROOT.resolve("daemon/target").resolve(span));
        } else {
            isThere = !span.matches(isForOperators ? LOWER : SNAKE) || vocabulary.isWord(span);
        }
        if (!isThere) {
            problems.add("`" + span + "`");
        }
    }

    private static void checkBlock(String line, List<String> problems) {
        Matcher setting = SETTING_LINE.matcher(line);
        if (setting.matches() && !vocabulary.isSetting(setting.group(1))) {
            problems.add(line);
        }
    }

    private static void checkCommands(String text, List<String> problems) {
        SMCTL.matcher(text)
                .results()
                .filter(command -> !vocabulary.isCommand(command.group(1)))
                .forEach(command -> problems.add("torus-smctl " + command.group(1)));
        Matcher daemon = DAEMON.matcher(text);
        if (daemon.find()) {
            String[] words = daemon.group(1).replaceAll("\\s[>#|].*", "").split("\\s+", -1);
            for (int i = 0; i < words.length; i++) {
                boolean isNamed = words[i].matches("--?[A-Za-z].*") || i == 0 && words[i].matches("[a-z][a-z-]+");
                if (isNamed && !vocabulary.isInManual(words[i].replaceFirst("[=,.\"].*", ""))) {
                    problems.add("torus-sm " + words[i]);
                }
            }
        }
        RUN_TEST.matcher(text)
                .results()
                .flatMap(tests -> Stream.of(tests.group(1).split(",", -1)))
                .filter(test -> !vocabulary.isType(test))
                .forEach(test -> problems.add("-Dtest=" + test));
    }
}
