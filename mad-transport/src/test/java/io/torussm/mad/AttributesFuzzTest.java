package io.torussm.mad;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.KeptInputs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Attributes of any bytes: each has a value for every field, and the same bytes again. */
class AttributesFuzzTest {
    private static final List<AttributeType<?>> TYPES = types();

    /** Runs an input of the fuzzer, whose first byte selects the attribute. */
    public static void fuzzerTestOneInput(byte[] data) throws ReflectiveOperationException {
        if (data.length == 0) {
            return;
        }
        AttributeType<?> type = TYPES.get((data[0] & 0xff) % TYPES.size());
        byte[] bytes = Arrays.copyOfRange(data, 1, 1 + type.layout().size());
        Attribute<?> attribute = type.read(bytes, 0);
        byte[] written = new byte[bytes.length];
        attribute.write(written, 0);
        assertThat(written).as(type.layout().name()).isEqualTo(bytes);
        for (Method method : attribute.getClass().getMethods()) {
            if (method.getParameterCount() == 0
                    && method.getDeclaringClass().getName().startsWith("io.torussm.")) {
                call(method, attribute);
            }
        }
    }

    private static void call(Method method, Attribute<?> attribute) throws ReflectiveOperationException {
        try {
            method.invoke(attribute);
        } catch (InvocationTargetException e) {
            throw new AssertionError(method + " of " + attribute, e.getCause());
        }
    }

    static Stream<byte[]> inputs() {
        Stream<byte[]> extremes = Stream.of(0, 0x7f, 0x80, 0xff).flatMap(value -> Stream.iterate(0, type -> type + 1)
                .limit(TYPES.size())
                .map(type -> {
                    byte[] data = new byte[1 + 256];
                    Arrays.fill(data, (byte) value.intValue());
                    data[0] = type.byteValue();
                    return data;
                }));
        return Stream.concat(extremes, KeptInputs.of(AttributesFuzzTest.class).stream());
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void everyAttributeCanBeReadAndWritten(byte[] data) throws ReflectiveOperationException {
        fuzzerTestOneInput(data);
    }

    /** Returns all types of this package and of those below, in the order of their classes. */
    private static List<AttributeType<?>> types() {
        try {
            Path root = Path.of(AttributeType.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            try (Stream<Path> files = Files.walk(root.resolve("io/torussm/mad"))) {
                return files.map(file -> root.relativize(file).toString())
                        .filter(name -> name.endsWith(".class"))
                        .sorted()
                        .flatMap(name ->
                                typesOf(name.substring(0, name.length() - 6).replace('/', '.')))
                        .toList();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Stream<AttributeType<?>> typesOf(String className) {
        try {
            return Arrays.stream(Class.forName(className).getDeclaredFields())
                    .filter(field -> field.getType() == AttributeType.class && Modifier.isStatic(field.getModifiers()))
                    .map(AttributesFuzzTest::value);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static AttributeType<?> value(Field field) {
        try {
            field.setAccessible(true);
            return (AttributeType<?>) field.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
