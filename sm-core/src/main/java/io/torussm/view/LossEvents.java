package io.torussm.view;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.names.NameList;
import io.torussm.names.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The events for losses and their ends. They are the same for all engines and shapes of fabrics. */
public final class LossEvents {
    /** The maximum number of switches, of cables, and of hosts that one event names. */
    static final int MAX_NAMED = 8;

    private final PlacedSubnet currentSubnet;
    private final Names names;
    private final LinkRates rates;

    private LossEvents(PlacedSubnet currentSubnet) {
        this.currentSubnet = currentSubnet;
        this.names = currentSubnet.fabric().names();
        this.rates = new LinkRates(currentSubnet.fabric());
    }

    /**
     * Returns the events between two discoveries: a warning for each new loss, and a note for each loss that ended
     * or became smaller.
     *
     * @param at time of the later discovery
     */
    public static List<Finding> between(Absences previous, Absences after, PlacedSubnet currentSubnet, Instant at) {
        if (previous.losses().equals(after.losses())) {
            return List.of();
        }
        LossEvents events = new LossEvents(currentSubnet);
        Map<Loss.Id, Loss> oldLosses = byId(previous);
        Map<Loss.Id, Loss> still = byId(after);
        List<Finding> findings = new ArrayList<>();
        for (Loss loss : after.losses()) {
            if (!oldLosses.containsKey(loss.id())) {
                findings.add(events.lost(loss));
            }
        }
        for (Loss oldLoss : previous.losses()) {
            Loss rest = still.getOrDefault(oldLoss.id(), continued(oldLoss, after));
            if (rest == null) {
                findings.add(events.ended(oldLoss, at));
            } else if (!oldLoss.without(rest).hasReturned()) {
                findings.add(events.partlyReturned(oldLoss.without(rest), rest, at));
            }
        }
        return findings;
    }

    /** Returns the later loss that contains the rest of an earlier loss; null if the earlier loss ended. */
    private static @Nullable Loss continued(Loss oldLoss, Absences after) {
        return after.losses().stream()
                .filter(loss ->
                        loss.continues(oldLoss) && !loss.without(oldLoss).equals(loss))
                .findFirst()
                .orElse(null);
    }

    private static Map<Loss.Id, Loss> byId(Absences absences) {
        return absences.losses().stream().collect(Collectors.toMap(Loss::id, Function.identity()));
    }

    /** Returns the event of an open loss, with its parts that are still absent. */
    public static Finding openLoss(Loss loss, PlacedSubnet currentSubnet) {
        return new LossEvents(currentSubnet).lost(loss);
    }

    private Finding lost(Loss loss) {
        Loss.Size size = loss.id().size();
        if (loss.kind() == Loss.LossType.CABLE) {
            return cable(SmEvent.CABLE_LOST, loss, location(loss.cables().get(0)));
        } else if (loss.hasPartlyReturned()) {
            String rest = "of " + count(size) + " that were lost, still gone: " + count(loss.remaining()) + list(loss);
            return loss.kind() == Loss.LossType.SWITCH
                    ? device(SmEvent.SWITCH_LOST, loss, ": " + rest)
                    : SmEvent.MANY_LOST.finding(rest, subject(loss));
        }
        String hosts = hosts(loss.id());
        if (loss.kind() == Loss.LossType.SWITCH) {
            String cables = number(size.cables(), "cable") + " to switches";
            String and = hosts.isEmpty() ? "" : " and ";
            return device(SmEvent.SWITCH_LOST, loss, " is gone, with " + hosts + and + cables + list(loss));
        }
        String rack = loss.rack(names);
        String with = hosts.isEmpty() ? "" : ", with " + hosts;
        return SmEvent.MANY_LOST.finding(
                (rack.isEmpty() ? "" : rack + ": ") + count(size) + " are gone" + with + list(loss), subject(loss));
    }

    /** Returns the number and the names of the hosts that were lost with switches; empty without hosts. */
    private String hosts(Loss.Id loss) {
        return hosts(loss.hosts());
    }

    /** Returns the number and the names of those of these hosts that a fabric has; empty without any. */
    private String hosts(Loss.Id loss, Fabric fabric) {
        return hosts(loss.hosts().stream()
                .filter(host -> fabric.endport(host.port().portGuid()) != Fabric.NONE)
                .toList());
    }

    private String hosts(List<LostCable.LostEnd> hosts) {
        List<String> named = hosts.stream().limit(MAX_NAMED).map(this::name).toList();
        return hosts.isEmpty()
                ? ""
                : number(hosts.size(), "host") + " (" + NameList.of(named, hosts.size(), MAX_NAMED) + ")";
    }

    private Finding ended(Loss oldLoss, Instant at) {
        String replaced = oldLoss.cables().stream()
                .map(this::replacement)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
        String outcome = replaced.isEmpty() ? "back" + after(oldLoss, at) : "not missed any more, since " + replaced;
        return switch (oldLoss.kind()) {
            case CABLE ->
                cable(SmEvent.CABLE_BACK, oldLoss, replaced.isEmpty() ? outcome + rates.at(oldLoss) : outcome);
            case SWITCH -> device(SmEvent.SWITCH_BACK, oldLoss, replaced.isEmpty() ? outcome + all(oldLoss) : outcome);
            case MANY ->
                SmEvent.MANY_BACK.finding(
                        count(oldLoss.id().size()) + " are " + outcome + (replaced.isEmpty() ? rates.at(oldLoss) : "")
                                + list(oldLoss),
                        subject(oldLoss));
        };
    }

    private static String after(Loss loss, Instant at) {
        String away = TimeAway.of(loss.id().since(), at);
        return away.isEmpty() ? "" : " after " + away;
    }

    /** Returns the hosts that are back with a switch, the number of its cables, and their rates. */
    private String all(Loss loss) {
        int cables = loss.id().size().cables();
        String hosts = hosts(loss.id(), currentSubnet.fabric());
        String cableWords =
                cables == 0 ? "" : (cables == 1 ? "its 1 cable" : "all " + cables + " cables") + " to switches";
        String parts =
                Stream.of(hosts, cableWords).filter(part -> !part.isEmpty()).collect(Collectors.joining(" and "));
        return parts.isEmpty() ? "" : ", with " + parts + rates.at(loss);
    }

    private Finding partlyReturned(Loss back, Loss rest, Instant at) {
        String text = count(back.remaining()) + " of " + count(rest.id().size()) + " that were lost with ";
        return SmEvent.PARTLY_BACK.finding(
                text,
                rest.id().first().device(names),
                " are back" + after(rest, at) + list(back) + "; still gone: " + count(rest.remaining()) + list(rest));
    }

    private Finding device(SmEvent event, Loss loss, String text) {
        return Finding.of(event, EventField.NAME.of(loss.id().first().device(names)), EventField.TEXT.of(text));
    }

    private Finding cable(SmEvent event, Loss loss, String text) {
        LostCable cable = loss.cables().get(0);
        DeviceText near = cable.near().devicePort(names);
        String label = cable.label(names);
        return Finding.of(
                event,
                EventField.NAME.of(label.isEmpty() ? near : near.with(EventField.CABLE.of(label))),
                EventField.DESTINATION.of(cable.far().devicePort(names).text()),
                EventField.TEXT.of(text));
    }

    /** Returns a text without words that has the fields of the first device, so that the event names the device. */
    private DeviceText subject(Loss loss) {
        return loss.id().first().device(names).withText("");
    }

    /**
     * Returns the label of a cable and the locations of its ends, in parentheses; empty if they are unknown.
     */
    private String location(LostCable cable) {
        String label = cable.label(names);
        String sites = Stream.of(cable.near(), cable.far())
                .map(end -> end.site(names).toString())
                .filter(site -> !site.isEmpty())
                .distinct()
                .collect(Collectors.joining(" - "));
        String text = Stream.of(label.isEmpty() ? "" : "cable " + label, sites)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
        return text.isEmpty() ? "" : " (" + text + ")";
    }

    private static String count(Loss.Size size) {
        return Stream.of(
                        size.switches() == 0 ? "" : number(size.switches(), "switch"),
                        size.cables() == 0 ? "" : number(size.cables(), "cable") + " between switches")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" and "));
    }

    private static String number(int count, String noun) {
        return count + " " + noun + (count == 1 ? "" : noun.endsWith("h") ? "es" : "s");
    }

    /**
     * Returns a colon and the names of the switches of a loss of several, otherwise of its cables. Names beyond
     * {@link #MAX_NAMED} are counted.
     */
    private String list(Loss loss) {
        boolean isOfSwitches = !loss.switches().isEmpty() && loss.kind() == Loss.LossType.MANY;
        List<String> names = isOfSwitches
                ? loss.switches().stream().map(this::name).toList()
                : loss.cables().stream().map(cable -> words(cable, loss)).toList();
        return names.isEmpty() ? "" : ": " + NameList.of(names, MAX_NAMED);
    }

    private String name(LostCable.LostEnd end) {
        LostCable.LostEnd current = end.withName(names);
        return (current.place()
                        + (current.name().isEmpty()
                                ? " " + Guid.format(current.nodeGuid())
                                : " \"" + current.name() + "\""))
                .strip();
    }

    /** Returns the text for both ends of a cable. For the end at the lost switch, it contains only the port. */
    private String words(LostCable cable, Loss loss) {
        long lostGuid =
                loss.kind() == Loss.LossType.SWITCH ? loss.id().first().port().portGuid() : 0;
        boolean isFar = cable.far().port().portGuid() == lostGuid;
        LostCable.LostEnd near = isFar ? cable.far() : cable.near();
        LostCable.LostEnd far = isFar ? cable.near() : cable.far();
        return (near.port().portGuid() == lostGuid ? "" : name(near) + " ") + "port "
                + near.port().portNum() + " - " + name(far) + " port "
                + far.port().portNum();
    }

    /** Returns the text for the new peer of an end of a cable; empty without a new peer. */
    private String replacement(LostCable cable) {
        return Stream.of(cable.near(), cable.far())
                .map(end -> replacement(end, cable.across(end)))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }

    private String replacement(LostCable.LostEnd end, LostCable.LostEnd across) {
        Fabric fabric = currentSubnet.fabric();
        int node = fabric.nodeByGuid(end.nodeGuid());
        boolean isThere = node != Fabric.NONE && end.port().portNum() <= fabric.numPorts(node);
        int peer = isThere ? fabric.peer(fabric.port(node, end.port().portNum())) : Fabric.NONE;
        LostCable.LostEnd newEnd = peer == Fabric.NONE ? across : LostCable.LostEnd.of(currentSubnet, peer);
        return newEnd.port().equals(across.port())
                ? ""
                : name(end) + " port " + end.port().portNum() + " is cabled to " + name(newEnd) + " port "
                        + newEnd.port().portNum() + " now";
    }
}
