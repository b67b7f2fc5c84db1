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
 * A class whose tests run on each {@link Simulator}, which a field with {@code @Parameter} receives.
 * {@code -Dsimulator=ibsim} or {@code torus_sm} selects one of them, {@code all} always selects both.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass(name = "{0}")
@ArgumentsSource(BothSimulators.SelectedSimulators.class)
public @interface BothSimulators {
    /** Returns true if each build runs both. Slow classes run on ibsim only by default. */
    boolean inEachBuild() default true;

    /** Returns the selected simulators. */
    final class SelectedSimulators implements ArgumentsProvider {
        private static final String DEFAULT = "USUAL";
        private static final String ALL = "ALL";

        @Override
        public Stream<? extends Arguments> provideArguments(
                ParameterDeclarations parameters, ExtensionContext context) {
            BothSimulators how = context.getRequiredTestClass().getAnnotation(BothSimulators.class);
            String asked = System.getProperty("simulator", DEFAULT).toUpperCase(Locale.ROOT);
            String wanted = !asked.equals(DEFAULT) ? asked : how.inEachBuild() ? ALL : Simulator.IBSIM.name();
            return Arrays.stream(Simulator.values())
                    .filter(each -> wanted.equals(ALL) || each.name().equals(wanted))
                    .map(Arguments::of);
        }
    }
}
