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

/** The trusted SMs, and their latest SMInfo. Owner thread: the loop, except for {@link #lastSmInfoOf}. */
final class TrustedSms {
    private static final EventLog EVENTS = EventLog.of(TrustedSms.class);

    /** Max number of untrusted SMs that are reported. */
    private static final int MAX_UNTRUSTED = 1024;

    /** Max number of trusted SMs whose SMInfo is kept. */
    private static final int MAX_SM_INFOS = 1024;

    private final long ownGuid;
    private final Supplier<Trust> trust;
    private final LongPredicate replicates;
    private final BooleanSupplier hasMKey;

    /** The reported reason why an SM is untrusted, by PortGUID. */
    private final Map<Long, String> untrustedReasons = new HashMap<>();

    /** Limits reports of an SM whose trust alternates. */
    private final LogRateLimiter reportLimiter;

    /** Latest SMInfo by PortGUID; also of SMs that have left the subnet since the last {@link #forgetUnless}. */
    private final Map<Long, LocatedSmInfo> lastSmInfos = new ConcurrentHashMap<>();

    /** The latest SMInfo of an SM, and its location. */
    private record LocatedSmInfo(SmInfo info, SmHost host) {}

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
        this.reportLimiter = new LogRateLimiter(clock);
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
            reportUntrusted(info.guid(), objection);
            return null;
        }
        untrustedReasons.remove(info.guid());
        SmHost host = location.orPrevious(hostOf(info.guid()));
        if (lastSmInfos.size() < MAX_SM_INFOS || lastSmInfos.containsKey(info.guid())) {
            lastSmInfos.put(info.guid(), new LocatedSmInfo(info, host));
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
        LocatedSmInfo word = lastSmInfos.get(guid);
        return trust.get().containsGuid(guid)
                || replicates.test(guid)
                || (word != null && trust.get().isProof(word.info().get(SmInfo.SM_KEY)));
    }

    /** Returns the SM at the end of a route; null if it is this SM or is not trusted. */
    @Nullable
    RemoteSm readUnlessOwn(SmInfo info, DrPath path) {
        return info.guid() == ownGuid ? null : read(info, path);
    }

    /**
     * Returns an SM that a sweep found. If it is untrusted or shows the GUID of another port, reports this and returns
     * null.
     */
    @Nullable
    RemoteSm read(DiscoveredSm found) {
        if (found.info().guid() != found.portGuid()) {
            reportUntrusted(
                    found.portGuid(),
                    "it says that its port GUID is " + Guid.format(found.info().guid()));
            return null;
        }
        return read(found.info(), found.path(), found.host());
    }

    /** Checks whether an SMInfo shows the SM_Key that SubnSet(SMInfo) must have; reports the SM if it does not. */
    boolean maySet(SmInfo info) {
        String objection = trust.get().objectionToSet(info.guid(), info.get(SmInfo.SM_KEY));
        if (!objection.isEmpty()) {
            reportUntrusted(info.guid(), objection);
        }
        return objection.isEmpty();
    }

    /**
     * Returns the sender of SubnSet(SMInfo); if the sending port contradicts its SMInfo, reports this and returns null.
     */
    @Nullable
    RemoteSm senderOfSet(SmInfo info, @Nullable DrPath path, SmPeers.Port port) {
        if (port.guid() != info.guid() || !port.isSm()) {
            String claim = port.isSm() ? "" : ", which has no SM";
            reportUntrusted(
                    info.guid(),
                    "SubnSet(SMInfo) in its name comes from port GUID " + Guid.format(port.guid()) + claim);
            return null;
        }
        return read(info, path);
    }

    /**
     * Reports an untrusted SM once for each reason. After MAX_UNTRUSTED SMs none is reported, since GUIDs may be
     * forged.
     */
    private void reportUntrusted(long guid, String objection) {
        boolean isNews =
                untrustedReasons.size() < MAX_UNTRUSTED && !objection.equals(untrustedReasons.put(guid, objection));
        if (isNews && reportLimiter.recordEvent(Guid.format(guid)).isDue()) {
            EVENTS.report(SmEvent.SM_IGNORED, EventField.GUID.of(guid), EventField.REASON.of(objection));
        }
    }

    /** Discards the SMInfo of all SMs that {@code isKnown} rejects by their PortGUID. */
    void forgetUnless(LongPredicate isKnown) {
        lastSmInfos.keySet().removeIf(guid -> !isKnown.test(guid));
    }

    /** Returns the latest SMInfo of a trusted SM. May be called from any thread. */
    Optional<SmInfo> lastSmInfoOf(long guid) {
        return Optional.ofNullable(lastSmInfos.get(guid)).map(LocatedSmInfo::info);
    }

    private SmHost hostOf(long guid) {
        LocatedSmInfo word = lastSmInfos.get(guid);
        return word == null ? SmHost.UNKNOWN : word.host();
    }

    /** Records the location of an SM, which {@link RemoteSm#host} contains from its next SMInfo on. */
    void locate(long guid, SmHost host) {
        lastSmInfos.computeIfPresent(guid, (sm, word) -> new LocatedSmInfo(word.info(), host.orPrevious(word.host())));
    }
}
