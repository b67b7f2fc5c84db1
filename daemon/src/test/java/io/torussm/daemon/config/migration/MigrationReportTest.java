package io.torussm.daemon.config.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The headings under which a conversion reports options. */
class MigrationReportTest {
    private static final String NOT_AS_WRITTEN = "taken over, but not as written";
    private static final String WITHOUT_EFFECT = "set, but without effect";
    private static final String EQUAL = "left at OpenSM's default, which is ours too";
    private static final String WITHOUT_COUNTERPART = "set, but without a counterpart";

    @TempDir
    Path directory;

    @Test
    void aFileOfTheTorusWithoutTheTorusIsNotCalledADefault() throws Exception {
        List<String> report = report("routing_engine updn\ntorus_config /etc/opensm/own.conf\n");
        assertThat(linesOf(EQUAL, report)).isEmpty();
        assertThat(linesOf(WITHOUT_EFFECT, report))
                .containsExactly(
                        directory + "/opensm.conf:2: torus_config /etc/opensm/own.conf: only torus-2QoS reads it, which"
                                + " routing_engine does not name");
        assertThat(linesOf(EQUAL, report("routing_engine updn\ntorus_config /etc/opensm/torus-2QoS.conf\n")))
                .containsExactly("torus_config");
    }

    @Test
    void anOptionWithoutAValueHasACounterpart() throws Exception {
        List<String> report = report("root_guid_file\n");
        assertThat(linesOf(WITHOUT_COUNTERPART, report)).isEmpty();
        assertThat(linesOf(NOT_AS_WRITTEN, report))
                .containsExactly(
                        directory + "/opensm.conf:1: root_guid_file : it has no value, and is taken as not set");
        assertThat(convert("root_guid_file\n").text()).doesNotContain("Without a counterpart");
    }

    @Test
    void flagsAndEnginesThatAreReadOtherwiseHaveACounterpart() throws Exception {
        List<String> report = report("qos yes\nrouting_engine ar_updn\n");
        assertThat(linesOf(WITHOUT_COUNTERPART, report)).isEmpty();
        assertThat(linesOf(NOT_AS_WRITTEN, report)).hasSize(2);
    }

    @Test
    void anEngineThatIsUnknownHasNoCounterpart() throws Exception {
        assertThat(linesOf(WITHOUT_COUNTERPART, report("routing_engine chains\n")))
                .containsExactly(directory + "/opensm.conf:1: routing_engine chains: there is no engine chains");
    }

    /** A file in the directory of the new configuration is not copied, but keeps its name. */
    @Test
    void aCopyDoesNotReplaceAFileThatIsAlreadyThere() throws Exception {
        Path conf = Files.writeString(
                directory.resolve("opensm.conf"),
                "cn_guid_file " + directory.resolve("list") + "\nio_guid_file /a/list\nroot_guid_file /b/list\n");
        ConvertedConf result = OpenSmMigration.toDirectory(conf, directory);
        assertThat(result.files())
                .containsExactly(
                        new CopiedFile(Path.of("/a/list"), directory.resolve("io_guid_file-list")),
                        new CopiedFile(Path.of("/b/list"), directory.resolve("root_guid_file-list")));
        assertThat(result.text()).contains("cn_guid_file = \"" + directory.resolve("list") + "\"");
    }

    /** The first of three files has the name that the third would get because of the second. */
    @Test
    void threeCopiesHaveThreeNames() throws Exception {
        ConvertedConf result =
                convert("cn_guid_file /a/io_guid_file-list\nhop_weights_file /b/list\nio_guid_file /c/list\n");
        assertThat(result.files().stream().map(CopiedFile::to).distinct()).hasSize(3);
    }

    private ConvertedConf convert(String text) throws Exception {
        return OpenSmMigration.toPrint(Files.writeString(directory.resolve("opensm.conf"), text));
    }

    private List<String> report(String text) throws Exception {
        return convert(text).report();
    }

    /** Returns the lines below a heading; empty without the heading. */
    private static List<String> linesOf(String title, List<String> report) {
        return report.stream()
                .dropWhile(line -> !line.equals(title + ":"))
                .skip(1)
                .takeWhile(line -> line.startsWith("  "))
                .map(String::strip)
                .toList();
    }
}
