package io.torussm.daemon.config.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Configuration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files that root can read, but the user of the service cannot. */
class ServiceFilesTest {
    private static final String USER = "absent-user";

    @TempDir
    Path dir;

    private Path roots = Path.of("");
    private Path conf = Path.of("");

    @BeforeEach
    void writeFiles() throws Exception {
        roots = Files.writeString(dir.resolve("roots"), "");
        conf = Files.writeString(dir.resolve("torus-sm.conf"), "root_guid_file = \"" + roots + "\"\n");
        setMode(roots, "rw-r-----");
        setMode(conf, "rw-r--r--");
        setMode(dir, "rwxr-xr-x");
    }

    @Test
    void aFileOfTheGroupOfTheServiceIsReadable() throws Exception {
        GroupPrincipal group = (GroupPrincipal) Files.getAttribute(roots, "posix:group");
        assertThat(unreadable(group.getName())).isEmpty();
    }

    @Test
    void aFileOfAnotherGroupIsReportedWithTheCommand() throws Exception {
        assertThat(unreadable("another"))
                .singleElement()
                .asString()
                .contains("user absent-user cannot read " + roots + " (rw-r-----")
                .contains("chgrp another " + roots);
    }

    @Test
    void aDirectoryThatTheServiceCannotEnterIsReported() throws Exception {
        setMode(dir, "rwx------");
        assertThat(unreadable("another")).singleElement().asString().contains("may not enter " + dir);
    }

    private List<String> unreadable(String group) throws Exception {
        return ConfigurationCheck.unreadable(new ServiceAccount(USER, group), conf, Configuration.read(conf, Map.of()));
    }

    private static void setMode(Path file, String mode) throws Exception {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }
}
