package io.torussm.daemon.control;

import io.torussm.daemon.journal.Journal;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.inventory.Difference;
import io.torussm.inventory.Inventory;
import io.torussm.view.FabricState;
import io.torussm.view.LossEvents;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.RoutingState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A condition that has begun and has not ended.
 *
 * @param since time of its begin; null if unknown
 * @param code code of the event that reports it
 * @param level {@code error} or {@code warn}
 * @param text description
 * @param place coordinates of the switch, or name of the device; empty if the event names no device
 * @param cure remedy; empty if unknown
 */
public record Condition(@Nullable Instant since, String code, String level, String text, String place, String cure) {
    private static final EventLog EVENTS = EventLog.of(Condition.class);

    private static final int MAX_LOSSES = 100;

    /** Conditions of routing as a whole. They are taken from the state of the fabric, not from the journal. */
    private static final List<String> ROUTING_CODES =
            List.of(SmEvent.ROUTING_REFUSED.code(), SmEvent.ROUTES_DEGRADED.code(), SmEvent.FALLBACK_ENGINE.code());

    /**
     * Losses. They are taken from the state of the fabric, not from the journal, because a loss may end in parts, and
     * may be older than this process.
     */
    private static final List<String> LOSS_CODES =
            List.of(SmEvent.CABLE_LOST.code(), SmEvent.SWITCH_LOST.code(), SmEvent.MANY_LOST.code());

    /** Returns code, level and text. */
    public String line() {
        return code + " " + level + " " + text;
    }

    private boolean isOfRouting() {
        return ROUTING_CODES.contains(code);
    }

    /** Returns all open conditions: those of routing as a whole, then errors, then warnings, each by time of begin. */
    public static List<Condition> all(SmObserver observer) {
        FabricState state = observer.state();
        List<Condition> all = new ArrayList<>(ofRouting(state));
        all.addAll(ofLosses(state));
        observer.journal().conditions().stream()
                .filter(entry -> !ROUTING_CODES.contains(entry.code()) && !LOSS_CODES.contains(entry.code()))
                .map(Condition::of)
                .map(condition -> condition.withPresentDifferences(observer))
                .forEach(all::add);
        SmStatistics current = observer.statistics();
        if (current != null) {
            current.sweeps().unhealthyPorts().stream()
                    .map(port -> UnhealthyPort.of(port, observer.view()))
                    .map(port -> of(SmEvent.PORT_UNHEALTHY, null, port.text(), port.port()))
                    .forEach(all::add);
        }
        return all.stream()
                .sorted(Comparator.comparing(Condition::isOfRouting)
                        .reversed()
                        .thenComparing(Condition::level)
                        .thenComparing(Condition::since, Comparator.nullsLast(Comparator.naturalOrder())))
                .toList();
    }

    /**
     * Returns the condition with the current number of differences. The event has the number at the time of its report.
     */
    private Condition withPresentDifferences(SmObserver observer) {
        PlacedSubnet seen = observer.state().visibleSubnet();
        if (!code.equals(SmEvent.INVENTORY_DIFFERS.code()) || seen == null) {
            return this;
        }
        List<Difference> current = observer.inventory().differencesOf(seen.fabric());
        return current.isEmpty() ? this : of(Inventory.finding(current), since);
    }

    /** Logs the number of open conditions, if there are any. */
    public static void logCount(List<Condition> all) {
        all.stream()
                .filter(condition ->
                        !condition.code().equals(SmEvent.KEYS_PUBLIC.code())) // public keys may be intended
                .flatMap(condition -> Stream.ofNullable(condition.since()))
                .min(Comparator.naturalOrder())
                .ifPresent(first -> EVENTS.report(
                        SmEvent.CONDITIONS_HOLD, EventField.COUNT.of(all.size()), EventField.TEXT.of(first)));
    }

    private static List<Condition> ofRouting(FabricState state) {
        List<Condition> all = new ArrayList<>();
        if (state.routing() == RoutingState.REFUSED) {
            Finding refused = Finding.of(SmEvent.ROUTING_REFUSED, EventField.REASON.of(state.reason()));
            all.add(of(refused, state.since()));
        } else if (state.routing() == RoutingState.DEGRADED) {
            all.add(of(SmEvent.ROUTES_DEGRADED.finding(state.reason()), state.since()));
        }
        state.findings().stream()
                .filter(noted -> noted.finding().severity() == Finding.Severity.WARNING
                        && noted.finding().event() != SmEvent.DRIFT_FOUND // the journal has one for each device
                        && !state.absences().isLoss(noted.finding()))
                .map(noted -> of(noted.finding(), noted.since()))
                .forEach(all::add);
        return all;
    }

    /**
     * Returns the absent switches and cables, at most {@link #MAX_LOSSES}. The list of absent parts contains all of
     * them.
     */
    private static List<Condition> ofLosses(FabricState state) {
        PlacedSubnet seen = state.visibleSubnet();
        return seen == null
                ? List.of()
                : state.absences().losses().stream()
                        .limit(MAX_LOSSES)
                        .map(loss ->
                                of(LossEvents.openLoss(loss, seen), loss.id().since()))
                        .toList();
    }

    private static Condition of(Finding finding, @Nullable Instant since) {
        String place = Stream.of(EventField.COORDINATES, EventField.NAME)
                .flatMap(field -> finding.values().stream().filter(value -> value.field() == field))
                .map(EventField.Value::text)
                .findFirst()
                .orElse("");
        return of(finding.event(), since, finding.text(), place);
    }

    private static Condition of(Journal.Entry entry) {
        Map<String, String> fields = entry.fields();
        String place =
                fields.getOrDefault(EventField.COORDINATES.key(), fields.getOrDefault(EventField.NAME.key(), ""));
        SmEvent event = SmEvent.ofCode(entry.code());
        return new Condition(
                entry.time(), entry.code(), entry.level(), entry.text(), place, event == null ? "" : event.remedy());
    }

    private static Condition of(SmEvent event, @Nullable Instant since, String text, String place) {
        return new Condition(since, event.code(), event.severity().level(), text, place, event.remedy());
    }
}
