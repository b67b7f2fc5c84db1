package io.torussm.mastership;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.event.log.LogRateLimiter;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.SmInfo;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The trusted SMs, and their latest SMInfo. Owner thread: the loop, except for {@link #lastWordOf}. */
final class TrustedSms {
    private static final EventLog EVENTS = EventLog.of(TrustedSms.class);
    private static final int MAX_STRANGERS = 1024;
    private static final int MAX_HEARD = 1024;

    private final long ownGuid;
    private final Supplier<Trust> trust;
    private final LongPredicate replicates;
    private final BooleanSupplier hasMKey;
    private final Map<Long, String> strangers = new HashMap<>();

    /** Limits reports of an SM whose trust alternates. */
    private final LogRateLimiter lines;

    /** By GUID, including SMs that left the state since. */
    private final Map<Long, Word> heard = new ConcurrentHashMap<>();

    /** The latest SMInfo of an SM, and its location. */
    private record Word(SmInfo info, SmHost host) {}

    /**
     * Creates an empty set.
     *
     * @param replicates tests a port GUID: accepted if the SM at that port replicates with this one
     * @param hasMKey whether the own port has an M_Key
     * @param clock nanoseconds
     */
    TrustedSms(
            long ownGuid,
            Supplier<Trust> trust,
            LongPredicate replicates,
            BooleanSupplier hasMKey,
            LongSupplier clock) {
        this.ownGuid = ownGuid;
        this.trust = trust;
        this.replicates = replicates;
        this.hasMKey = hasMKey;
        this.lines = new LogRateLimiter(clock);
    }

    /** Returns the SM of an SMInfo; null, after a report, if it is not trusted. */
    @Nullable
    RemoteSm read(SmInfo info, @Nullable DrPath path) {
        return read(info, path, SmHost.UNKNOWN);
    }

    private @Nullable RemoteSm read(SmInfo info, @Nullable DrPath path, SmHost seen) {
        String objection = info.guid() == ownGuid
                ? "it uses the GUID of this SM's port"
                : trust.get().objection(info.guid(), info.get(SmInfo.SM_KEY));
        if (!objection.isEmpty()) {
            ignore(info.guid(), objection);
            return null;
        }
        strangers.remove(info.guid());
        SmHost host = seen.orBefore(hostOf(info.guid()));
        if (heard.size() < MAX_HEARD || heard.containsKey(info.guid())) {
            heard.put(info.guid(), new Word(info, host));
        }
        boolean isProved = !hasSecrets() || mayShowKeysTo(info.guid());
        return new RemoteSm(info.guid(), info.priority(), SmState.of(info), path, host, isProved);
    }

    /** Checks whether there is a key that a program at another host must not learn. */
    private boolean hasSecrets() {
        return hasMKey.getAsBoolean() || !trust.get().isKeyPublic();
    }

    /**
     * Checks whether the SM at a port may see keys: it is listed, replicates with this one, or has shown a secret
     * SM_Key.
     */
    boolean mayShowKeysTo(long guid) {
        Word last = heard.get(guid);
        return trust.get().names(guid)
                || replicates.test(guid)
                || (last != null && trust.get().isProof(last.info().get(SmInfo.SM_KEY)));
    }

    /** Returns the SM at the end of a route; null if it is this SM or is not trusted. */
    @Nullable
    RemoteSm other(SmInfo info, DrPath path) {
        return info.guid() == ownGuid ? null : read(info, path);
    }

    /**
     * Returns an SM that a sweep found; null, after a report, if it is untrusted or shows the GUID of another port.
     */
    @Nullable
    RemoteSm read(DiscoveredSm found) {
        if (found.info().guid() != found.portGuid()) {
            ignore(
                    found.portGuid(),
                    "it says that its port GUID is " + Guid.format(found.info().guid()));
            return null;
        }
        return read(found.info(), found.path(), found.host());
    }

    /** Checks whether an SMInfo shows the key that SubnSet(SMInfo) needs; reports it if not. */
    boolean mayDemand(SmInfo info) {
        String objection = trust.get().objectionToDemand(info.guid(), info.get(SmInfo.SM_KEY));
        if (!objection.isEmpty()) {
            ignore(info.guid(), objection);
        }
        return objection.isEmpty();
    }

    /** Returns the sender of SubnSet(SMInfo); null, after a report, if the sending port contradicts its SMInfo. */
    @Nullable
    RemoteSm demanding(SmInfo info, @Nullable DrPath path, SmPeers.Port port) {
        if (port.guid() != info.guid() || !port.isSm()) {
            String claim = port.isSm() ? "" : ", which has no SM";
            ignore(info.guid(), "SubnSet(SMInfo) in its name comes from port GUID " + Guid.format(port.guid()) + claim);
            return null;
        }
        return read(info, path);
    }

    /** Reports an untrusted SM once for each reason. If an attacker invents GUIDs, reports soon cease. */
    private void ignore(long guid, String objection) {
        boolean isNews = strangers.size() < MAX_STRANGERS && !objection.equals(strangers.put(guid, objection));
        if (isNews && lines.happened(Guid.format(guid)).isDue()) {
            EVENTS.report(SmEvent.SM_IGNORED, EventField.GUID.of(guid), EventField.REASON.of(objection));
        }
    }

    /** Discards the SMInfo of unknown SMs. */
    void forgetUnless(LongPredicate isKnown) {
        heard.keySet().removeIf(guid -> !isKnown.test(guid));
    }

    /** Returns the latest SMInfo of a trusted SM. May be called from any thread. */
    Optional<SmInfo> lastWordOf(long guid) {
        return Optional.ofNullable(heard.get(guid)).map(Word::info);
    }

    private SmHost hostOf(long guid) {
        Word last = heard.get(guid);
        return last == null ? SmHost.UNKNOWN : last.host();
    }

    /** Notes the location of an SM, which takes effect with its next SMInfo. */
    void locate(long guid, SmHost host) {
        heard.computeIfPresent(guid, (sm, last) -> new Word(last.info(), host.orBefore(last.host())));
    }
}
