package io.torussm.mastership;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.SmInfo;
import java.util.function.Consumer;

/**
 * The requests of SMInfo that {@link MastershipRules} requires: polls, HANDOVER and ACKNOWLEDGE. Their outcomes become
 * events. Owner thread: the loop.
 */
final class SmExchanges {
    private static final EventLog EVENTS = EventLog.of(MastershipDriver.class);

    private final SmPeers peers;
    private final TrustedSms trusted;
    private final OwnSmInfo own;
    private final SmIdentities identities;
    private final Consumer<MastershipEvent> enqueue;
    private Runnable cancelPoll = () -> {};

    /**
     * Creates the sender of requests.
     *
     * @param take receives the outcomes as events
     */
    SmExchanges(
            SmPeers peers, TrustedSms trusted, OwnSmInfo own, SmIdentities identities, Consumer<MastershipEvent> take) {
        this.peers = peers;
        this.trusted = trusted;
        this.own = own;
        this.identities = identities;
        this.enqueue = take;
    }

    /** Polls an SM; cancels a previous poll. */
    void poll(RemoteSm sm) {
        stopPolling();
        own.incrementActCount();
        DrPath path = sm.path();
        if (path == null) {
            enqueue.accept(new MastershipEvent.PollFailed(false));
            return;
        }
        cancelPoll = peers.poll(path, identities.showsKeyTo(sm.guid()), answer -> {
            SmInfo info = answer.of(sm.guid());
            RemoteSm polledSm = info == null ? null : trusted.read(info, path);
            if (polledSm != null && !polledSm.host().isKnown()) {
                peers.locate(path, host -> trusted.locate(sm.guid(), host));
            }
            enqueue.accept(polledSm == null ? answer.toPollFailed() : new MastershipEvent.PollAnswered(polledSm));
        });
    }

    /** Reports a changed priority to the master. */
    void trapPriorityChange() {
        peers.trapPriorityChange();
    }

    void stopPolling() {
        cancelPoll.run();
        cancelPoll = () -> {};
    }

    /**
     * Sends HANDOVER. Its SMInfo shows MASTER, because only a MASTER may hand over, even if this SM ends and shows
     * NOT-ACTIVE to others. The request contains keys. So the agent of the port must first confirm that the route
     * leads to the successor.
     */
    void handOver(RemoteSm successor) {
        DrPath path = successor.path();
        if (path == null) {
            enqueue.accept(new MastershipEvent.HandoverFailed("the way to it is not known"));
            return;
        }
        peers.identify(path, port -> {
            if (port == null || port.guid() != successor.guid()) {
                enqueue.accept(new MastershipEvent.HandoverFailed("another port is at the end of the way to it"));
            } else {
                peers.set(path, own.smInfo(SmState.MASTER, true), MastershipRules.HANDOVER, this::onHandoverOutcome);
            }
        });
    }

    private void onHandoverOutcome(String problem) {
        enqueue.accept(
                problem.isEmpty()
                        ? new MastershipEvent.HandoverAccepted()
                        : new MastershipEvent.HandoverFailed(problem));
    }

    /**
     * Sends ACKNOWLEDGE. IBA permits only a STANDBY to send it, so that the SMInfo shows the state before HANDOVER.
     */
    void acknowledge(RemoteSm sm) {
        DrPath path = sm.path();
        if (path != null) {
            peers.set(path, own.smInfo(SmState.STANDBY, true), MastershipRules.ACKNOWLEDGE, problem -> {
                if (!problem.isEmpty()) {
                    EVENTS.report(SmEvent.ACKNOWLEDGE_REFUSED, EventField.PEER.of(sm), EventField.REASON.of(problem));
                }
            });
        }
    }
}
