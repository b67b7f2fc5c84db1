package io.torussm.mastership;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handler of SMInfo requests. The SMInfo of a sender may be forged. Before this SM complies, or shows a
 * secret SM_Key, it reads the PortGUID and IsSM from the agent of the sender's port. Owner thread: the loop.
 */
final class SmInfoRequests {
    private static final Logger LOG = LoggerFactory.getLogger(SmInfoRequests.class);

    /** Min time between two checks of unknown senders, see {@link #identifyUnknownSender}. */
    private static final long MIN_IDENTIFICATION_INTERVAL_NS = TimeUnit.SECONDS.toNanos(2);

    /** Max number of requests whose senders are being identified. */
    private static final int MAX_WAITING = 64;

    /** The SM that handles the requests. */
    interface Subject {
        Mastership state();

        boolean isMaster();

        boolean isEnded();

        MastershipSettings settings();

        /** Handles an SM that a sweep may have missed, and that its port reports. */
        void onUnknownSm(DrPath path);

        /** Handles SubnSet(SMInfo) of an SM that may send it. */
        void onSet(MadFrame frame, MastershipEvent.SetReceived event);
    }

    /** A request whose sender is being identified. Its repetitions are ignored. */
    private record Waiting(DrPath path, long tid) {}

    private final Loop loop;
    private final SmPeers peers;
    private final TrustedSms trusted;
    private final OwnSmInfo own;
    private final Subject subject;
    private final Set<Waiting> waiting = new HashSet<>();
    private long lastIdentificationNs;

    SmInfoRequests(Loop loop, SmPeers peers, TrustedSms trusted, OwnSmInfo own, Subject subject) {
        this.loop = loop;
        this.peers = peers;
        this.trusted = trusted;
        this.own = own;
        this.subject = subject;
        this.lastIdentificationNs = loop.nowNs() - MIN_IDENTIFICATION_INTERVAL_NS;
    }

    /** Handles a frame; returns false if it is not an SMInfo request. */
    boolean receive(MadFrame frame) {
        int method = MadHeader.method(frame.mad());
        boolean isRequest = method == Method.GET || method == Method.SET;
        if (MadHeader.attributeId(frame.mad()) != SmInfo.TYPE.id() || !isRequest) {
            return false;
        }
        if (subject.isEnded() || (method == Method.SET && !own.isOpenTo(frame))) {
            LOG.debug("SMInfo request from LID {} dropped", frame.peer().lid());
        } else if (method == Method.GET) {
            get(frame);
        } else {
            set(frame);
        }
        return true;
    }

    private void get(MadFrame frame) {
        DrPath path = Smp.returnPath(frame.mad());
        boolean isProvedPath = path != null && foundAt(path).anyMatch(RemoteSm::isProved);
        if (isProvedPath || subject.settings().trust().isKeyPublic()) {
            own.answer(frame, MadStatus.OK, true);
        } else {
            identify(frame, path, port -> {
                boolean isProved = port != null && port.isSm() && trusted.mayShowKeysTo(port.guid());
                own.answer(frame, MadStatus.OK, isProved);
            });
        }
        identifyUnknownSender(path);
    }

    /**
     * Checks whether a requester is an SM that the discovery of this master missed. It may be a master of higher rank
     * that waits for a handover, or an SM that was starting during the discovery. The requester may also be a
     * diagnostic tool, whose port reports no SM.
     */
    private void identifyUnknownSender(@Nullable DrPath path) {
        boolean isDue = loop.nowNs() - lastIdentificationNs >= MIN_IDENTIFICATION_INTERVAL_NS;
        if (subject.isMaster() && isDue && path != null && path.hops() > 0 && !isKnownAfterDiscovering(path)) {
            lastIdentificationNs = loop.nowNs();
            peers.identify(path, port -> {
                if (port != null && port.isSm() && subject.isMaster()) {
                    subject.onUnknownSm(path);
                }
            });
        }
    }

    private boolean isKnownAfterDiscovering(DrPath path) {
        return foundAt(path).anyMatch(other -> other.state() != SmState.DISCOVERING);
    }

    private Stream<RemoteSm> foundAt(DrPath path) {
        return subject.state().others().stream().filter(other -> Objects.equals(path, other.path()));
    }

    private void set(MadFrame frame) {
        SmInfo info = SmInfo.TYPE.read(frame.mad(), Smp.DATA_OFFSET);
        if (!trusted.maySet(info)) {
            own.answer(frame, MadStatus.INVALID_FIELD, false);
            return;
        }
        DrPath directed = Smp.returnPath(frame.mad());
        DrPath path = directed == null ? pathTo(info.guid()) : directed;
        identify(frame, path, port -> {
            boolean isSender = port != null
                    && (directed != null || port.hasLid(frame.peer().lid()));
            RemoteSm sender = isSender ? trusted.senderOfSet(info, path, port) : null;
            if (sender == null) {
                own.answer(frame, MadStatus.INVALID_FIELD, false);
            } else {
                subject.onSet(frame, new MastershipEvent.SetReceived(MadHeader.attributeModifier(frame.mad()), sender));
            }
        });
    }

    private @Nullable DrPath pathTo(long guid) {
        return subject.state().others().stream()
                .filter(other -> other.guid() == guid)
                .map(RemoteSm::path)
                .findFirst()
                .orElse(null);
    }

    /**
     * Identifies the port that sent a request.
     *
     * @param path directed route to the sender; null if it is unknown
     * @param then callback, called with the port, or with null if it cannot be determined; not called for a repetition
     */
    private void identify(MadFrame frame, @Nullable DrPath path, Consumer<SmPeers.@Nullable Port> then) {
        if (path == null || path.hops() == 0 || waiting.size() >= MAX_WAITING) {
            then.accept(null);
            return;
        }
        Waiting request = new Waiting(path, MadHeader.tid(frame.mad()));
        if (waiting.add(request)) {
            peers.identify(path, port -> {
                waiting.remove(request);
                if (!subject.isEnded()) {
                    then.accept(port);
                }
            });
        }
    }
}
