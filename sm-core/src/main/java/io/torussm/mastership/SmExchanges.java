package io.torussm.mastership;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.SmInfo;
import java.util.function.Consumer;

/**
 * The requests of SMInfo that the rules of mastership order: polls, HANDOVER and ACKNOWLEDGE. Their outcomes become
 * events. Owner thread: the loop of the SM.
 */
final class SmExchanges {
    private static final EventLog EVENTS = EventLog.of(MastershipDriver.class);

    private final SmPeers peers;
    private final TrustedSms trusted;
    private final OwnSmInfo own;
    private final SmIdentities identities;
    private final Consumer<MastershipEvent> take;
    private Runnable cancelPoll = () -> {};

    /** @param take receives the outcomes */
    SmExchanges(
            SmPeers peers, TrustedSms trusted, OwnSmInfo own, SmIdentities identities, Consumer<MastershipEvent> take) {
        this.peers = peers;
        this.trusted = trusted;
        this.own = own;
        this.identities = identities;
        this.take = take;
    }

    /** Polls the master, instead of a previous one. */
    void poll(RemoteSm sm) {
        stopPolling();
        own.acted();
        DrPath path = sm.path();
        if (path == null) {
            take.accept(new MastershipEvent.PollFailed(false));
            return;
        }
        cancelPoll = peers.poll(path, identities.showsKeyTo(sm.guid()), answer -> {
            SmInfo info = answer.of(sm.guid());
            RemoteSm answered = info == null ? null : trusted.read(info, path);
            if (answered != null && !answered.host().isKnown()) {
                peers.locate(path, host -> trusted.locate(sm.guid(), host));
            }
            take.accept(answered == null ? answer.failed() : new MastershipEvent.PollAnswered(answered));
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
     * Sends HANDOVER. The SM shows MASTER, since only a MASTER may hand over, even if it shows NOT-ACTIVE to
     * others while it ends. The request contains keys, so the agent of the port must confirm first that the
     * route leads to the successor.
     */
    void handOver(RemoteSm successor) {
        DrPath path = successor.path();
        if (path == null) {
            take.accept(new MastershipEvent.HandoverFailed("the way to it is not known"));
            return;
        }
        peers.identify(path, port -> {
            if (port == null || port.guid() != successor.guid()) {
                take.accept(new MastershipEvent.HandoverFailed("another port is at the end of the way to it"));
            } else {
                peers.set(path, own.shown(SmState.MASTER, true), MastershipRules.HANDOVER, this::handedOver);
            }
        });
    }

    private void handedOver(String problem) {
        take.accept(
                problem.isEmpty()
                        ? new MastershipEvent.HandoverAccepted()
                        : new MastershipEvent.HandoverFailed(problem));
    }

    /**
     * Sends ACKNOWLEDGE. IBA permits it only to a STANDBY, so the SMInfo shows the state in which HANDOVER
     * was received.
     */
    void acknowledge(RemoteSm sm) {
        DrPath path = sm.path();
        if (path != null) {
            peers.set(path, own.shown(SmState.STANDBY, true), MastershipRules.ACKNOWLEDGE, problem -> {
                if (!problem.isEmpty()) {
                    EVENTS.report(SmEvent.ACKNOWLEDGE_REFUSED, EventField.PEER.of(sm), EventField.REASON.of(problem));
                }
            });
        }
    }
}
