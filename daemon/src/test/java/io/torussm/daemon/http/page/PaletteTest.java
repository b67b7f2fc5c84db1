package io.torussm.daemon.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.http.StaticFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The colours of the page, light and dark. Text is readable, and the colours of faults differ from those of high loads
 * and error rates, for all kinds of colour vision. Contrast is that of WCAG 2.1. Colour blindness is simulated in
 * linear RGB by the matrices of Machado, Oliveira and Fernandes (2009) for its full severity. Differences are CIE76 in
 * CIELAB under D65, where 2.3 is just visible side by side.
 */
class PaletteTest {
    /** Minimum contrasts (WCAG 2.1, 1.4.3 and 1.4.11). */
    private static final double TEXT = 4.5;

    private static final double BORDER = 3;

    /** Minimum difference of two colours of lines. It is far above 2.3, because lines are thin. */
    private static final double APART = 25;

    private static final Pattern COLOUR = Pattern.compile("--([a-z-]+): #([0-9a-f]{3}|[0-9a-f]{6})[;}]");

    /** The white of D65 in CIE XYZ, and the matrix from linear sRGB to XYZ. */
    private static final double[] WHITE = {0.95047, 1, 1.08883};

    private static final double[][] XYZ = {
        {0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}
    };

    /** Kinds of colour vision, each with the matrix from the colours of the page to the perceived ones. */
    enum Eyes {
        USUAL(new double[][] {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}),
        PROTANOPE(new double[][] {
            {0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}
        }),
        DEUTERANOPE(new double[][] {
            {0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}
        }),
        TRITANOPE(new double[][] {
            {1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}
        });

        @SuppressWarnings("ImmutableEnumChecker") // never written
        private final double[][] perception;

        Eyes(double[][] perception) {
            this.perception = perception;
        }
    }

    @Test
    void textHasEnoughContrast() throws IOException {
        for (Map<String, double[]> palette : palettes()) {
            for (String text : List.of("ink", "faint", "good", "warn", "bad", "accent")) {
                for (String ground : List.of("card", "page")) {
                    assertThat(contrast(get(palette, text), get(palette, ground)))
                            .as(text + " on " + ground)
                            .isGreaterThanOrEqualTo(TEXT);
                }
            }
            assertThat(contrast(get(palette, "path"), get(palette, "card"))).isGreaterThanOrEqualTo(TEXT);
            assertThat(contrast(get(palette, "edge"), get(palette, "card")))
                    .as("borders of buttons")
                    .isGreaterThanOrEqualTo(BORDER);
        }
    }

    /** Banners have the same colours on both pages, which torus.css gives beside them. */
    @ParameterizedTest
    @CsvSource({"fff, b3261e", "241a00, f6c453", "fff, 4a2f86"})
    void textOfABannerHasEnoughContrast(String text, String ground) throws IOException {
        assertThat(css()).contains("#" + text, "#" + ground);
        assertThat(contrast(linear(text), linear(ground))).isGreaterThanOrEqualTo(TEXT);
    }

    /** Load and error rates differ from faults; docs/operator/picture.md has the least different pair of each kind. */
    @ParameterizedTest
    @EnumSource(Eyes.class)
    void highValuesDifferFromFaults(Eyes eyes) throws IOException {
        for (Map<String, double[]> palette : palettes()) {
            for (String value : List.of("load-low", "load-mid", "load-high", "error-low", "error-high")) {
                for (String fault : List.of("bad", "band")) {
                    assertThat(difference(get(palette, value), get(palette, fault), eyes))
                            .as(value + " beside " + fault)
                            .isGreaterThan(APART);
                }
            }
            for (String load : List.of("load-low", "load-mid", "load-high")) {
                assertThat(difference(get(palette, load), get(palette, "path"), eyes))
                        .as(load + " beside a path")
                        .isGreaterThan(APART);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Eyes.class)
    void lowValuesDifferFromHighValues(Eyes eyes) throws IOException {
        for (Map<String, double[]> palette : palettes()) {
            assertThat(difference(get(palette, "load-low"), get(palette, "load-mid"), eyes))
                    .isGreaterThan(APART);
            assertThat(difference(get(palette, "load-mid"), get(palette, "load-high"), eyes))
                    .isGreaterThan(APART);
            assertThat(difference(get(palette, "error-low"), get(palette, "error-high"), eyes))
                    .isGreaterThan(APART);
        }
    }

    /** Returns the colours by name in linear RGB: first those of the light page, then those of the dark one. */
    private static List<Map<String, double[]>> palettes() throws IOException {
        List<Map<String, double[]>> palettes = new ArrayList<>();
        Matcher block = Pattern.compile(":root \\{([^}]*})").matcher(css());
        for (MatchResult each : block.results().toList()) {
            Map<String, double[]> colours = new TreeMap<>(palettes.isEmpty() ? Map.of() : palettes.get(0));
            COLOUR.matcher(each.group(1)).results().forEach(one -> colours.put(one.group(1), linear(one.group(2))));
            palettes.add(colours);
        }
        assertThat(palettes).hasSize(2);
        return palettes;
    }

    private static String css() {
        byte[] css =
                Objects.requireNonNull(new StaticFiles().find("/torus.css")).body();
        return new String(css, StandardCharsets.UTF_8);
    }

    /** Returns red, green and blue of a colour of sRGB, linear in light, 0 to 1. */
    private static double[] linear(String hex) {
        int each = hex.length() / 3;
        return IntStream.range(0, 3)
                .mapToObj(i -> hex.substring(i * each, (i + 1) * each).repeat(each == 1 ? 2 : 1))
                .mapToDouble(text -> Integer.parseInt(text, 16) / 255.0)
                .map(value -> value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4))
                .toArray();
    }

    private static double[] times(double[][] matrix, double[] vector) {
        return IntStream.range(0, 3)
                .mapToDouble(row -> IntStream.range(0, 3)
                        .mapToDouble(i -> matrix[row][i] * vector[i])
                        .sum())
                .toArray();
    }

    /** Returns the contrast of WCAG: the ratio of luminances, each with the light that a screen reflects. */
    private static double contrast(double[] one, double[] other) {
        double a = times(XYZ, one)[1] + 0.05;
        double b = times(XYZ, other)[1] + 0.05;
        return Math.max(a, b) / Math.min(a, b);
    }

    /** Returns a colour in CIELAB, as eyes perceive it. */
    private static double[] lab(double[] colour, Eyes eyes) {
        double[] seen = DoubleStream.of(times(eyes.perception, colour))
                .map(value -> Math.max(0, Math.min(1, value)))
                .toArray();
        double[] xyz = times(XYZ, seen);
        double[] f = IntStream.range(0, 3)
                .mapToDouble(i -> xyz[i] / WHITE[i])
                .map(t -> t > 216.0 / 24389 ? Math.cbrt(t) : (24389.0 / 27 * t + 16) / 116)
                .toArray();
        return new double[] {116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])};
    }

    /** Returns the distance of two colours in CIELAB, as eyes perceive them. */
    private static double difference(double[] one, double[] other, Eyes eyes) {
        double[] a = lab(one, eyes);
        double[] b = lab(other, eyes);
        return Math.sqrt(IntStream.range(0, 3)
                .mapToDouble(i -> (a[i] - b[i]) * (a[i] - b[i]))
                .sum());
    }

    private static double[] get(Map<String, double[]> palette, String name) {
        return Objects.requireNonNull(palette.get(name), name);
    }
}
