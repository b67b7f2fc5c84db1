package io.torussm.daemon.house;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import io.torussm.daemon.house.Measurement.Measure;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import org.jspecify.annotations.Nullable;

/** Sizes of packages, files, types and methods, and names of types, of the production code. */
final class Structure {
    /** Names of nested types that say nothing without the outer type. */
    private static final Set<String> VAGUE = Set.of("Kind", "Result", "Lines", "End", "Run");

    private Structure() {}

    /** Measures the files of {@code src/main}. */
    static List<Measurement> measure(List<SourceFile> all) {
        List<SourceFile> files = all.stream()
                .filter(file -> !file.isTest() && !file.path().endsWith("package-info.java"))
                .toList();
        List<Measurement> measured = new ArrayList<>();
        packages(files).forEach((name, members) -> {
            measured.add(new Measurement(Measure.PACKAGE_FILES, name, members.size()));
            measured.add(new Measurement(
                    Measure.PACKAGE_LINES,
                    name,
                    members.stream().mapToInt(SourceFile::lines).sum()));
        });
        for (SourceFile file : files) {
            measured.add(new Measurement(Measure.FILE_LINES, file.typeName(), file.lines()));
            file.tree().accept(new Types(file, measured), null);
        }
        names(files).forEach((name, count) -> {
            measured.add(new Measurement(Measure.SAME_NAMES, name, count));
            if (name.chars().filter(Character::isUpperCase).count() == 1) {
                measured.add(new Measurement(Measure.ONE_WORD_NAMES, name, count));
            }
        });
        return measured;
    }

    /** Returns the files by package. */
    private static Map<String, List<SourceFile>> packages(List<SourceFile> files) {
        return files.stream()
                .collect(Collectors.groupingBy(SourceFile::packageName, TreeMap::new, Collectors.toList()));
    }

    /** Returns the number of top-level types by simple name. */
    private static Map<String, Integer> names(List<SourceFile> files) {
        return files.stream()
                .flatMap(file -> file.tree().getTypeDecls().stream())
                .flatMap(type -> type instanceof ClassTree made
                        ? Stream.of(made.getSimpleName().toString())
                        : Stream.of())
                .collect(Collectors.toMap(name -> name, name -> 1, Integer::sum, TreeMap::new));
    }

    /** Measures the types and methods of a file. */
    private static final class Types extends TreeScanner<@Nullable Void, @Nullable Void> {
        private final SourceFile file;
        private final List<Measurement> measured;

        /** Names of the types around the visited part, the outermost first. */
        private final Deque<String> outer = new ArrayDeque<>();

        Types(SourceFile file, List<Measurement> measured) {
            this.file = file;
            this.measured = measured;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void none) {
            String name = type.getSimpleName().toString();
            if (!outer.isEmpty() && VAGUE.contains(name)) {
                measured.add(new Measurement(Measure.VAGUE_NESTED_NAMES, file.typeName() + "." + name, 1));
            }
            outer.addLast(name);
            if (type.getKind() == Tree.Kind.CLASS) {
                int fields = (int) type.getMembers().stream()
                        .filter(member -> member instanceof VariableTree field
                                && !field.getModifiers().getFlags().contains(Modifier.STATIC))
                        .count();
                measured.add(new Measurement(Measure.INSTANCE_FIELDS, subject(), fields));
            }
            super.visitClass(type, null);
            outer.removeLast();
            return null;
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void none) {
            if (method.getName().contentEquals("<init>")) {
                measured.add(new Measurement(
                        Measure.CONSTRUCTOR_PARAMETERS,
                        subject(),
                        method.getParameters().size()));
            }
            if (method.getBody() != null) {
                measured.add(new Measurement(Measure.METHOD_LINES, subject() + "#" + method.getName(), lines(method)));
            }
            return super.visitMethod(method, null);
        }

        private int lines(MethodTree method) {
            CompilationUnitTree tree = file.tree();
            var positions = file.positions();
            long start = tree.getLineMap().getLineNumber(positions.getStartPosition(tree, method));
            return (int) (tree.getLineMap().getLineNumber(positions.getEndPosition(tree, method)) - start + 1);
        }

        /** Returns the name of the visited type, with its package. */
        private String subject() {
            return file.packageName() + "." + String.join(".", outer);
        }
    }
}
