package io.torussm.daemon.house;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The comparison of classes by {@code packaging/same-classes.sh}, in a repository of two modules. */
class SameClassesTest {
    private static final String LIMIT = "package a; public class Limit { public static final int MOST = 1; }";

    @TempDir
    Path project;

    @BeforeEach
    void commitTwoModules() throws Exception {
        git("init", "-q");
        commit("one/src/main/java/a/Limit.java", LIMIT);
        commit("two/src/main/java/b/Use.java", "package b; class Use { int most() { return a.Limit.MOST; } }");
    }

    @Test
    void aCommitOfCommentsLeavesClassesAsTheyAre() throws Exception {
        commit(
                "two/src/main/java/b/Use.java",
                "/** Uses. */\npackage b;\nclass Use { int most() { return a.Limit.MOST; } }");
        assertThat(compare("HEAD")).isEqualTo("0: 1 sources, identical classes\n");
    }

    @Test
    void aCommitOfCodeIsNamedWithItsClasses() throws Exception {
        commit("one/src/main/java/a/Limit.java", LIMIT.replace("1", "2"));
        commit("two/src/main/java/b/New.java", "package b; class New {}");
        assertThat(compare("HEAD~2", "HEAD"))
                .startsWith("1: ")
                .contains("classes/a/Limit.class")
                .contains("New.class");
    }

    @Test
    void aSourceThatDoesNotCompileIsAnErrorOfItsOwn() throws Exception {
        commit("two/src/main/java/b/Use.java", "package b; class Use { int most() { return a.Limit.LEAST; } }");
        assertThat(compare("HEAD")).startsWith("2: ").contains("Use.java:1: error");
    }

    private void commit(String path, String text) throws Exception {
        Path file = project.resolve(path);
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, text);
        git("add", "-A");
        git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", path);
    }

    private void git(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(words));
        assertThat(run(command)).isEqualTo("0: ");
    }

    private String compare(String... commits) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of("../packaging/same-classes.sh").toRealPath().toString()));
        command.addAll(List.of(commits));
        return run(command);
    }

    private String run(List<String> command) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(project.toFile()).redirectErrorStream(true);
        builder.environment().put("MAVEN_REPOSITORY", project.toString());
        builder.environment()
                .merge(
                        "PATH",
                        Path.of(System.getProperty("java.home"), "bin").toString(),
                        (path, jdk) -> jdk + File.pathSeparator + path);
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), UTF_8);
        return process.waitFor() + ": " + text;
    }
}
