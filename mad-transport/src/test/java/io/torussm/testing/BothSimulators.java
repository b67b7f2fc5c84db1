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
 * -Dsimulator=ibsim} or {@code torus_sm} on one of them only, with {@code all} on both in any case.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass(name = "{0}")
@ArgumentsSource(BothSimulators.Wanted.class)
public @interface BothSimulators {
    /** Whether each build takes both; classes that take long are run on ibsim only unless more is asked for. */
    boolean inEachBuild() default true;

    /** Those that are wanted. */
    final class Wanted implements ArgumentsProvider {
        private static final String USUAL = "USUAL";
        private static final String ALL = "ALL";

        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            BothSimulators how = context.getRequiredTestClass().getAnnotation(BothSimulators.class);
            String asked = System.getProperty("simulator", USUAL).toUpperCase(Locale.ROOT);
            String wanted = !asked.equals(USUAL) ? asked : how.inEachBuild() ? ALL : Simulator.IBSIM.name();
            return Arrays.stream(Simulator.values())
                    .filter(each -> wanted.equals(ALL) || each.name().equals(wanted))
                    .map(Arguments::of);
        }
    }
}
