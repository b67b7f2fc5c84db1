package io.torussm.daemon.config.migration;

import io.torussm.mad.Guid;
import java.util.Locale;

/** The notations of values in an opensm.conf. */
final class OptionValues {
    private OptionValues() {}

    /** Returns a number in decimal. OpenSM reads a leading 0 as octal, this program does not. */
    static String decimal(String value) {
        return value.matches("0[0-7]{1,20}") ? Long.toString(Long.parseLong(value, 8)) : value;
    }

    /** Returns the same text for equal values in different notations, and for default files of upstream and EL. */
    static String canonical(String value) {
        try {
            return Long.toUnsignedString(Guid.parse(decimal(value)));
        } catch (NumberFormatException e) {
            return value.toLowerCase(Locale.ROOT).replaceFirst("^/etc/rdma/", "/etc/opensm/");
        }
    }
}
