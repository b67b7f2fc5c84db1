package io.torussm.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * How tests start other JVMs: with options that cost a process of a few seconds least, this JVM's class path, whose directories become jars
 * in {@code target/started-jvm}, and an archive of the classes that a start of torus-sm needs, as {@code torus-archive} makes it for the
 * installed program; an archive takes classes of jars only. JVMs that run tests of a module beside each other share these files; the first that
 * needs them makes them.
 */
final class StartedJvm {
    private static final String REHEARSAL = "io.torussm.daemon.cli.ClassRehearsal";
    private static final Path HUGE_PAGES = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

    private final Path home = Path.of("target", "started-jvm").toAbsolutePath();
    private final Path archive = home.resolve("classes.jsa");
    private final List<Path> entries = entries();
    private final List<String> options = usual();

    private StartedJvm() throws IOException {
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
        if (Files.exists(archive)) {
            options.add("-XX:SharedArchiveFile=" + archive);
        }
        options.addAll(List.of("-cp", classPath()));
    }

    /** Java and its options up to the class path, which is the last of them. */
    static List<String> command() {
        return Made.JVM.options;
    }

    private static final class Made {
        private static final StartedJvm JVM;

        static {
            try {
                JVM = new StartedJvm();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static List<Path> entries() {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Stream.of(classPath.split(File.pathSeparator, -1))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .filter(Files::exists)
                .toList();
    }

    private static List<String> usual() throws IOException {
        List<String> options = new ArrayList<>();
        options.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // The first is what the launcher of torus-sm gives, too; newer JVMs warn without it.
        options.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        if (Files.isReadable(HUGE_PAGES)
                && !Files.readString(HUGE_PAGES).contains("[never]")) { // one page fault for 2 MiB of the heap
            options.add("-XX:+UseTransparentHugePages");
        }
        return options;
    }

    /** Tells the JVM and all files of the class path apart from others, by their sizes and times. */
    private String contents() throws IOException {
        StringBuilder text = new StringBuilder(options.get(0) + " " + Runtime.version() + "\n");
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
        return Stream.iterate(0, i -> i < entries.size(), i -> i + 1)
                .map(i -> jar(i).toString())
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

    /** Nothing in modules without a daemon. */
    private void makeArchive() throws IOException {
        String rehearsal = REHEARSAL.replace('.', '/') + ".class";
        if (StartedJvm.class.getClassLoader().getResource(rehearsal) == null) {
            return;
        }
        Path state = Files.createTempDirectory(home, "state");
        Path said = home.resolve("said");
        List<String> command = new ArrayList<>(options);
        command.addAll(List.of("-XX:ArchiveClassesAtExit=" + archive, "-cp", classPath(), REHEARSAL, state.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException("the rehearsal of a start failed: " + Files.readString(said, UTF_8));
        }
    }
}
