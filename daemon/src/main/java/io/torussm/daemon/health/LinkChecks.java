package io.torussm.daemon.health;

import io.torussm.daemon.health.Check.Verdict;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Field;
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.PortInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the two ends of each cable say, compared. */
final class LinkChecks {
    /** LinkWidth codes (IBA 14.2.5.6), from narrow to wide. */
    private static final List<Width> WIDTHS = List.of(
            new Width(1, "1x"), new Width(16, "2x"), new Width(2, "4x"), new Width(4, "8x"), new Width(8, "12x"));

    private static final List<LinkSpeed> SPEEDS = List.of(LinkSpeed.values());

    private final Fabric fabric;
    private final List<Link> links = new ArrayList<>();

    private record Width(int bit, String text) {}

    /** A cable of which both ends answered, once. */
    private record Link(int near, int far, PortInfo a, PortInfo b) {}

    LinkChecks(Fabric fabric) {
        this.fabric = fabric;
        for (int port = 0; port < fabric.portCount(); port++) {
            int peer = fabric.peer(port);
            PortInfo a = fabric.portInfo(port);
            PortInfo b = peer == Fabric.NONE ? null : fabric.portInfo(peer);
            if (peer > port && a != null && b != null) {
                links.add(new Link(port, peer, a, b));
            }
        }
    }

    private interface Fault {
        /** What is wrong with a cable; null if nothing is. */
        @Nullable
        String of(Link link);
    }

    private Check check(String name, Verdict verdict, String good, Fault fault) {
        List<String> found = links.stream()
                .flatMap(link -> Stream.ofNullable(fault.of(link))
                        .map(text -> fabric.portName(link.near) + " - " + fabric.portName(link.far) + ": " + text))
                .toList();
        return Check.of(name, verdict, links.isEmpty() ? "there are no cables" : good, found);
    }

    List<Check> all() {
        return List.of(
                check("link states", Verdict.BAD, "all " + links.size() + " links are active", this::state),
                check("link width", Verdict.WARNING, "each link is as wide as both ends can be", LinkChecks::width),
                check("link speed", Verdict.WARNING, "each link is as fast as both ends can be", this::speed),
                check(
                        "link MTU",
                        Verdict.WARNING,
                        "both ends of each link have the same, as large as both can",
                        LinkChecks::mtu),
                check("link VLs", Verdict.WARNING, "both ends of each link have the same", LinkChecks::vls));
    }

    private @Nullable String state(Link link) {
        boolean isActive = Stream.of(link.a, link.b).allMatch(end -> end.portState() == PortInfo.STATE_ACTIVE);
        return isActive ? null : "not active";
    }

    private static @Nullable String width(Link link) {
        int active = width(width -> (link.a.get(PortInfo.LINK_WIDTH_ACTIVE) & width.bit) != 0);
        int able = widest(link, PortInfo.LINK_WIDTH_SUPPORTED);
        int enabled = widest(link, PortInfo.LINK_WIDTH_ENABLED);
        return active < 0 || active >= able
                ? null
                : WIDTHS.get(active).text + ", and both ends can " + WIDTHS.get(able).text + limit(active >= enabled);
    }

    private static int widest(Link link, Field field) {
        return width(width -> (link.a.get(field) & link.b.get(field) & width.bit) != 0);
    }

    /** The index of the widest; -1 if there is none. */
    private static int width(Predicate<Width> isOne) {
        return last(WIDTHS, isOne);
    }

    private static <T> int last(List<T> ascending, Predicate<T> isOne) {
        List<Boolean> are = ascending.stream().map(isOne::test).toList();
        return are.lastIndexOf(true);
    }

    private @Nullable String speed(Link link) {
        int active = LinkSpeed.of(link.a, fabric.governing(link.near))
                .map(SPEEDS::indexOf)
                .orElse(-1);
        int able = fastest(link, (speed, port) -> speed.isSupported(port.info, port.governing));
        int enabled = fastest(link, (speed, port) -> speed.isEnabled(port.info, port.governing));
        return active < 0 || active >= able
                ? null
                : SPEEDS.get(active) + ", and both ends can " + SPEEDS.get(able) + limit(active >= enabled);
    }

    private record Governed(PortInfo info, @Nullable PortInfo governing) {}

    private int fastest(Link link, BiPredicate<LinkSpeed, Governed> can) {
        Governed a = new Governed(link.a, fabric.governing(link.near));
        Governed b = new Governed(link.b, fabric.governing(link.far));
        return last(SPEEDS, speed -> can.test(speed, a) && can.test(speed, b));
    }

    private static String limit(boolean isBySettings) {
        return isBySettings ? " (more is not enabled there)" : "";
    }

    private static @Nullable String mtu(Link link) {
        int near = link.a.neighborMtu();
        int far = link.b.neighborMtu();
        int able = Math.min(link.a.mtuCap(), link.b.mtuCap());
        if (near != far) {
            return PortInfo.mtuBytes(near) + " at one end, " + PortInfo.mtuBytes(far) + " at the other";
        }
        return near < able ? PortInfo.mtuBytes(near) + ", and both ends can " + PortInfo.mtuBytes(able) : null;
    }

    private static @Nullable String vls(Link link) {
        int near = link.a.operationalVls();
        int far = link.b.operationalVls();
        return near == far ? null : "OperationalVLs code " + near + " at one end, " + far + " at the other";
    }
}
