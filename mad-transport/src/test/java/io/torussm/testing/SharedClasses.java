package io.torussm.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The class path of this JVM for JVMs that tests start. Its directories become jars in {@code target/started-jvm}.
 * Beside them is an archive of the classes that a start of torus-sm needs, as {@code torus-archive} makes it for the
 * installed program; an archive can contain classes of jars only. Parallel test JVMs of a module share these files,
 * which the first one makes.
 */
final class SharedClasses {
    private static final String REHEARSAL = "io.torussm.daemon.cli.ClassRehearsal";

    private final List<String> java;
    private final Path home = Path.of("target", "started-jvm").toAbsolutePath();
    private final Path archive = home.resolve("classes.jsa");
    private final List<Path> entries = entries();

    /**
     * Makes the files that are missing or older than the class path.
     *
     * @param java command line of a JVM without its class path; an archive serves only JVMs with the same options
     */
    SharedClasses(List<String> java) throws IOException {
        this.java = java;
        Files.createDirectories(home);
        Path madeOf = home.resolve("made-of");
        String wanted = contents();
        // Other JVMs of this build wait here; the end of the channel ends its lock.
        try (FileChannel lock =
                FileChannel.open(home.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            lock.lock();
            if (!Files.exists(madeOf) || !Files.readString(madeOf).equals(wanted)) {
                Files.deleteIfExists(madeOf);
                Files.deleteIfExists(archive);
                makeJars();
                makeArchive();
                Files.writeString(madeOf, wanted);
            }
        }
    }

    /** Returns the options for the archive, if there is one, and the class path. */
    List<String> options() {
        String classPath = classPath();
        return Files.exists(archive)
                ? List.of("-XX:SharedArchiveFile=" + archive, "-cp", classPath)
                : List.of("-cp", classPath);
    }

    private static List<Path> entries() {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Stream.of(classPath.split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .filter(Files::exists)
                .toList();
    }

    /** Tells the JVM and all files of the class path apart from others, by their sizes and times. */
    private String contents() throws IOException {
        StringBuilder text = new StringBuilder(java.get(0) + " " + Runtime.version() + "\n");
        for (Path entry : entries) {
            for (Path file : files(entry)) {
                text.append(file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file) + "\n");
            }
        }
        return text.toString();
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private Path jar(int i) {
        Path entry = entries.get(i);
        return Files.isDirectory(entry) ? home.resolve(i + ".jar") : entry;
    }

    private String classPath() {
        return IntStream.range(0, entries.size())
                .mapToObj(i -> jar(i).toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private void makeJars() throws IOException {
        for (int i = 0; i < entries.size(); i++) {
            if (!jar(i).equals(entries.get(i))) {
                pack(entries.get(i), jar(i));
            }
        }
    }

    private static void pack(Path directory, Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream packed = new ZipOutputStream(out)) {
            packed.setLevel(0);
            for (Path file : files(directory)) {
                packed.putNextEntry(new ZipEntry(directory.relativize(file).toString()));
                Files.copy(file, packed);
                packed.closeEntry();
            }
        }
    }

    /** Makes the archive, but not in modules without a daemon. */
    private void makeArchive() throws IOException {
        String rehearsal = REHEARSAL.replace('.', '/') + ".class";
        if (SharedClasses.class.getClassLoader().getResource(rehearsal) == null) {
            return;
        }
        Path scratch = Files.createTempDirectory(home, "rehearsal");
        try {
            rehearse(Files.createDirectory(scratch.resolve("state")), scratch.resolve("said"));
        } finally {
            delete(scratch);
        }
    }

    private void rehearse(Path state, Path said) throws IOException {
        List<String> command = new ArrayList<>(java);
        command.addAll(List.of("-XX:ArchiveClassesAtExit=" + archive, "-cp", classPath(), REHEARSAL, state.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException("the rehearsal of a start failed: " + Files.readString(said, UTF_8));
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
