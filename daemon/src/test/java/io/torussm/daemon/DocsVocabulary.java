package io.torussm.daemon;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The names that a page of the documentation may use: types of the source tree with their members, settings, commands,
 * options. Read from the sources, and from generated files that {@link ManualTest} keeps equal to the program.
 */
final class DocsVocabulary {
    /** Words of systemd, ibsim and the JDK that look like types. */
    private static final Set<String> FOREIGN_TYPES = Set.of(
            "ConditionPathExists",
            "IvParameterSpec",
            "MemoryMax",
            "NotifyAccess",
            "ReLink",
            "ReadWritePaths",
            "Relink",
            "RestrictAddressFamilies",
            "Unlink",
            "WatchdogSec");

    /** Words of systemd, logrotate and the tools of others. */
    private static final Set<String> FOREIGN_WORDS = Set.of(
            "ibnetdiscover",
            "ibstat",
            "lspci",
            "noexec",
            "perfquery",
            "postrotate",
            "q",
            "rdma",
            "saquery",
            "sminfo",
            "socat");

    /** Longer texts are sentences, whose words say nothing. */
    private static final int LONGEST_NAME = 40;

    private static final Pattern TYPE = Pattern.compile("(?m)^\\s*(?:(?:public|private|protected|static|final|abstract"
            + "|sealed|non-sealed) )*(?:class|record|interface|enum|@interface) (\\w+)");
    private static final String PACKAGE = "(?m)^package ([\\w.]+);";
    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final Pattern LITERAL = Pattern.compile("\"([^\"\\n]*)\"");
    private static final String LOWER = "[a-z][a-z0-9]*(?:_[a-z0-9]+)*";
    private static final String CONSTANT = "\\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*\\b";

    private final Map<String, Set<String>> membersByType = new TreeMap<>();
    private final Set<String> packages = new TreeSet<>();
    private final Set<String> mainPackages = new TreeSet<>();
    private final Set<String> words = new TreeSet<>(FOREIGN_WORDS);
    private final Set<String> settings;
    private final Set<String> commands;
    private final Set<String> manual;

    private DocsVocabulary(Set<String> settings, Set<String> commands, Set<String> manual) {
        this.settings = settings;
        this.commands = commands;
        this.manual = manual;
    }

    /**
     * Reads a source tree.
     *
     * @param root the directory of the parent pom
     */
    static DocsVocabulary read(Path root) throws IOException {
        DocsVocabulary vocabulary = new DocsVocabulary(
                all("`([a-z0-9_]+) = ", text(root.resolve("docs/operator/options.md"))),
                all(
                        "[a-z]+(?:-[a-z]+)*",
                        text(root.resolve("packaging/completion/torus-smctl")).replaceAll("(?s).*='|'\\n.*", "")),
                all(
                        "(?<![\\w-])--?[A-Za-z][\\w-]*|(?<=torus-sm )[a-z-]+",
                        man(root, "torus-sm.8") + man(root, "torus-smctl.8")));
        vocabulary.words.addAll(
                all("(?m)^([a-z][a-z0-9_]+)", text(root.resolve("daemon/src/main/resources/opensm-options.txt"))));
        try (Stream<Path> modules = Files.list(root)) {
            for (Path module :
                    modules.filter(dir -> Files.exists(dir.resolve("pom.xml"))).toList()) {
                eachFile(module.resolve("src"), ".java", vocabulary::learn);
            }
        }
        return vocabulary;
    }

    private void learn(Path file, String source) {
        Set<String> words =
                WORD.matcher(source).results().map(word -> word.group()).collect(Collectors.toSet());
        TYPE.matcher(source).results().forEach(type -> membersByType
                .computeIfAbsent(type.group(1), name -> new TreeSet<>())
                .addAll(words));
        packages.addAll(all(PACKAGE, source));
        if (file.toString().contains("/src/main/")) {
            mainPackages.addAll(all(PACKAGE, source));
            all(CONSTANT, source).forEach(constant -> this.words.add(constant.toLowerCase(Locale.ROOT)));
            LITERAL.matcher(source)
                    .results()
                    .map(literal -> literal.group(1))
                    .forEach(literal -> this.words.addAll(
                            all(literal.length() < LONGEST_NAME ? LOWER : "[a-z0-9]+(?:_[a-z0-9]+)+", literal)));
        }
    }

    /**
     * Checks whether a type is declared, and, if it is followed by a member, has a word of that name in its
     * file.
     */
    boolean isType(String name) {
        String[] parts = name.split("[.#]", 2);
        Set<String> members = membersByType.get(parts[0]);
        boolean isMember = members != null
                && (parts.length == 1
                        || all("\\w+", parts[1].replaceAll("[*(].*", "")).stream()
                                .allMatch(members::contains));
        return isMember || FOREIGN_TYPES.contains(parts[0]);
    }

    /** Checks whether there is a package, or a type or member in one, of that full name. */
    boolean isQualified(String name) {
        Matcher split = Pattern.compile("([a-z0-9.]+)\\.([A-Z].*)").matcher(name);
        return split.matches() ? packages.contains(split.group(1)) && isType(split.group(2)) : packages.contains(name);
    }

    boolean isSetting(String name) {
        return settings.contains(name);
    }

    /**
     * Checks whether a word in lower case is a setting, a command, an option of OpenSM, a constant, or in a
     * string of the program. Names of metrics are left to MetricsTest.
     */
    boolean isWord(String word) {
        return settings.contains(word)
                || commands.contains(word)
                || words.contains(word)
                || word.startsWith("torussm_");
    }

    boolean isCommand(String name) {
        return commands.contains(name);
    }

    /** Checks whether the manual pages have an option, or a subcommand at the beginning of a line. */
    boolean isInManual(String word) {
        return manual.contains(word);
    }

    /** Returns the packages of the program, without those of tests only. */
    Collection<String> packages() {
        return mainPackages;
    }

    Collection<String> commands() {
        return commands;
    }

    /** Returns every match, or its first group if there is one. */
    static Set<String> all(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(found -> found.groupCount() > 0 ? found.group(1) : found.group())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Calls back with every file whose name ends so, below a directory, or with the one file that is given. */
    static void eachFile(Path directory, String suffix, BiConsumer<Path, String> then) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            files.filter(file -> file.toString().endsWith(suffix) && Files.isRegularFile(file))
                    .forEach(file -> then.accept(file, text(file)));
        }
    }

    private static String man(Path root, String page) {
        return text(root.resolve("packaging/man/" + page))
                .replaceAll("\\\\f[BIR]", "")
                .replace("\\-", "-")
                .replaceAll("(?m)^\\.[A-Z]+ ?", "");
    }

    static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
