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

    /** Max number of untrusted SMs that are reported. */
    private static final int MAX_STRANGERS = 1024;

    /** Max number of trusted SMs whose SMInfo is kept. */
    private static final int MAX_HEARD = 1024;

    private final long ownGuid;
    private final Supplier<Trust> trust;
    private final LongPredicate replicates;
    private final BooleanSupplier hasMKey;

    /** The reported reason why an SM is untrusted, by PortGUID. */
    private final Map<Long, String> strangers = new HashMap<>();

    /** Limits reports of an SM whose trust alternates. */
    private final LogRateLimiter lines;

    /** Latest SMInfo by PortGUID; also of SMs that have left the subnet since the last {@link #forgetUnless}. */
    private final Map<Long, Word> heard = new ConcurrentHashMap<>();

    /** The latest SMInfo of an SM, and its location. */
    private record Word(SmInfo info, SmHost host) {}

    /**
     * Creates an empty set.
     *
     * @param ownGuid PortGUID of the own port
     * @param replicates checks a PortGUID: true if the SM at that port replicates with this SM
     * @param hasMKey checks whether the own port has an M_Key
     * @param clock clock in nanoseconds
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

    /** Returns the SM of an SMInfo; if it is not trusted, reports this and returns null. */
    @Nullable
    RemoteSm read(SmInfo info, @Nullable DrPath path) {
        return read(info, path, SmHost.UNKNOWN);
    }

    private @Nullable RemoteSm read(SmInfo info, @Nullable DrPath path, SmHost location) {
        String objection = info.guid() == ownGuid
                ? "it uses the GUID of this SM's port"
                : trust.get().objection(info.guid(), info.get(SmInfo.SM_KEY));
        if (!objection.isEmpty()) {
            ignore(info.guid(), objection);
            return null;
        }
        strangers.remove(info.guid());
        SmHost host = location.orBefore(hostOf(info.guid()));
        if (heard.size() < MAX_HEARD || heard.containsKey(info.guid())) {
            heard.put(info.guid(), new Word(info, host));
        }
        boolean isProved = !hasSecrets() || mayShowKeysTo(info.guid());
        return new RemoteSm(info.guid(), info.priority(), SmState.of(info), path, host, isProved);
    }

    /** Checks whether there is a key that a program at another host must not see: an M_Key, or a secret SM_Key. */
    private boolean hasSecrets() {
        return hasMKey.getAsBoolean() || !trust.get().isKeyPublic();
    }

    /**
     * Checks whether the SM with a PortGUID may see keys: the operator listed it, it replicates with this SM, or it has
     * shown a secret SM_Key.
     */
    boolean mayShowKeysTo(long guid) {
        Word word = heard.get(guid);
        return trust.get().names(guid)
                || replicates.test(guid)
                || (word != null && trust.get().isProof(word.info().get(SmInfo.SM_KEY)));
    }

    /** Returns the SM at the end of a route; null if it is this SM or is not trusted. */
    @Nullable
    RemoteSm other(SmInfo info, DrPath path) {
        return info.guid() == ownGuid ? null : read(info, path);
    }

    /**
     * Returns an SM that a sweep found. If it is untrusted or shows the GUID of another port, reports this and returns
     * null.
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

    /** Checks whether an SMInfo shows the SM_Key that SubnSet(SMInfo) must have; reports the SM if it does not. */
    boolean mayDemand(SmInfo info) {
        String objection = trust.get().objectionToDemand(info.guid(), info.get(SmInfo.SM_KEY));
        if (!objection.isEmpty()) {
            ignore(info.guid(), objection);
        }
        return objection.isEmpty();
    }

    /**
     * Returns the sender of SubnSet(SMInfo); if the sending port contradicts its SMInfo, reports this and returns null.
     */
    @Nullable
    RemoteSm demanding(SmInfo info, @Nullable DrPath path, SmPeers.Port port) {
        if (port.guid() != info.guid() || !port.isSm()) {
            String claim = port.isSm() ? "" : ", which has no SM";
            ignore(info.guid(), "SubnSet(SMInfo) in its name comes from port GUID " + Guid.format(port.guid()) + claim);
            return null;
        }
        return read(info, path);
    }

    /**
     * Reports an untrusted SM once for each reason. After MAX_STRANGERS SMs none is reported, since GUIDs may be
     * forged.
     */
    private void ignore(long guid, String objection) {
        boolean isNews = strangers.size() < MAX_STRANGERS && !objection.equals(strangers.put(guid, objection));
        if (isNews && lines.happened(Guid.format(guid)).isDue()) {
            EVENTS.report(SmEvent.SM_IGNORED, EventField.GUID.of(guid), EventField.REASON.of(objection));
        }
    }

    /** Discards the SMInfo of all SMs that {@code isKnown} rejects by their PortGUID. */
    void forgetUnless(LongPredicate isKnown) {
        heard.keySet().removeIf(guid -> !isKnown.test(guid));
    }

    /** Returns the latest SMInfo of a trusted SM. May be called from any thread. */
    Optional<SmInfo> lastWordOf(long guid) {
        return Optional.ofNullable(heard.get(guid)).map(Word::info);
    }

    private SmHost hostOf(long guid) {
        Word word = heard.get(guid);
        return word == null ? SmHost.UNKNOWN : word.host();
    }

    /** Records the location of an SM, which {@link RemoteSm#host} contains from its next SMInfo on. */
    void locate(long guid, SmHost host) {
        heard.computeIfPresent(guid, (sm, word) -> new Word(word.info(), host.orBefore(word.host())));
    }
}
