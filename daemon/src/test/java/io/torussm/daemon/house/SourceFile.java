package io.torussm.daemon.house;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * A parsed Java file.
 *
 * @param module directory below the root of the project
 * @param isTest whether it lies in {@code src/test}
 * @param tree its syntax
 * @param positions where the parts of the tree are in the text
 */
record SourceFile(
        String module, boolean isTest, Path path, String text, CompilationUnitTree tree, SourcePositions positions) {
    private static final List<String> MODULES =
            List.of("mad-transport", "sm-core", "qos", "routing-torus2qos", "daemon");

    /** Parses all Java files of all modules. */
    static List<SourceFile> all(Path root) throws IOException {
        List<SourceFile> files = new ArrayList<>();
        for (String module : MODULES) {
            files.addAll(parse(root, module, false));
            files.addAll(parse(root, module, true));
        }
        return files;
    }

    private static List<SourceFile> parse(Path root, String module, boolean isTest) throws IOException {
        Path directory = root.resolve(module).resolve(isTest ? "src/test/java" : "src/main/java");
        List<Path> paths;
        try (Stream<Path> walk = Files.walk(directory)) {
            paths = walk.filter(path -> path.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(paths));
            Map<Path, CompilationUnitTree> trees = Stream.of(task.parse())
                    .flatMap(units -> toList(units).stream())
                    .collect(Collectors.toMap(
                            unit -> Path.of(unit.getSourceFile().toUri()), unit -> unit));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            return paths.stream()
                    .map(path -> new SourceFile(
                            module,
                            isTest,
                            path,
                            read(path),
                            Objects.requireNonNull(trees.get(path.toAbsolutePath())),
                            positions))
                    .toList();
        }
    }

    private static List<CompilationUnitTree> toList(Iterable<? extends CompilationUnitTree> units) {
        List<CompilationUnitTree> list = new ArrayList<>();
        units.forEach(list::add);
        return list;
    }

    private static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the name of the package. */
    String packageName() {
        return String.valueOf(tree.getPackageName());
    }

    /** Returns the name of the file without its extension, package included. */
    String typeName() {
        return packageName() + "." + path.getFileName().toString().replace(".java", "");
    }

    /** Returns the number of lines. */
    int lines() {
        return (int) text.lines().count();
    }
}
