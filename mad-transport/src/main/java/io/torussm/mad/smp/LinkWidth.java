package io.torussm.mad.smp;

import java.util.Optional;

/** The widths of a link, in ascending order, with their codes in PortInfo (IBA 14.2.5.6). A code is one bit. */
public enum LinkWidth {
    X1(1, 1),
    X2(2, 16),
    X4(4, 2),
    X8(8, 4),
    X12(12, 8);

    private static final LinkWidth[] ALL = values();

    private final int lanes;
    private final int code;

    LinkWidth(int lanes, int code) {
        this.lanes = lanes;
        this.code = code;
    }

    /** Returns the active width of a port; empty for an unknown code. */
    public static Optional<LinkWidth> of(PortInfo port) {
        return ofCode((int) port.get(PortInfo.LINK_WIDTH_ACTIVE));
    }

    /** Returns the width with a code; empty for an unknown code. */
    public static Optional<LinkWidth> ofCode(int code) {
        for (LinkWidth width : ALL) {
            if (width.code == code) {
                return Optional.of(width);
            }
        }
        return Optional.empty();
    }

    /** Returns the number of lanes. */
    public int lanes() {
        return lanes;
    }

    /** Returns the code, a bit of LinkWidthSupported and LinkWidthEnabled. */
    public int code() {
        return code;
    }

    /** Returns the text for operators, such as {@code 4x}. */
    @Override
    public String toString() {
        return lanes + "x";
    }
}
