package io.torussm.mastership;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.SmInfo;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The requests to other SMs and the agents of their ports. Called on the loop, which also receives the answers. */
public interface SmPeers {
    /**
     * A port as its agent describes it. A program at the host cannot change this description.
     *
     * @param guid PortGUID
     * @param isSm whether the operating system reports an SM (PortInfo.CapabilityMask.IsSM)
     * @param lid base LID; 0 if the port has none
     * @param lmc LMC, 0 to 7: the port has 2^lmc LIDs
     */
    record Port(long guid, boolean isSm, int lid, int lmc) {
        /** Checks whether a LID is one of the 2^lmc LIDs of the port, which differ in the lowest lmc bits. */
        boolean hasLid(int other) {
            return lid != 0 && other >> lmc == lid >> lmc;
        }
    }

    /**
     * The outcome of SubnGet(SMInfo).
     *
     * @param info SMInfo of the response; null if there is no usable response
     * @param isWithoutSm whether the port responded that no SM runs there: the process has ended, but the host works
     */
    record Answer(@Nullable SmInfo info, boolean isWithoutSm) {
        MastershipEvent.PollFailed toPollFailed() {
            return new MastershipEvent.PollFailed(isWithoutSm);
        }

        /** Returns the SMInfo if it has a PortGUID; otherwise null. */
        @Nullable
        SmInfo of(long guid) {
            return info == null || info.guid() != guid ? null : info;
        }
    }

    /**
     * Reads the port at the end of a route.
     *
     * @param then callback, called once, with null if the port does not answer
     */
    void identify(DrPath path, Consumer<@Nullable Port> then);

    /**
     * Reads the location of an SM.
     *
     * @param then callback, called once; unknown parts are empty or 0
     */
    void locate(DrPath path, Consumer<SmHost> then);

    /**
     * Sends SubnGet(SMInfo). The program that answers sees the whole MAD.
     *
     * @param showsKey whether the request carries the M_Key of the port
     * @param then callback, called once unless cancelled
     * @return task that cancels the request
     */
    Runnable poll(DrPath path, boolean showsKey, Consumer<Answer> then);

    /**
     * Sends SubnGet(SMInfo) as {@link #poll} does.
     *
     * @param then callback, called once unless cancelled, with null if there is no usable response
     */
    default Runnable requestSmInfo(DrPath path, boolean showsKey, Consumer<@Nullable SmInfo> then) {
        return poll(path, showsKey, answer -> then.accept(answer.info()));
    }

    /**
     * Sends SubnSet(SMInfo) with the M_Key of the port, which the program at the port sees.
     *
     * @param self SMInfo of this SM
     * @param modifier AttributeModifier: 1 HANDOVER, 2 ACKNOWLEDGE
     * @param then callback, called once, with the reason of a failure; empty if the request was accepted
     */
    void set(DrPath path, SmInfo self, int modifier, Consumer<String> then);

    /** Sends trap 144 with the SM priority flag to the master of the local port. */
    void trapPriorityChange();
}
