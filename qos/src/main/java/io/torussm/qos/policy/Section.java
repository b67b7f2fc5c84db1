package io.torussm.qos.policy;

import org.jspecify.annotations.Nullable;

/** The kinds of sections. A section begins with a line {@code word} and ends with a line {@code end-word}. */
enum Section {
    ULPS("qos-ulps", null, UlpLine.FORMS),
    GROUPS("port-groups", null, "port-group"),
    GROUP("port-group", GROUPS, "name, use, port-guid, port-name, pkey, partition or node-type"),
    SETUP("qos-setup", null, "sl2vl-tables or vlarb-tables"),
    SL2VLS("sl2vl-tables", SETUP, "sl2vl-scope"),
    SL2VL("sl2vl-scope", SL2VLS, "group, across, across-to, across-from, from, to or sl2vl-table"),
    VLARBS("vlarb-tables", SETUP, "vlarb-scope"),
    VLARB("vlarb-scope", VLARBS, "group, across, vlarb-high, vlarb-low or vl-high-limit"),
    LEVELS("qos-levels", null, "qos-level"),
    LEVEL("qos-level", LEVELS, "name, use, sl, mtu-limit, rate-limit, packet-life, path-bits or pkey"),
    RULES("qos-match-rules", null, "qos-match-rule"),
    RULE("qos-match-rule", RULES, "use, qos-class, source, destination, service-id, pkey or qos-level-name");

    private static final String END = "end-";

    private final String word;

    @SuppressWarnings("ImmutableEnumChecker") // another constant
    private final @Nullable Section parent;

    private final String content;

    Section(String word, @Nullable Section parent, String content) {
        this.word = word;
        this.parent = parent;
        this.content = content;
    }

    /** Returns the section that a line begins; null if the line begins no section. */
    static @Nullable Section ofBeginLine(String line) {
        for (Section section : values()) {
            if (section.word.equals(line)) {
                return section;
            }
        }
        return null;
    }

    /** Returns the section that a line ends; null if the line ends no section. */
    static @Nullable Section ofEndLine(String line) {
        return line.startsWith(END) ? ofBeginLine(line.substring(END.length())) : null;
    }

    String word() {
        return word;
    }

    String end() {
        return END + word;
    }

    /** Returns the enclosing section; null for an outermost section. */
    @Nullable
    Section parent() {
        return parent;
    }

    /** Returns the permitted content, as a text for messages. */
    String content() {
        return content;
    }
}
