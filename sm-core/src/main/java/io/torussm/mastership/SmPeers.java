package io.torussm.mastership;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.SmInfo;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A channel to other SMs. Called on the loop, which also receives the answers. */
public interface SmPeers {
    /**
     * A port as its agent describes it, which no program at its host can change.
     *
     * @param guid port GUID
     * @param isSm whether the operating system reports an SM (PortInfo.CapabilityMask.IsSM)
     * @param lid base LID
     * @param lmc 0 to 7
     */
    record Port(long guid, boolean isSm, int lid, int lmc) {
        boolean hasLid(int other) {
            return lid != 0 && other >> lmc == lid >> lmc;
        }
    }

    /**
     * The outcome of SubnGet(SMInfo).
     *
     * @param info null if there is no usable response
     * @param isWithoutSm whether the port responded that no SM runs there: the process has ended, the host has not
     */
    record Answer(@Nullable SmInfo info, boolean isWithoutSm) {
        MastershipEvent.PollFailed failed() {
            return new MastershipEvent.PollFailed(isWithoutSm);
        }

        /** Returns the SMInfo if it is that of an SM. */
        @Nullable
        SmInfo of(long guid) {
            return info == null || info.guid() != guid ? null : info;
        }
    }

    /**
     * Reads the port at the end of a route.
     *
     * @param then callback, called once; null if it does not answer
     */
    void identify(DrPath path, Consumer<@Nullable Port> then);

    /**
     * Reads the location of an SM.
     *
     * @param then callback, called once
     */
    void locate(DrPath path, Consumer<SmHost> then);

    /**
     * Sends SubnGet(SMInfo). The program that answers sees the whole MAD.
     *
     * @param showsKey whether the request carries the M_Key of the port
     * @param then callback, called once unless cancelled
     * @return cancels the request
     */
    Runnable poll(DrPath path, boolean showsKey, Consumer<Answer> then);

    /** Sends SubnGet(SMInfo) as {@link #poll}; {@code then} receives null if there is no usable response. */
    default Runnable ask(DrPath path, boolean showsKey, Consumer<@Nullable SmInfo> then) {
        return poll(path, showsKey, answer -> then.accept(answer.info()));
    }

    /**
     * Sends SubnSet(SMInfo) with the M_Key of the port, which the program there sees.
     *
     * @param modifier 1 HANDOVER, 2 ACKNOWLEDGE
     * @param then callback, called once: empty if it was accepted, else the reason
     */
    void set(DrPath path, SmInfo self, int modifier, Consumer<String> then);

    /** Sends trap 144 with the SM priority flag to the master of the local port. */
    void trapPriorityChange();
}
