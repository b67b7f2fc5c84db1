package io.torussm.daemon.config.migration;

import io.torussm.mad.Guid;
import java.util.Locale;

/** The notations of values in an opensm.conf. */
final class OptionValues {
    /** The only value of a flag that OpenSM takes for true, and the one that it writes for false. */
    static final String TRUE = "TRUE";

    static final String FALSE = "FALSE";

    /** Value of an option that is not set. */
    static final String UNSET = "(null)";

    private OptionValues() {}

    /** Returns an octal number in decimal, and other values unchanged. For OpenSM a leading 0 means octal. */
    static String decimal(String value) {
        return value.matches("0[0-7]{1,20}") ? Long.toString(Long.parseLong(value, 8)) : value;
    }

    /** Returns one text for all notations of a value, and for the default files of upstream and of Enterprise Linux. */
    static String canonical(String value) {
        try {
            return Long.toUnsignedString(Guid.parse(decimal(value)));
        } catch (NumberFormatException e) {
            return value.toLowerCase(Locale.ROOT).replaceFirst("^/etc/rdma/", "/etc/opensm/");
        }
    }
}
