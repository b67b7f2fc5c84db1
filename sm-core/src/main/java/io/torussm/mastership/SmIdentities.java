package io.torussm.mastership;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SmInfo;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The check of the identities of other SMs by the agents of their ports. Owner thread: the loop. */
final class SmIdentities {
    private final SmPeers peers;
    private final TrustedSms trusted;
    private final IntSupplier mKeyProtectBits;
    private final Supplier<Mastership> state;

    SmIdentities(SmPeers peers, TrustedSms trusted, IntSupplier mKeyProtectBits, Supplier<Mastership> state) {
        this.peers = peers;
        this.trusted = trusted;
        this.mKeyProtectBits = mKeyProtectBits;
        this.state = state;
    }

    private boolean areGetsProtected() {
        return mKeyProtectBits.getAsInt() >= PortInfo.M_KEY_PROTECTS_GETS;
    }

    /** Checks whether a Get of SMInfo carries the M_Key; see {@link MastershipDriver#showsKeyTo}. */
    boolean showsKeyTo(long portGuid) {
        return areGetsProtected() && trusted.mayShowKeysTo(portGuid);
    }

    /** Requests SMInfo of a known SM at the end of a route; calls back once, with null if there is no answer. */
    void requestSmInfo(RemoteSm sm, DrPath path, Consumer<@Nullable SmInfo> then) {
        peers.requestSmInfo(path, showsKeyTo(sm.guid()), then);
    }

    /**
     * Requests SMInfo of the SM at the end of a route; calls back once, with null if there is no answer. If ports
     * reject a Get without the M_Key, the PortGUID is read first: it decides whether the request carries the M_Key.
     */
    void requestSmInfo(DrPath path, Consumer<@Nullable SmInfo> then) {
        if (areGetsProtected()) {
            peers.identify(path, port -> peers.requestSmInfo(path, port != null && showsKeyTo(port.guid()), then));
        } else {
            peers.requestSmInfo(path, false, then);
        }
    }

    /**
     * Checks the GUID in an SMInfo against the PortGUID that the agent of the port reports, unless the SM is known. A
     * program at the port could forge the GUID of a trusted SM.
     *
     * @param info the response; null if there is none, so that nothing happens
     * @param then callback, called with the SM if its GUID is that of the port and it is trusted; otherwise never
     */
    void verify(@Nullable SmInfo info, DrPath path, Consumer<RemoteSm> then) {
        if (info == null) {
            return;
        }
        boolean isKnown = state.get().others().stream()
                .anyMatch(other -> other.guid() == info.guid() && Objects.equals(path, other.path()));
        if (isKnown) {
            accept(info, path, then);
        } else {
            peers.identify(path, port -> {
                if (port != null && port.guid() == info.guid()) {
                    accept(info, path, then);
                }
            });
        }
    }

    private void accept(SmInfo info, DrPath path, Consumer<RemoteSm> then) {
        RemoteSm sm = trusted.readUnlessOwn(info, path);
        if (sm != null) {
            then.accept(sm);
        }
    }
}
