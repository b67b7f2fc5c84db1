package io.torussm.daemon.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Engines;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.SettingGroup;
import io.torussm.daemon.config.Settings;
import io.torussm.event.SmEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The texts that operators read first contain no phrase that {@code docs/developer/style.md} replaces. */
class OperatorTextsTest {
    private static final Path MAN = Path.of("../packaging/man");
    private static final Path DOCS = Path.of("../docs");
    private static final Path PAGE = Path.of("src/main/resources/io/torussm/daemon/http/web");
    private static final Pattern GENERATED = Pattern.compile("BEGIN generated(.*?)END generated", Pattern.DOTALL);
    private static final Pattern CODE =
            Pattern.compile("^```.*?^```|^    [^\n]*|`(?:[^`\n]|\n(?!\n))*`", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern SCRIPT_COMMENT = Pattern.compile("/\\*.*?\\*/|(?<!:)//[^\n]*", Pattern.DOTALL);
    private static final Pattern SCRIPT_TEXT =
            Pattern.compile("'(?:[^'\\\\\n]|\\\\.)*'|\"(?:[^\"\\\\\n]|\\\\.)*\"|`[^`]*`");

    private static final Pattern JAVA_TEXT = Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"");

    /** Words of a syntax. */
    private static final Set<String> KEPT = Set.of("Traffic [packets-per-second|anew]", "Obey \\\"nodeid\\\"");

    private static final Pattern WORD = Pattern.compile("\\S*\\w\\S*");

    /** Words of a sentence, without code, and letters of the text of an event. */
    private static final int MAX_WORDS = 28;

    private static final int MAX_TEXT = 160;

    private static final Pattern BANNED = Pattern.compile(
            "\\b(?:who|whom|whoever|whatever|nobody|somebody|anybody|everybody"
                    + "|what (?:is|are|was|were|it|they|the|an?|this|that|hosts|ports|devices|switches|comes?|came|becomes?|to)"
                    + "|(?:is|are|was|were|be) told|told of|hears? of|(?:is|are) said|if nothing is said|but for"
                    + "|of (?:its|their) own(?! [A-Za-z])|at once|by itself|by themselves|go(?:es)? on|anew|of before|of now"
                    + "|all the same|in earnest|by lot|obeys?|hangs? on|gives? way)\\b",
            Pattern.CASE_INSENSITIVE);

    @Test
    void eventsAreInPlainWords() {
        assertPlain(Stream.of(SmEvent.values())
                .map(event -> event.code() + ": " + event.template() + " " + event.meaning() + " " + event.remedy()));
    }

    @Test
    void settingsAreInPlainWords() {
        assertPlain(Settings.all().stream().map(setting -> setting.key() + ": " + setting.description()));
        assertPlain(Stream.of(SettingGroup.values()).map(group -> group.title() + ": " + group.description()));
        assertPlain(Stream.of(Setting.Reload.values()).map(Setting.Reload::text));
        assertPlain(Engines.ALL.stream()
                .flatMap(engine -> engine.settings().stream().map(each -> each.key() + ": " + each.meaning())));
    }

    /** ManualTest compares the generated parts with the programs. */
    @Test
    void helpOfOptionsAndCommandsIsInPlainWords() throws IOException {
        for (String page : List.of("torus-sm.8", "torus-smctl.8")) {
            List<String> parts = GENERATED
                    .matcher(Files.readString(MAN.resolve(page)))
                    .results()
                    .map(part -> part.group(1))
                    .toList();
            assertThat(parts).as(page).isNotEmpty();
            assertPlain(parts.stream().flatMap(String::lines));
        }
    }

    @Test
    void thePageIsInPlainWords() throws IOException {
        List<String> texts = new ArrayList<>();
        try (Stream<Path> files = Files.list(PAGE)) {
            for (Path file : files.filter(each -> each.toString().matches(".*\\.(js|html)"))
                    .toList()) {
                String source = Files.readString(file);
                if (file.toString().endsWith(".html")) {
                    texts.addAll(source.lines().toList());
                } else {
                    SCRIPT_TEXT
                            .matcher(SCRIPT_COMMENT.matcher(source).replaceAll(""))
                            .results()
                            .map(MatchResult::group)
                            .forEach(texts::add);
                }
            }
        }
        assertThat(texts).hasSizeGreaterThan(100);
        assertPlain(texts.stream());
    }

    /** Answers, refusals and findings: string literals of the sources with a blank. */
    @Test
    void textsOfTheProgramsAreInPlainWords() throws IOException {
        List<String> texts = new ArrayList<>();
        for (String module : List.of("mad-transport", "sm-core", "routing-torus2qos", "qos", "daemon")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    String source =
                            SCRIPT_COMMENT.matcher(Files.readString(file)).replaceAll("");
                    JAVA_TEXT
                            .matcher(source)
                            .results()
                            .map(found -> found.group(1))
                            .filter(text -> text.strip().contains(" ") && !KEPT.contains(text))
                            .forEach(text -> texts.add(file.getFileName() + ": " + text));
                }
            }
        }
        assertThat(texts).hasSizeGreaterThan(3000);
        assertPlain(texts.stream());
    }

    /** Without code: transcripts show the texts of other programs, and names of tests are no prose. */
    @Test
    void pagesForOperatorsAreInPlainWords() throws IOException {
        List<String> texts = paragraphs("");
        assertThat(texts).hasSizeGreaterThan(1000);
        assertPlain(texts.stream());
    }

    /** Tables and lists are no sentences. */
    @Test
    void sentencesOfPagesForOperatorsAreShort() throws IOException {
        assertThat(paragraphs("").stream()
                        .filter(paragraph -> !paragraph.matches("[^:]*: [|#].*"))
                        .flatMap(paragraph -> Stream.of(paragraph.split("[.!?:;]\\)?\\s")))
                        .filter(sentence -> WORD.matcher(sentence).results().count() > MAX_WORDS))
                .isEmpty();
    }

    @Test
    void textsOfEventsAreShort() {
        assertThat(SmEvent.values())
                .allSatisfy(
                        event -> assertThat(event.template()).as(event.code()).hasSizeLessThanOrEqualTo(MAX_TEXT));
    }

    @Test
    void aBannedPhraseIsFound() {
        assertThat(banned("whoever made the group is told of it")).containsExactly("whoever", "is told");
        assertThat(banned("the creator of the group receives a Report")).isEmpty();
    }

    /** Returns the paragraphs of all pages, each after the name of its file and a colon, with a word for each code. */
    private static List<String> paragraphs(String code) throws IOException {
        List<String> texts = new ArrayList<>();
        try (Stream<Path> files = Files.walk(DOCS)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".md"))
                    .filter(each -> !each.startsWith(DOCS.resolve("developer")))
                    .toList()) {
                String prose = CODE.matcher(Files.readString(file)).replaceAll(code);
                Stream.of(prose.split("\n\\s*\n|\n(?=\\s*(?:[|#-]|\\d+\\.) )"))
                        .map(paragraph -> file.getFileName() + ": "
                                + paragraph
                                        .replaceAll("\\]\\([^)]*\\)", "]")
                                        .replaceAll("\\s+", " ")
                                        .strip())
                        .forEach(texts::add);
            }
        }
        return texts;
    }

    private static void assertPlain(Stream<String> texts) {
        assertThat(texts.filter(text -> !banned(text).isEmpty())
                        .map(text -> banned(text) + " in " + text)
                        .toList())
                .as("phrases to replace, see the word list of docs/developer/style.md")
                .isEmpty();
    }

    private static List<String> banned(String text) {
        return BANNED.matcher(text).results().map(MatchResult::group).toList();
    }
}
