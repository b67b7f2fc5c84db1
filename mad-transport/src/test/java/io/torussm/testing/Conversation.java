package io.torussm.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;

/**
 * Tests that are text: a command, then exactly its effects. A script is a resource of this form:
 *
 * <pre>
 * # a comment, above all the sentence of the specification that is tested
 * == the subject of the scene, and the name of its test
 * &gt; a command
 * a line that it causes
 * &gt; 100 x this; that
 * 1 to 99:
 *   a line that both together cause, each time
 * 100:
 *   another one
 * </pre>
 *
 * <p>Each scene begins with a fresh subject. {@code -Drewrite=true} writes the present effects of commands into the
 * script. The diff may be committed only with an explanation of its correctness.
 */
public final class Conversation {
    private static final String SCENE = "== ";
    private static final String COMMAND = "> ";
    private static final String COMMENT = "#";
    private static final Pattern REPEATED = Pattern.compile("(\\d+) x (.*)");

    private Conversation() {}

    /** The subject of a conversation. */
    public interface Subject {
        /** Carries out a command, and returns a line for each thing that it caused. */
        List<String> on(String command) throws Exception;
    }

    /** Makes the subject of a scene. */
    public interface SubjectFactory {
        /** Creates a fresh subject. */
        Subject create() throws Exception;
    }

    /**
     * A test for each scene of each script.
     *
     * @param resources below {@code src/test/resources} of the module whose tests run
     */
    public static List<DynamicContainer> scenes(SubjectFactory maker, String... resources) throws Exception {
        List<DynamicContainer> scripts = new ArrayList<>();
        for (String resource : resources) {
            scripts.add(DynamicContainer.dynamicContainer(resource, scenes(resource, maker)));
        }
        return scripts;
    }

    private static Stream<DynamicTest> scenes(String resource, SubjectFactory maker) throws Exception {
        Path script = Path.of("src", "test", "resources").resolve(resource);
        if (Boolean.getBoolean("rewrite")) {
            List<String> rewritten = new ArrayList<>();
            for (List<String> scene : split(Files.readAllLines(script))) {
                rewritten.addAll(replay(scene, maker));
            }
            Files.write(script, rewritten);
        }
        return split(Files.readAllLines(script)).stream()
                .filter(scene -> scene.get(0).startsWith(SCENE))
                .map(scene ->
                        DynamicTest.dynamicTest(scene.get(0).substring(SCENE.length()), () -> check(scene, maker)));
    }

    private static void check(List<String> scene, SubjectFactory maker) throws Exception {
        assertThat(scene).as("a scene without a command cannot fail").anyMatch(line -> line.startsWith(COMMAND));
        assertThat(String.join("\n", replay(scene, maker))).isEqualTo(String.join("\n", scene));
    }

    /** Returns the text before the first scene, and each scene from its title on. */
    private static List<List<String>> split(List<String> lines) throws IOException {
        List<List<String>> scenes = new ArrayList<>();
        for (String line : lines) {
            if (scenes.isEmpty() || line.startsWith(SCENE)) {
                scenes.add(new ArrayList<>());
            }
            scenes.get(scenes.size() - 1).add(line);
        }
        return scenes;
    }

    /** Returns the lines of a scene with the present output of its commands. */
    private static List<String> replay(List<String> scene, SubjectFactory maker) throws Exception {
        Subject subject = maker.create();
        List<String> played = new ArrayList<>();
        for (String line : scene) {
            if (line.startsWith(COMMAND)) {
                played.add(line);
                played.addAll(run(subject, line.substring(COMMAND.length())));
            } else if (line.isBlank() || line.startsWith(COMMENT) || line.startsWith(SCENE)) {
                played.add(line);
            }
        }
        return played;
    }

    private static List<String> run(Subject subject, String command) throws Exception {
        Matcher repeated = REPEATED.matcher(command);
        if (!repeated.matches()) {
            return orNothing(subject.on(command));
        }
        int times = Integer.parseInt(repeated.group(1));
        List<String> lines = new ArrayList<>();
        List<String> last = List.of();
        int first = 1;
        for (int i = 1; i <= times + 1; i++) {
            List<String> caused = i > times ? List.of() : all(subject, repeated.group(2));
            if (i > 1 && !caused.equals(last)) {
                lines.add((first == i - 1 ? "" + first : first + " to " + (i - 1)) + ":");
                last.forEach(line -> lines.add("  " + line));
                first = i;
            }
            last = caused;
        }
        return lines;
    }

    private static List<String> all(Subject subject, String commands) throws Exception {
        List<String> caused = new ArrayList<>();
        for (String command : commands.split("; ", -1)) {
            caused.addAll(subject.on(command));
        }
        return orNothing(caused);
    }

    private static List<String> orNothing(List<String> caused) {
        return caused.isEmpty() ? List.of("(nothing)") : caused;
    }
}
