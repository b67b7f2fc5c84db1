package io.torussm.mad.sa;

import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.LinkWidth;
import io.torussm.mad.smp.PortInfo;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Rate codes (IBA 15.2.5.16.1) and their order by the data rate of a link. This order differs from the order of the
 * codes and of their names.
 *
 * <p>Lanes of up to 10 Gb/s send 10 bits for 8 bits of data; lanes of FDR and later send 66 for 64. So "30 Gb/s" has a
 * data rate of 24 Gb/s and is slower than "25 Gb/s"; "120 Gb/s" has 96 Gb/s.
 */
public final class Rates {
    private static final int FIRST_CODE = 2;
    private static final int LAST_CODE = 26;

    /** Place of code {@code i + 2} in ascending order of data rate, from 1. */
    private static final int[] ORDER_BY_CODE = {
        1, 3, 6, 2, 5, 9, 10, 13, 14, 4, 12, 16, 17, 7, 15, 18, 19, 8, 11, 20, 21, 22, 23, 24, 25
    };

    /** Name of code {@code i + 2} in Gb/s. */
    private static final List<String> GIGABITS = List.of(
            "2.5", "10", "30", "5", "20", "40", "60", "80", "120", "14", "56", "112", "168", "25", "100", "200", "300",
            "28", "50", "400", "600", "800", "1200", "1600", "2400");

    private static final List<LinkWidth> WIDTHS = List.of(LinkWidth.values());

    /** Codes by speed of a lane; indexes are those of {@link #WIDTHS}. */
    private static final Map<LinkSpeed, int[]> CODES = new EnumMap<>(Map.of(
            LinkSpeed.SDR, new int[] {2, 5, 3, 6, 4},
            LinkSpeed.DDR, new int[] {5, 3, 6, 7, 8},
            LinkSpeed.QDR, new int[] {3, 6, 7, 9, 10},
            LinkSpeed.FDR, new int[] {11, 19, 12, 13, 14},
            LinkSpeed.EDR, new int[] {15, 20, 16, 17, 18},
            LinkSpeed.HDR, new int[] {20, 16, 17, 21, 22},
            LinkSpeed.NDR, new int[] {16, 17, 21, 23, 24},
            LinkSpeed.XDR, new int[] {17, 21, 23, 25, 26}));

    /** Codes by place in ascending order of data rate. Element 0, below the slowest rate, is 0. */
    private static final int[] CODE_BY_ORDER = byOrder();

    /** The code of 2.5 Gb/s. */
    public static final int SLOWEST_CODE = 2;

    /** The place of the fastest rate in ascending order. */
    public static final int FASTEST_ORDER = ORDER_BY_CODE.length;

    private Rates() {}

    private static int[] byOrder() {
        int[] codes = new int[ORDER_BY_CODE.length + 1];
        for (int i = 0; i < ORDER_BY_CODE.length; i++) {
            codes[ORDER_BY_CODE[i]] = FIRST_CODE + i;
        }
        return codes;
    }

    /** Checks whether IBA defines a code. */
    public static boolean isDefined(int code) {
        return code >= FIRST_CODE && code <= LAST_CODE;
    }

    /** Returns the name of a defined code, such as {@code 10 Gb/s}. */
    public static String name(int code) {
        return GIGABITS.get(code - FIRST_CODE) + " Gb/s";
    }

    /** Returns the nominal Gb/s of a defined code. */
    public static double gigabits(int code) {
        return Double.parseDouble(GIGABITS.get(code - FIRST_CODE));
    }

    /** Returns the code of a nominal rate in Gb/s, such as {@code 2.5}; empty if no code has this name. */
    public static OptionalInt ofGigabits(String gigabits) {
        int index = GIGABITS.indexOf(gigabits);
        return index < 0 ? OptionalInt.empty() : OptionalInt.of(FIRST_CODE + index);
    }

    /** Returns the place of a defined code in ascending order of data rate, from 1 to {@link #FASTEST_ORDER}. */
    public static int order(int code) {
        return ORDER_BY_CODE[code - FIRST_CODE];
    }

    /** Returns the code at a place in ascending order, 1 to {@link #FASTEST_ORDER}. */
    public static int code(int order) {
        return CODE_BY_ORDER[order];
    }

    /** Compares the data rates of two defined codes. The result is negative if {@code a} is slower than {@code b}. */
    public static int compare(int a, int b) {
        return Integer.compare(order(a), order(b));
    }

    /** Returns the code of the next slower rate; 0 for the slowest rate. */
    public static int nextLower(int code) {
        return CODE_BY_ORDER[order(code) - 1];
    }

    /**
     * Returns the rate code of a port. An undefined width counts as one lane, an undefined basic speed as 2.5 Gb/s. An
     * unknown extended speed is newer than this program and counts as the fastest known speed.
     *
     * @param governing port with the relevant capabilities, port 0 of a switch; null if unknown
     */
    public static int of(PortInfo port, @Nullable PortInfo governing) {
        int width = WIDTHS.indexOf(LinkWidth.of(port).orElse(LinkWidth.X1));
        LinkSpeed unknown = LinkSpeed.isUnknownExtended(port, governing) ? LinkSpeed.XDR : LinkSpeed.SDR;
        return Objects.requireNonNull(CODES.get(LinkSpeed.of(port, governing).orElse(unknown)))[width];
    }
}
