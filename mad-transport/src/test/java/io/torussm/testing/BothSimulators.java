package io.torussm.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * A class whose tests run on each {@link Simulator}, handed to a field of that type with {@code @Parameter}; with {@code
 * -Dsimulator=ibsim} or {@code torus_sm} on one of them only.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass(name = "{0}")
@ArgumentsSource(BothSimulators.Wanted.class)
public @interface BothSimulators {
    /** Those that are wanted. */
    final class Wanted implements ArgumentsProvider {
        private static final String ALL = "all";

        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            String wanted = System.getProperty("simulator", ALL).toUpperCase(Locale.ROOT);
            return Arrays.stream(Simulator.values())
                    .filter(each -> wanted.equals(ALL.toUpperCase(Locale.ROOT))
                            || each.name().equals(wanted))
                    .map(Arguments::of);
        }
    }
}
