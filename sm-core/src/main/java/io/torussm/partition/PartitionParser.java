package io.torussm.partition;

import io.torussm.conf.ConfLines;
import io.torussm.event.SmEvent;
import io.torussm.mad.Gid;
import io.torussm.mad.sa.Rates;
import io.torussm.partition.PartitionConf.MemberClass;
import io.torussm.partition.PartitionConf.Parsed;
import io.torussm.partition.PartitionConf.Rule;
import io.torussm.partition.PartitionStatement.GroupFlags;
import io.torussm.partition.PartitionStatement.GroupLine;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parser of partitions.conf, as described by opensm(8): {@code [name][=pkey]{,flag} : item{,item} ;} with
 * the head on one line. The end of a line ends an item; {@code mgid=} takes the rest of its line.
 *
 * <p>It is stricter than OpenSM, which skips unknown text. Here that is an error, and a file with an error is
 * not used at all: half a list of members is wrong.
 */
final class PartitionParser {
    private static final int MAX_NAME_CHARS = 64;

    /**
     * The maximum number of rules for classes of ports. Each costs time for every port, and no port has room
     * for more keys.
     */
    private static final int MAX_CLASS_RULES = 1024;

    private static final int MAX_MTU = 5;
    private static final int MAX_RATE = 63;
    private static final Pattern GIGABITS = Pattern.compile("([0-9.]+)G(b/s)?");

    /** Two GUIDs as a range, as a file of NVIDIA's OpenSM may have it; no public page states the syntax. */
    private static final Pattern GUID_RANGE = Pattern.compile("[0-9a-fA-FxX]+\\s*(-|\\.\\.)\\s*[0-9a-fA-FxX]+");

    private static final String FLAGS = "mtu, rate, scope, Q_Key, TClass, sl, FlowLabel, ipoib, defmember or indx0";
    private static final String GROUP_FLAGS = "mtu, rate, scope, Q_Key, TClass, sl or FlowLabel";
    private static final String MEMBERS = "a port GUID, ALL, ALL_CAS, ALL_SWITCHES, ALL_ROUTERS, SELF or NONE";

    private final String file;
    private final boolean qos;
    private final ConfLines lines;
    private final List<PartitionStatement> statements = new ArrayList<>();
    private @Nullable PartitionStatement openStatement;
    private int classRules;

    PartitionParser(String file, boolean qos) {
        this.file = file;
        this.qos = qos;
        this.lines = new ConfLines(file, SmEvent.PARTITIONS_ERROR, SmEvent.PARTITIONS_WARNING);
    }

    static PartitionConf withoutFile() {
        PartitionParser parser = new PartitionParser(PartitionConf.NO_FILE, false);
        PartitionConf conf = parser.parse("Default=0x7fff, ipoib : ALL=full;").conf();
        if (conf == null) {
            throw new IllegalStateException("the built-in configuration is wrong: " + parser.lines.findings());
        }
        return conf;
    }

    Parsed parse(String text) {
        lines.read(text, "list of partitions", "begin a new line after a comma", this::parseLine);
        if (openStatement != null) {
            lines.error(
                    openStatement.line, "the partition that begins here has no end; write ';' after its last member");
        }
        PartitionConf conf = !lines.isClean()
                ? null
                : statements.isEmpty() ? defaultConf() : new PartitionAssembly(file, lines).conf(statements);
        return new Parsed(lines.isClean() ? conf : null, lines.findings());
    }

    /**
     * Returns the default configuration: a file with comments only, as distributions install it, counts as
     * none, as in OpenSM.
     */
    private PartitionConf defaultConf() {
        lines.warn(
                0,
                "the file names no partition, so all ports are full members of the default one; to separate them,"
                        + " begin with Default=0x7fff : ALL=limited ;");
        return new PartitionConf(file, PartitionConf.NONE.partitions(), PartitionConf.NONE.groups());
    }

    private void parseLine(String rawLine) {
        String text = ConfLines.withoutComment(rawLine);
        int from = 0;
        for (int end = text.indexOf(';'); end >= 0; end = text.indexOf(';', from)) {
            parsePart(text.substring(from, end));
            if (openStatement == null) {
                error("there is nothing before ';'; write NAME=PKEY : MEMBERS ;");
            }
            openStatement = null;
            from = end + 1;
        }
        parsePart(text.substring(from));
    }

    /** Parses a line, or the text between two of its semicolons. */
    private void parsePart(String part) {
        PartitionStatement statement = openStatement;
        if (statement != null) {
            parseBody(statement, part);
        } else if (!part.isBlank()) {
            int colon = part.indexOf(':');
            statement = new PartitionStatement(lines.line());
            openStatement = statement;
            statements.add(statement);
            if (colon < 0) {
                error("a partition begins with NAME=PKEY, its flags and ':' on one line; there is no ':' in "
                        + ConfLines.quote(part) + "");
            } else {
                parseHead(statement, part.substring(0, colon));
                parseBody(statement, part.substring(colon + 1));
            }
        }
    }

    private void parseHead(PartitionStatement statement, String head) {
        String[] parts = head.split(",", -1);
        Token first = Token.of(parts[0]);
        boolean isKeyAlone = first.value() == null && first.name().matches("[0-9].*");
        statement.name = isKeyAlone ? "" : first.name();
        String pKey = isKeyAlone ? first.name() : first.value();
        if (statement.name.length() > MAX_NAME_CHARS) {
            error("the name of a partition has at most " + MAX_NAME_CHARS + " characters");
        }
        if (pKey != null) {
            statement.pKey = PKeys.base((int) number(pKey, 0xffff, "a P_Key, up to 0xffff"));
        }
        for (int i = 1; i < parts.length; i++) {
            parseFlag(statement, Token.of(parts[i]));
        }
        if (!qos && statement.flags.sl != 0) {
            warn("SL " + statement.flags.sl + " is taken as 0, since QoS is off; start with -Q, or leave sl= out");
            statement.flags.sl = 0;
        }
    }

    private void parseFlag(PartitionStatement statement, Token flag) {
        if (flag.name().equals("indx0")) {
            statement.isAtIndex0 = true;
        } else if (parseGroupFlag(statement.flags, flag)) {
            statement.hasSl |= groupFlag(flag.name()).equals("sl");
        } else {
            if (!flag.name().isEmpty() && "ipoib".startsWith(flag.name())) {
                statement.isIpoib = true;
            } else if (!flag.name().isEmpty() && "defmember".startsWith(flag.name())) {
                Membership defaultMembership = flag.value() == null ? null : Membership.of(flag.value());
                if (defaultMembership == null) {
                    error("defmember is full, limited or both, not " + ConfLines.quote(flag.valueOrNothing()));
                } else {
                    statement.defaultMembership = defaultMembership;
                }
            } else {
                error(ConfLines.quote(flag.name()) + " is no flag of a partition; use " + FLAGS);
            }
        }
    }

    /** Parses a flag of groups; returns false if it is another flag. */
    private boolean parseGroupFlag(GroupFlags flags, Token flag) {
        String full = groupFlag(flag.name());
        if (full.isEmpty()) {
            return false;
        }
        String value = flag.valueOrNothing();
        switch (full) {
            case "mtu" -> flags.mtu = mtu(value);
            case "rate" -> flags.rate = rate(value);
            case "scope" -> {
                int scope = (int) number(value, 15, "a scope, 1 to 15, such as 2 (link-local)");
                flags.scopes |= scope == 0 ? (int) reportError("scope is 1 to 15, not 0") : 1 << scope;
            }
            case "Q_Key" -> flags.qKey = (int) number(value, 0xffff_ffffL, "a Q_Key of up to 32 bits");
            case "TClass" -> flags.tClass = (int) number(value, 0xff, "a TClass, up to 0xff");
            case "sl" -> flags.sl = (int) number(value, 15, "an SL, 0 to 15");
            default -> flags.flowLabel = (int) number(value, 0xf_ffff, "a FlowLabel, up to 0xfffff");
        }
        return true;
    }

    /** Parses an MTU code, given as a code or in bytes; the two cannot be confused. */
    private int mtu(String text) {
        OptionalLong number = ConfLines.number(text);
        for (int code = 1; number.isPresent() && code <= MAX_MTU; code++) {
            if (number.getAsLong() == code || number.getAsLong() == WellKnownGroup.bytes(code)) {
                return code;
            }
        }
        return (int) reportError(ConfLines.quote(text)
                + " is no MTU; write bytes, 256 to 4096, or a code, 1 (256 bytes) to 5 (4096 bytes)");
    }

    /**
     * Parses a rate code. A plain number is a code; Gb/s need their unit, since 10 Gb/s are code 3 and code
     * 10 is 120 Gb/s.
     */
    private int rate(String text) {
        Matcher withUnit = GIGABITS.matcher(text);
        OptionalInt named = Rates.ofGigabits(withUnit.matches() ? withUnit.group(1) : text);
        OptionalLong code = ConfLines.number(text);
        if (withUnit.matches() && named.isPresent()) {
            return named.getAsInt();
        }
        if (code.isPresent() && code.getAsLong() <= MAX_RATE && Rates.isDefined((int) code.getAsLong())) {
            return (int) code.getAsLong();
        }
        return (int) reportError(
                code.isPresent() && named.isPresent()
                        ? ConfLines.quote(text) + " is no rate code; " + text + " Gb/s is rate=" + text + "G"
                        : ConfLines.quote(text)
                                + " is no rate; write Gb/s with the unit, such as 10G, or a code, such as 3 (10 Gb/s)");
    }

    private static String groupFlag(String abbreviation) {
        if (!abbreviation.isEmpty()) {
            for (String full : new String[] {"mtu", "rate", "scope", "Q_Key", "TClass", "sl", "FlowLabel"}) {
                if (full.startsWith(abbreviation)) {
                    return full;
                }
            }
        }
        return "";
    }

    private void parseBody(PartitionStatement statement, String body) {
        String[] items = body.split(",", -1);
        for (int i = 0; i < items.length; i++) {
            Token item = Token.of(items[i]);
            if (item.name().equals("mgid")) {
                parseGroup(statement, item, items, i + 1);
                return;
            }
            if (!item.name().isEmpty() || item.value() != null) {
                parseMember(statement, item);
            }
        }
    }

    private void parseMember(PartitionStatement statement, Token item) {
        Membership membership = statement.defaultMembership;
        if (item.value() != null) {
            Membership given = Membership.of(item.value());
            if (given == null && item.value().indexOf(':') < 0) {
                warn(ConfLines.quote(item.value()) + " is taken as limited; a member is full, limited or both");
            }
            membership = given == null ? Membership.LIMITED : given;
        }
        String name = item.name();
        if (name.indexOf(':') >= 0 || item.valueOrNothing().indexOf(':') >= 0) {
            error("there is a second ':' before " + ConfLines.quote(name)
                    + "; write flags before the first one, and end the partition above with ';'");
        } else if (!name.isEmpty() && "NONE".startsWith(name)) {
            return;
        } else {
            MemberClass who = classOf(name);
            boolean isGuid = who == MemberClass.PORT;
            long guid = isGuid ? guid(name) : 0;
            boolean isClass = !isGuid && who != MemberClass.SELF;
            if (isClass && ++classRules > MAX_CLASS_RULES) {
                error("more than " + MAX_CLASS_RULES + " times ALL or the like; no port has room for so many keys");
            }
            if (!isGuid || guid != 0) {
                statement.rules.add(new Rule(who, guid, membership, statement.isAtIndex0, lines.line()));
            }
        }
    }

    private static MemberClass classOf(String name) {
        if (!name.isEmpty()) {
            for (MemberClass who : new MemberClass[] {
                MemberClass.ALL,
                MemberClass.ALL_CAS,
                MemberClass.ALL_SWITCHES,
                MemberClass.ALL_ROUTERS,
                MemberClass.SELF
            }) {
                if (who.name().startsWith(name)) {
                    return who;
                }
            }
        }
        return MemberClass.PORT;
    }

    /** Parses a port GUID; returns 0 after an error, which is reported. */
    private long guid(String text) {
        OptionalLong guid = ConfLines.number(text);
        if (guid.isEmpty() && GUID_RANGE.matcher(text).matches()) {
            return reportError(ConfLines.quote(text)
                    + " is a range of GUIDs, as NVIDIA's OpenSM may have it, and ranges are not read; write each GUID,"
                    + " separated by commas");
        } else if (guid.isEmpty()) {
            return reportError(ConfLines.quote(text) + " is no member; write " + MEMBERS
                    + ", and end the partition above with ';'");
        }
        return guid.getAsLong() == 0 ? reportError("there is no port GUID 0; write " + MEMBERS) : guid.getAsLong();
    }

    private void parseGroup(PartitionStatement statement, Token mgid, String[] items, int from) {
        GroupFlags flags = statement.flags.copy();
        for (int i = from; i < items.length; i++) {
            Token flag = Token.of(items[i]);
            if (!flag.name().isEmpty() && !parseGroupFlag(flags, flag)) {
                error(ConfLines.quote(flag.name())
                        + " is no flag of a multicast group; use " + GROUP_FLAGS
                        + ", and write members on a separate line");
            }
        }
        if (!qos && flags.sl != 0) {
            warn("SL " + flags.sl + " is taken as 0, since QoS is off; start with -Q, or leave sl= out");
            flags.sl = 0;
        }
        Gid gid = Ipv6.parse(mgid.valueOrNothing());
        if (gid == null || !gid.isMulticast()) {
            error(ConfLines.quote(mgid.valueOrNothing()) + " is no multicast GID; write one such as ff12:401b::16");
        } else {
            if (PartitionAssembly.isIp(gid)
                    && (flags.mtu != statement.flags.mtu || flags.rate != statement.flags.rate)) {
                error("an IP group has the MTU and the rate of its partition's broadcast group, "
                        + WellKnownGroup.bytes(statement.flags.mtu) + " bytes and " + Rates.name(statement.flags.rate)
                        + "; leave mtu= and rate= out here, or give them to the partition");
            }
            statement.groups.add(new GroupLine(gid, flags, lines.line()));
        }
    }

    /**
     * Parses a number of C: decimal, hexadecimal after 0x, octal after 0. Returns 0 after an error, which is
     * reported.
     */
    private long number(String text, long max, String noun) {
        OptionalLong value = ConfLines.number(text);
        return value.isPresent() && Long.compareUnsigned(value.getAsLong(), max) <= 0
                ? value.getAsLong()
                : reportError(ConfLines.quote(text) + " is not " + noun);
    }

    /** Reports an error; returns 0, which has no effect any more. */
    private long reportError(String message) {
        error(message);
        return 0;
    }

    private void error(String message) {
        lines.error(message);
    }

    private void warn(String message) {
        lines.warn(message);
    }

    /** A pair {@code name[=value]} without surrounding blanks. */
    private record Token(String name, @Nullable String value) {
        static Token of(String text) {
            int equals = text.indexOf('=');
            return equals < 0
                    ? new Token(text.strip(), null)
                    : new Token(
                            text.substring(0, equals).strip(),
                            text.substring(equals + 1).strip());
        }

        String valueOrNothing() {
            return value == null ? "" : value;
        }
    }
}
