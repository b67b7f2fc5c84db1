package io.torussm.mad.smp;

import io.torussm.mad.Field;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The speeds of a lane, in ascending order, with their codes in PortInfo (IBA 14.2.5.6; XDR of release 1.8). A port
 * reports its speed in up to three fields: LinkSpeedActive, LinkSpeedExtActive and LinkSpeedExtActive2. The newest
 * field that is not 0 counts; the older fields are for older software.
 *
 * <p>Extended speeds count only if the <em>governing</em> port announces them. This is port 0 of a switch, or the port
 * itself.
 */
public enum LinkSpeed {
    SDR("2.5", 1, 0, 0, 2.5, 2),
    DDR("5", 2, 0, 0, 5, 4),
    QDR("10", 4, 0, 0, 10, 8),
    FDR("14", 4, 1, 0, 14.0625, 13.64),
    EDR("25", 4, 2, 0, 25.78125, 25),
    HDR("50", 4, 4, 0, 50, 50),
    NDR("100", 4, 8, 0, 100, 100),
    XDR("200", 4, 0, 1, 200, 200);

    private static final LinkSpeed[] ALL = values();

    private final String gbps;
    private final int active;
    private final int extActive;
    private final int extActive2;
    private final double signalGbps;
    private final double dataGbps;

    LinkSpeed(String gbps, int active, int extActive, int extActive2, double signalGbps, double dataGbps) {
        this.gbps = gbps;
        this.active = active;
        this.extActive = extActive;
        this.extActive2 = extActive2;
        this.signalGbps = signalGbps;
        this.dataGbps = dataGbps;
    }

    /** Returns the signalling rate of a lane in Gb/s (IBA volume 2, 5.3 and 5.4). */
    public double signalGbps() {
        return signalGbps;
    }

    /** Returns the rate of a lane in Gb/s without the overhead of the line code. */
    public double dataGbps() {
        return dataGbps;
    }

    /** Returns the Gb/s of a lane by which the speed is known, such as {@code 2.5}. */
    public String gbps() {
        return gbps;
    }

    /** Returns the LinkSpeedActive of a port at this speed. */
    public int active() {
        return active;
    }

    /** Returns the LinkSpeedExtActive of a port at this speed; 0 up to QDR, and for XDR. */
    public int extActive() {
        return extActive;
    }

    /** Returns the LinkSpeedExtActive2 of a port at this speed; 0 up to NDR. */
    public int extActive2() {
        return extActive2;
    }

    /** Returns the speed with a name such as {@code QDR}, in any case; empty if no speed has it. */
    public static Optional<LinkSpeed> ofName(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return Arrays.stream(ALL).filter(speed -> speed.name().equals(upper)).findFirst();
    }

    /**
     * Returns the speed in the fields of a port, even if extended speeds are not announced; empty for an unknown code.
     */
    public static Optional<LinkSpeed> of(PortInfo port) {
        return of(port, port.get(PortInfo.LINK_SPEED_EXT_ACTIVE), port.get(PortInfo.LINK_SPEED_EXT_ACTIVE2));
    }

    /**
     * Returns the speed of a port; empty for an unknown code.
     *
     * @param governing port with the relevant capabilities, port 0 of a switch; extended speeds that it does not
     *     announce are ignored, and all of them if it is null (unknown)
     */
    public static Optional<LinkSpeed> of(PortInfo port, @Nullable PortInfo governing) {
        return of(port, extended(port, governing), extended2(port, governing));
    }

    /**
     * Checks whether a port runs at an unknown extended speed, which is newer than this program.
     *
     * @param governing port as in {@link #of(PortInfo, PortInfo)}
     */
    public static boolean isUnknownExtended(PortInfo port, @Nullable PortInfo governing) {
        return (extended(port, governing) | extended2(port, governing)) != 0
                && of(port, governing).isEmpty();
    }

    private static long extended(PortInfo port, @Nullable PortInfo governing) {
        boolean isAnnounced = governing != null && governing.hasCapability(PortInfo.CAP_EXTENDED_SPEEDS);
        return isAnnounced ? port.get(PortInfo.LINK_SPEED_EXT_ACTIVE) : 0;
    }

    private static long extended2(PortInfo port, @Nullable PortInfo governing) {
        boolean isAnnounced = governing != null && governing.hasCapability2(PortInfo.CAP2_EXTENDED_SPEEDS_2);
        return isAnnounced ? port.get(PortInfo.LINK_SPEED_EXT_ACTIVE2) : 0;
    }

    private static Optional<LinkSpeed> of(PortInfo port, long extended, long extended2) {
        for (LinkSpeed speed : ALL) {
            boolean isMatch = extended2 != 0
                    ? speed.extActive2 == extended2
                    : speed.extActive2 == 0
                            && speed.extActive == extended
                            && (extended != 0 || speed.active == port.get(PortInfo.LINK_SPEED_ACTIVE));
            if (isMatch) {
                return Optional.of(speed);
            }
        }
        return Optional.empty();
    }

    /**
     * Checks whether this speed is enabled at a port.
     *
     * @param governing port as in {@link #of(PortInfo, PortInfo)}
     */
    public boolean isEnabled(PortInfo port, @Nullable PortInfo governing) {
        return isIn(
                port,
                governing,
                PortInfo.LINK_SPEED_ENABLED,
                PortInfo.LINK_SPEED_EXT_ENABLED,
                PortInfo.LINK_SPEED_EXT_ENABLED2);
    }

    /**
     * Checks whether a port supports this speed.
     *
     * @param governing port as in {@link #of(PortInfo, PortInfo)}
     */
    public boolean isSupported(PortInfo port, @Nullable PortInfo governing) {
        return isIn(
                port,
                governing,
                PortInfo.LINK_SPEED_SUPPORTED,
                PortInfo.LINK_SPEED_EXT_SUPPORTED,
                PortInfo.LINK_SPEED_EXT_SUPPORTED2);
    }

    private boolean isIn(PortInfo port, @Nullable PortInfo governing, Field speeds, Field extended, Field extended2) {
        if (extActive2 != 0) {
            boolean isAnnounced = governing != null && governing.hasCapability2(PortInfo.CAP2_EXTENDED_SPEEDS_2);
            return isAnnounced && (port.get(extended2) & extActive2) != 0;
        } else if (extActive != 0) {
            boolean isAnnounced = governing != null && governing.hasCapability(PortInfo.CAP_EXTENDED_SPEEDS);
            return isAnnounced && (port.get(extended) & extActive) != 0;
        }
        return (port.get(speeds) & active) != 0;
    }

    /** Returns a copy of a PortInfo with this speed as the active one. */
    public PortInfo applyTo(PortInfo port) {
        return port.with(PortInfo.LINK_SPEED_ACTIVE, active)
                .with(PortInfo.LINK_SPEED_EXT_ACTIVE, extActive)
                .with(PortInfo.LINK_SPEED_EXT_ACTIVE2, extActive2);
    }
}
