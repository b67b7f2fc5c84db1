package io.torussm.mastership;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SmInfo;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The identities of other SMs, according to the agents of their ports. Owner thread: the loop of the SM. */
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

    /** Checks whether an SM may see the key; see {@link MastershipDriver#showsKeyTo}. */
    boolean showsKeyTo(long portGuid) {
        return areGetsProtected() && trusted.mayShowKeysTo(portGuid);
    }

    /** Asks a known SM at the end of a route. */
    void ask(RemoteSm sm, DrPath path, Consumer<@Nullable SmInfo> then) {
        peers.ask(path, showsKeyTo(sm.guid()), then);
    }

    /** Asks the SM at the end of a route. If its port rejects a Get without the M_Key, the GUID of the port decides. */
    void ask(DrPath path, Consumer<@Nullable SmInfo> then) {
        if (areGetsProtected()) {
            peers.identify(path, port -> peers.ask(path, port != null && showsKeyTo(port.guid()), then));
        } else {
            peers.ask(path, false, then);
        }
    }

    /**
     * Reads the GUID of the port from its agent, unless it is known. A program there could forge the GUID of
     * a trusted SM.
     *
     * @param info a response; null if there is none
     * @param then callback, called with the SM if its GUID is right
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
        RemoteSm sm = trusted.other(info, path);
        if (sm != null) {
            then.accept(sm);
        }
    }
}
