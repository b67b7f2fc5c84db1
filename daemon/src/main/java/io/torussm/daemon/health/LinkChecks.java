package io.torussm.daemon.health;

import io.torussm.daemon.health.Check.Verdict;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Field;
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.LinkWidth;
import io.torussm.mad.smp.PortInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The comparison of the PortInfo of the two ends of each cable. */
final class LinkChecks {
    private static final List<LinkWidth> WIDTHS = List.of(LinkWidth.values());
    private static final List<LinkSpeed> SPEEDS = List.of(LinkSpeed.values());

    private final Fabric fabric;
    private final List<Link> links = new ArrayList<>();

    /**
     * A cable with responses of both ends. Each cable occurs once.
     *
     * @param near port index of one end
     * @param far port index of the other end
     * @param a PortInfo of the near end
     * @param b PortInfo of the far end
     */
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
        /** Returns the fault of a cable; null without a fault. */
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
                rate("link width", "each link has the width that both ends support and enable", LinkChecks::width),
                rate("link speed", "each link has the speed that both ends support and enable", this::speed),
                check(
                        "link MTU",
                        Verdict.WARNING,
                        "both ends of each link have the same MTU, the largest that both support",
                        LinkChecks::mtu),
                check(
                        "link VLs",
                        Verdict.WARNING,
                        "both ends of each link have the same number of VLs",
                        LinkChecks::vls));
    }

    /**
     * A width or speed of a link below the maximum that both ends support.
     *
     * @param text description of the shortfall
     * @param isBySettings true if the enabled values of an end limit the link; this is no fault
     */
    private record Shortfall(String text, boolean isBySettings) {}

    private interface Rate {
        /** Returns the shortfall of a cable; null without a shortfall. */
        @Nullable
        Shortfall of(Link link);
    }

    /**
     * Returns a check that warns of links below their enabled width or speed. Links that are limited by their settings
     * are only counted, with a line for each limit.
     */
    private Check rate(String name, String good, Rate rate) {
        Check check = check(name, Verdict.WARNING, good, link -> {
            Shortfall shortfall = rate.of(link);
            return shortfall == null || shortfall.isBySettings ? null : shortfall.text;
        });
        Map<String, Long> limited = links.stream()
                .flatMap(link -> Stream.ofNullable(rate.of(link)))
                .filter(Shortfall::isBySettings)
                .collect(Collectors.groupingBy(Shortfall::text, TreeMap::new, Collectors.counting()));
        Stream<String> lines = limited.entrySet().stream()
                .map(kind -> kind.getValue() + (kind.getValue() == 1 ? " link: " : " links: ") + kind.getKey()
                        + " (more is not enabled there)");
        return new Check(
                check.name(),
                check.verdict(),
                check.summary(),
                Stream.concat(check.findings().stream(), lines).toList(),
                check.more());
    }

    private @Nullable String state(Link link) {
        boolean isActive = Stream.of(link.a, link.b).allMatch(end -> end.portState() == PortInfo.STATE_ACTIVE);
        return isActive ? null : "not active";
    }

    private static @Nullable Shortfall width(Link link) {
        int active = LinkWidth.of(link.a).map(WIDTHS::indexOf).orElse(-1);
        int able = maxWidth(link, PortInfo.LINK_WIDTH_SUPPORTED);
        int enabled = maxWidth(link, PortInfo.LINK_WIDTH_ENABLED);
        return active < 0 || active >= able
                ? null
                : new Shortfall(WIDTHS.get(active) + ", and both ends support " + WIDTHS.get(able), active >= enabled);
    }

    private static int maxWidth(Link link, Field field) {
        return last(WIDTHS, width -> (link.a.get(field) & link.b.get(field) & width.code()) != 0);
    }

    /** Returns the index of the last item that matches; -1 if none does. */
    private static <T> int last(List<T> ascending, Predicate<T> isOne) {
        List<Boolean> matches = ascending.stream().map(isOne::test).toList();
        return matches.lastIndexOf(true);
    }

    private @Nullable Shortfall speed(Link link) {
        int active = LinkSpeed.of(link.a, fabric.capabilityPortInfo(link.near))
                .map(SPEEDS::indexOf)
                .orElse(-1);
        int able = maxSpeed(link, (speed, port) -> speed.isSupported(port.info, port.governing));
        int enabled = maxSpeed(link, (speed, port) -> speed.isEnabled(port.info, port.governing));
        return active < 0 || active >= able
                ? null
                : new Shortfall(SPEEDS.get(active) + ", and both ends support " + SPEEDS.get(able), active >= enabled);
    }

    private record Governed(PortInfo info, @Nullable PortInfo governing) {}

    private int maxSpeed(Link link, BiPredicate<LinkSpeed, Governed> can) {
        Governed a = new Governed(link.a, fabric.capabilityPortInfo(link.near));
        Governed b = new Governed(link.b, fabric.capabilityPortInfo(link.far));
        return last(SPEEDS, speed -> can.test(speed, a) && can.test(speed, b));
    }

    private static @Nullable String mtu(Link link) {
        int near = link.a.neighborMtu();
        int far = link.b.neighborMtu();
        int able = Math.min(link.a.mtuCap(), link.b.mtuCap());
        if (near != far) {
            return PortInfo.mtuBytes(near) + " at one end, " + PortInfo.mtuBytes(far) + " at the other";
        }
        return near < able ? PortInfo.mtuBytes(near) + ", and both ends support " + PortInfo.mtuBytes(able) : null;
    }

    private static @Nullable String vls(Link link) {
        int near = link.a.operationalVls();
        int far = link.b.operationalVls();
        return near == far ? null : "OperationalVLs code " + near + " at one end, " + far + " at the other";
    }
}
